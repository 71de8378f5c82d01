package pcap

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/pcap"
)

// textPrinter prints for people.
type textPrinter struct {
	out      *bufio.Writer
	settings *settings
	where    string // the interface of the last MAD
	scratch  []byte
}

func (t *textPrinter) begin() error { return nil }

// arrow is the direction. What was not on the wire has none.
func arrow(k pcap.Kind) string {
	switch k {
	case pcap.Sent:
		return "->"
	case pcap.Received:
		return "<-"
	case pcap.Unknown:
		return "--"
	}
	return "!!"
}

func (t *textPrinter) print(e *entry) error {
	if e.Interface != t.where {
		t.where = e.Interface
		fmt.Fprintf(t.out, "at %s\n", escape.Text(t.where))
	}
	p := &e.Packet
	name := what(p.Class(), p.Method(), p.AttrID())
	if p.Modifier() != 0 {
		name += " " + modifierText(p.Modifier())
	}
	line := fmt.Sprintf("%12.6f %s %-12s %-34s tid 0x%08x", e.since.Seconds(), arrow(e.Kind), peer(e.Record), name, transaction(e.Record))
	var more []string
	for _, words := range []string{statusWords(p), rmppWords(p), roleWords(e), lostWords(e.Record)} {
		if words != "" {
			more = append(more, words)
		}
	}
	if len(more) > 0 {
		line += "  " + strings.Join(more, ", ")
	}
	fmt.Fprintln(t.out, line)
	if t.settings.verbose {
		t.fields(p)
	}
	return nil
}

// transaction is the transaction ID, at a port its lower half: the upper one of a
// reply is the kernel's.
func transaction(r *pcap.Record) uint64 {
	if r.Kind == pcap.Unknown {
		return r.Packet.TID()
	}
	return uint64(uint32(r.Packet.TID()))
}

// modifierText is a modifier: small ones are numbers of ports and blocks.
func modifierText(m uint32) string {
	if m < 1<<16 {
		return fmt.Sprint(m)
	}
	return fmt.Sprintf("0x%08x", m)
}

// fields prints the fields of the attribute, in the words of libibmad.
func (t *textPrinter) fields(p *mad.Packet) {
	table, data := t.settings.fieldsOf(p)
	t.scratch = table.AppendDumpAll(t.scratch[:0], data)
	for line := range bytes.Lines(t.scratch) {
		fmt.Fprintf(t.out, "%16s%s", "", line)
	}
}

func (t *textPrinter) end(r *result) error {
	if r.shown > 0 && !t.settings.summary {
		fmt.Fprintln(t.out)
	}
	fmt.Fprintf(t.out, "%d MADs in %.3f s", r.shown, r.duration.Seconds())
	if n := r.skipped.Other; n > 0 {
		fmt.Fprintf(t.out, "; %d other packets", n)
	}
	if n := r.skipped.Cut; n > 0 {
		fmt.Fprintf(t.out, "; %d packets that were captured in part", n)
	}
	fmt.Fprintln(t.out)
	if r.sum == (pcap.Count{}) {
		return nil
	}
	t.table(r)
	t.rest(&r.sum)
	return nil
}

// table prints what became of the requests.
func (t *textPrinter) table(r *result) {
	const row = "%-40s %9s %8s %8s %8s %10s %9s %9s %9s\n"
	fmt.Fprintf(t.out, "\n"+row, "", "requests", "retries", "replies", "failed", "unanswered", "shortest", "average", "longest")
	counts := r.statistics.Counts()
	for i := range counts {
		c := &counts[i]
		if c.Requests+c.Retries+c.NotSent > 0 {
			t.row(row, countName(c), c)
		}
	}
	t.row(row, "all", &r.sum)
}

func (t *textPrinter) row(format, name string, c *pcap.Count) {
	number := func(n int) string { return cmp.Or(strings.TrimPrefix(fmt.Sprint(n), "0"), "-") }
	shortest, average, longest := "-", "-", "-"
	if c.Replies > 0 {
		shortest, average, longest = rounded(c.Shortest).String(), rounded(c.Average()).String(), rounded(c.Longest).String()
	}
	fmt.Fprintf(t.out, format, name, number(c.Requests), number(c.Retries), number(c.Replies), number(c.Failed),
		number(c.Unanswered), shortest, average, longest)
}

// countName is what is counted. Directed routes are told apart here.
func countName(c *pcap.Count) string {
	switch c.Class {
	case 0:
		return "others"
	case mad.ClassSubnDirected:
		return what(c.Class, c.Method, c.Attr) + " directed"
	}
	return what(c.Class, c.Method, c.Attr)
}

// rest prints the counts that are mostly 0.
func (t *textPrinter) rest(sum *pcap.Count) {
	for _, one := range []struct {
		n    int
		text string
	}{
		{sum.NotSent, "tries that could not be sent"},
		{sum.Segments, "further segments"},
		{sum.Control, "acknowledgements and the like"},
		{sum.OneWay, "messages that have no reply"},
		{sum.Duplicates, "replies to what was answered already"},
		{sum.Stray, "replies to what the capture does not have"},
	} {
		if one.n > 0 {
			fmt.Fprintf(t.out, "%d %s\n", one.n, one.text)
		}
	}
}
