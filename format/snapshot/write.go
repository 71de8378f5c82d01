package snapshot

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/fabric"
)

// Write writes a snapshot, compressed. The same snapshot gives the same bytes.
// Errors are those of w.
func Write(w io.Writer, s *Snapshot) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed) // half the time of the default, a third more bytes
	if err != nil {
		return err
	}
	if err := WriteJSON(z, s); err != nil {
		return err
	}
	return z.Close()
}

// WriteJSON is Write without compression.
func WriteJSON(w io.Writer, s *Snapshot) error {
	out := &writer{w: bufio.NewWriterSize(w, 1<<16), s: s}
	out.open('{')
	out.text("schema", Schema)
	out.number("version", Version)
	out.time("taken", s.Taken)
	if s.Tool != "" {
		out.text("tool", s.Tool)
	}
	out.flag("complete", s.IsComplete())
	out.extra(s.extra[whole{}])
	out.newline()
	out.fabric("fabric", s.Fabric)
	if s.Counters != nil {
		out.array("counters", func() {
			for i := range s.Counters {
				out.item(func() { out.counters(&s.Counters[i]) })
			}
		})
	}
	out.managers()
	if s.Manager != nil {
		out.newline()
		out.fabric("manager", s.Manager)
	}
	out.problems(nil, s.Problems)
	out.b = append(out.b, "\n}\n"...)
	out.flush()
	return out.w.Flush()
}

// writer writes a document line by line, each encoded in one buffer.
type writer struct {
	encoder
	w *bufio.Writer
	s *Snapshot
}

// flush hands the encoded bytes to the buffered output, except the last one, by
// which the encoder tells whether a comma is due. A write error stays with the
// bufio.Writer until its Flush.
func (w *writer) flush() {
	last := len(w.b) - 1
	w.w.Write(w.b[:last])
	w.b = append(w.b[:0], w.b[last])
	if w.b[0] == '\n' {
		w.w.Write(w.b)
		w.b = w.b[:0]
	}
}

// newline begins a line; a comma that is due stands before it.
func (w *writer) newline() {
	w.comma()
	w.b = append(w.b, '\n')
}

// array writes an array whose items have a line each.
func (w *writer) array(name string, items func()) {
	w.newline()
	w.key(name)
	w.open('[')
	items()
	w.close(']')
	w.flush()
}

// item writes an object in a line of its own.
func (w *writer) item(fields func()) {
	w.newline()
	w.open('{')
	fields()
	w.close('}')
	w.flush()
}

// fabric writes a fabric as a member of the document.
func (w *writer) fabric(name string, f *fabric.Fabric) {
	w.key(name)
	w.open('{')
	w.sweep(f)
	if p := f.Start(); p != nil {
		w.pair("start", p.Node().Index(), p.Num())
	}
	w.extra(w.s.extra[f])
	w.array("nodes", func() {
		for n := range f.Nodes() {
			w.item(func() { w.node(f, n) })
		}
	})
	w.problems(f, f.Problems())
	w.close('}')
}

func (w *writer) sweep(f *fabric.Fabric) {
	s := f.Sweep()
	w.key("sweep")
	w.open('{')
	if s.Source != "" {
		w.raw("source", s.Source)
	}
	if s.View != fabric.ByNodes {
		w.text("view", string(s.View))
	}
	w.time("started", s.Started)
	w.nonzero("duration_nanoseconds", int64(s.Duration))
	w.nonzero("smps", int64(s.SMPs))
	w.nonzero("resent", int64(s.Resent))
	w.nonzero("timeouts", int64(s.Timeouts))
	w.nonzero("max_hops", int64(s.MaxHops))
	w.extra(w.s.extra[sweepOf{f}])
	w.close('}')
}

func (w *writer) counters(c *PortCounters) {
	w.number("node", int64(c.Node.Index()))
	w.number("port", int64(c.Port))
	if c.HasMasks {
		w.text("cap_mask", fmt.Sprintf("0x%04x", c.CapMask))
		w.text("cap_mask2", fmt.Sprintf("0x%08x", c.CapMask2))
	}
	w.time("before", c.Before)
	w.time("after", c.After)
	w.key("values")
	w.open('{')
	for i, name := range c.Names {
		w.comma()
		w.b = appendText(w.b, name)
		w.b = append(w.b, ':')
		w.uint(c.Values[i])
	}
	w.close('}')
	if len(c.Saturated) > 0 {
		w.key("saturated")
		w.open('[')
		for _, name := range c.Saturated {
			w.comma()
			w.b = appendText(w.b, name)
		}
		w.close(']')
	}
	w.extra(c.extra)
}
