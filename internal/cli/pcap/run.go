package pcap

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/pcap"
)

// entry is a MAD with what is known about it.
type entry struct {
	*pcap.Record
	pcap.Relation
	since time.Duration // since the first MAD of the capture
}

// result is what is known at the end.
type result struct {
	statistics *pcap.Statistics
	sum        pcap.Count
	shown      int
	duration   time.Duration // from the first to the last that is shown
	skipped    pcap.Skipped
	err        error // why the capture ended before its end
}

// printer is a form of the output.
type printer interface {
	begin() error
	print(e *entry) error
	end(r *result) error
}

// flusher shows each MAD as soon as it is there: standard input may be a capture
// that is being made.
type flusher struct {
	printer
	out *bufio.Writer
}

func (f flusher) print(e *entry) error {
	if err := f.printer.print(e); err != nil {
		return err
	}
	return f.out.Flush()
}

func (s *settings) run(e *env.Env, name string) error {
	if !slices.Contains(outputs, s.output) {
		return env.Exitf(env.Usage, "--output %s: there are %s", s.output, strings.Join(outputs, ", "))
	}
	f, err := s.filter()
	if err != nil {
		return err
	}
	in, err := open(e, name)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	defer in.Close()
	reader, err := pcap.NewReader(in)
	if err != nil {
		return env.Exitf(env.Failed, "%s: %w", name, err)
	}
	out := bufio.NewWriter(e.Stdout)
	p := s.printer(out)
	if name == "-" {
		p = flusher{p, out}
	}
	r, err := s.readAll(reader, f, p)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if r.err != nil {
		return env.Exitf(env.Incomplete, "%s: %w", name, r.err)
	}
	return nil
}

func open(e *env.Env, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(e.Stdin), nil
	}
	return os.Open(name)
}

func (s *settings) printer(out *bufio.Writer) printer {
	switch s.output {
	case "json":
		return &jsonPrinter{out: out, settings: s}
	case "ndjson":
		return &jsonPrinter{out: out, settings: s, lines: true}
	}
	return &textPrinter{out: out, settings: s}
}

// readAll prints the capture. The error is that of the output.
func (s *settings) readAll(reader *pcap.Reader, f filter, p printer) (*result, error) {
	if err := p.begin(); err != nil {
		return nil, err
	}
	var m pcap.Matcher
	var record pcap.Record
	var first, firstShown time.Time
	r := &result{}
	for {
		if r.err = reader.Next(&record); r.err != nil {
			break
		}
		if first.IsZero() {
			first = record.Time
		}
		if !f.passes(&record) {
			continue
		}
		if r.shown++; r.shown == 1 {
			firstShown = record.Time
		}
		r.duration = max(r.duration, record.Time.Sub(firstShown))
		one := entry{Record: &record, Relation: m.Add(&record), since: record.Time.Sub(first)}
		if s.summary {
			continue
		}
		if err := p.print(&one); err != nil {
			return nil, err
		}
	}
	if errors.Is(r.err, io.EOF) {
		r.err = nil
	}
	r.skipped = reader.Skipped()
	r.statistics = m.Statistics()
	r.sum = r.statistics.Sum()
	return r, p.end(r)
}
