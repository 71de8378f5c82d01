package trace_test

import (
	"errors"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// shortTables is a transport by which switches say that their tables end before
// the last LID.
type shortTables struct {
	madrpc.Transport
	top ib.LID
}

func (s *shortTables) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := s.Transport.Recv(p)
	if err == nil && p.AttrID() == smp.AttrSwitchInfo {
		var info smp.SwitchInfo
		info.Decode((*[mad.DataSize]byte)(p.Data()[:mad.DataSize]))
		info.LinearFDBTop = uint16(s.top)
		if _, err := info.AppendBinary(p.Data()[:0]); err != nil {
			return from, err
		}
	}
	return from, err
}

// TestTableEnd: what stands in a forwarding table behind the last LID that the
// switch tells means nothing. ibtracert of infiniband-diags follows it.
func TestTableEnd(t *testing.T) {
	model, err := gen.Parse("star?hosts=6")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	const last = 7 // of the LIDs
	tables := &shortTables{port, last}
	client := madrpc.New(tables, nil)
	defer client.Close()
	r := &trace.Tracer{Client: client}
	way := trace.Way{Hop: func(uint8, *trace.Stop) {}, To: func(*trace.Stop) {}}
	if _, err := r.Unicast(t.Context(), ib.DRPath{}, mad.ByLID(last), way); err != nil {
		t.Fatal(err)
	}
	tables.top = last - 1
	_, err = r.Unicast(t.Context(), ib.DRPath{}, mad.ByLID(last), way)
	var bad *trace.Error
	if !errors.As(err, &bad) || bad.Reason != trace.BadTable || bad.Top != last-1 || bad.Out != -1 {
		t.Errorf("%v", err)
	}
}
