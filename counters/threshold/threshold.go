// Package threshold holds the values beyond which counters are worth a word, and
// reads them from files as ibqueryerrors has them: lines of NAME=N.
package threshold

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
)

// Limits are the thresholds of counters. The zero value watches none.
type Limits struct {
	values  [counters.NumCounters]uint64
	watched counters.Set
}

// Default watches all errors from the first one on, but not PortXmitWait, which
// counts on every busy fabric.
func Default() *Limits {
	return &Limits{watched: counters.Errors &^ counters.SetOf(counters.XmitWait)}
}

// Set watches a counter: values above n are beyond.
func (l *Limits) Set(c counters.Counter, n uint64) {
	l.values[c] = n
	l.watched |= counters.SetOf(c)
}

// Drop watches a counter no longer.
func (l *Limits) Drop(c counters.Counter) { l.watched &^= counters.SetOf(c) }

// Watched are the counters that have a threshold.
func (l *Limits) Watched() counters.Set { return l.watched }

// Of is the threshold of a counter, false if it has none.
func (l *Limits) Of(c counters.Counter) (uint64, bool) { return l.values[c], l.watched.Has(c) }

// Beyond are the counters of a sample that are beyond their thresholds. One that
// stands at the end of its field always is: its true value may be any.
func (l *Limits) Beyond(s *counters.Sample) counters.Set {
	var set counters.Set
	for c := range (s.Has & l.watched).All() {
		if s.Values[c] > l.values[c] || s.Saturated.Has(c) {
			set |= counters.SetOf(c)
		}
	}
	return set
}

// Error is a setting that cannot be understood.
type Error struct {
	Text string // the setting
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("threshold %q: %s", e.Text, e.Why) }

// Parse takes a setting: "SymbolErrorCounter=10", or "PortXmitWait=off" to watch a
// counter no longer. Names are those of the C tools, or those of the fields in JSON
// ("symbol_errors"), in any case. The error is an *Error.
func (l *Limits) Parse(setting string) error {
	name, value, found := strings.Cut(setting, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found {
		return &Error{setting, "expected NAME=N"}
	}
	c, ok := Find(name)
	if !ok {
		return &Error{setting, "there is no such counter of errors; there are " + strings.Join(names(), ", ")}
	}
	if strings.EqualFold(value, "off") {
		l.Drop(c)
		return nil
	}
	n, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		return &Error{setting, "expected a number, or off"}
	}
	l.Set(c, n)
	return nil
}

// Find finds a counter of errors by its name, as Parse has them.
func Find(name string) (counters.Counter, bool) {
	for c := range counters.Errors.All() {
		if strings.EqualFold(name, c.String()) || strings.EqualFold(name, c.Field()) {
			return c, true
		}
	}
	return 0, false
}

func names() []string {
	var list []string
	for c := range counters.Errors.All() {
		list = append(list, c.String())
	}
	slices.Sort(list)
	return list
}

// Bounds of a file.
const (
	maxLine  = 1024
	maxLines = 10000
)

// Read takes the settings of a file. Lines that begin with # and empty ones are
// passed over. What cannot be understood is a problem each, of the kind
// fabric.BadInput, with the name of the file and the line. The error is that of r.
func (l *Limits) Read(r io.Reader, file string) (problems []fabric.Problem, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, maxLine), maxLine)
	for n := 1; lines.Scan() && n <= maxLines; n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := l.Parse(line); err != nil {
			problems = append(problems, fabric.Problem{
				Kind: fabric.BadInput, Port: -1, File: fmt.Sprintf("%s:%d", file, n), Detail: err.Error(),
			})
		}
	}
	return problems, lines.Err()
}
