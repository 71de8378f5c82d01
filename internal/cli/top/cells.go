package top

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/internal/escape"
)

// settings are how values are written, which the user may change.
type settings struct {
	bytes bool // rates in bytes, not in bits
	long  bool // descriptions as they are
}

// short is a description without what most of them have in common, escaped: of a
// managed switch ("MF0;leaf01:MQM8700/U1") only its own name, of an adapter ("node7
// mlx5_0") that of its host.
func (s *settings) short(name string) string {
	if s.long {
		return escape.Text(name)
	}
	if box, place := verify.Box(name); box != "" {
		if place != "" && place != "U1" { // which is the only one
			box += " " + place
		}
		return escape.Text(box)
	}
	if host, device, found := strings.Cut(name, " "); found && !strings.Contains(device, " ") {
		return escape.Text(host)
	}
	return escape.Text(name)
}

// rate is a rate of data with three digits and a unit: "12.3 Gb/s". It is given in
// bytes a second.
func (s *settings) rate(bytes float64, known bool) string {
	if !known {
		return "-"
	}
	unit := "B/s"
	if !s.bytes {
		bytes, unit = bytes*8, "b/s"
	}
	prefix := ""
	for _, p := range []string{"k", "M", "G", "T"} {
		if bytes < 999.5 {
			break
		}
		bytes, prefix = bytes/1000, p
	}
	return digits(bytes) + " " + prefix + unit
}

// digits are the first three of a number below 1000.
func digits(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// rate is a rate of events, "-" where it is not known.
func rate(v float64, known bool) string {
	if !known {
		return "-"
	}
	if v >= 999.5 {
		return number(uint64(v))
	}
	return digits(v)
}

// number is a count; a large one in thousands.
func number(n uint64) string {
	switch {
	case n >= 10_000_000_000:
		return strconv.FormatUint(n/1_000_000_000, 10) + "G"
	case n >= 10_000_000:
		return strconv.FormatUint(n/1_000_000, 10) + "M"
	case n >= 1_000_000:
		return strconv.FormatUint(n/1000, 10) + "k"
	}
	return strconv.FormatUint(n, 10)
}

// share is a share of one as percents; "-" for less than 0, which is not known.
func share(v float64) string {
	switch {
	case v < 0:
		return "-"
	case v == 0:
		return "0%"
	case v < 0.0995:
		return strconv.FormatFloat(v*100, 'f', 1, 64) + "%"
	}
	return strconv.FormatFloat(v*100, 'f', 0, 64) + "%"
}

// bar draws a share of one.
func bar(v float64, width int) string {
	n := int(min(1, max(0, v))*float64(width) + 0.5)
	return strings.Repeat("█", n) + strings.Repeat("·", width-n)
}

// above marks values beyond two limits.
func above(v, careful, much float64) mark {
	switch {
	case v >= much:
		return bad
	case v >= careful:
		return warn
	}
	return plain
}

func when(yes bool, m mark) mark {
	if yes {
		return m
	}
	return plain
}

// place is an end of an event.
func place(e *event.End, s *settings) string {
	switch {
	case e.GUID == 0:
		return ""
	case e.Port < 0:
		return s.short(e.Name)
	}
	return s.short(e.Name) + "/" + strconv.Itoa(e.Port)
}

// change is what an event changed.
func change(e *event.Event, s *settings) string {
	switch {
	case e.Old != "" && e.New != "":
		return escape.Text(e.Old) + " > " + escape.Text(e.New)
	case e.Count > 1 && e.Field != "":
		return fmt.Sprintf("%s +%d", escape.Text(e.Field), e.Count)
	case e.Count > 1:
		return fmt.Sprintf("%d times", e.Count)
	}
	return escape.Text(e.Old + e.New)
}
