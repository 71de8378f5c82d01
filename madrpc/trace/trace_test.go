package trace_test

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// rig is a simulated fabric with a tracer at its first host.
type rig struct {
	*trace.Tracer
	model *fabric.Fabric
	ends  []*fabric.Port // of the adapters, the first being the own one
}

func newRig(t *testing.T, uri string, faults func(*fabric.Fabric) []sim.Fault) *rig {
	t.Helper()
	model, err := gen.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	o := &sim.Options{}
	if faults != nil {
		o.Faults = faults(model)
	}
	f, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, &madrpc.Options{Timeout: 20 * time.Millisecond, Retries: 1})
	t.Cleanup(func() { client.Close() })
	r := &rig{Tracer: &trace.Tracer{Client: client}, model: model, ends: []*fabric.Port{model.Start()}}
	for n := range model.CAs() {
		if p := n.Port(1); p != nil && p != model.Start() {
			r.ends = append(r.ends, p)
		}
	}
	return r
}

func TestUnicast(t *testing.T) {
	r := newRig(t, "fattree?levels=3&radix=4&hosts=16", nil)
	for _, goal := range r.ends {
		var nodes []ib.GUID
		at := r.ends[0]
		way := trace.Way{
			Hop: func(out uint8, s *trace.Stop) {
				if far := at.Node().Port(int(out)).Remote(); far.Node().GUID() != s.Node.NodeGUID || far.Num() != int(s.Num) {
					t.Errorf("port %d of %s does not lead to %s port %d", out, at.Node().GUID(), s.Node.NodeGUID, s.Num)
				}
				n, _ := r.model.NodeByGUID(s.Node.NodeGUID)
				at = n.Port(int(s.Num))
				nodes = append(nodes, s.Node.NodeGUID)
			},
			To: func(s *trace.Stop) { nodes = append(nodes, s.Node.NodeGUID) },
		}
		path, err := r.Unicast(t.Context(), ib.DRPath{}, mad.ByLID(goal.LID()), way)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(nodes); nodes[n-1] != goal.Node().GUID() || n > 1 && nodes[n-2] != nodes[n-1] {
			t.Errorf("to %s by %v", goal.Node().GUID(), nodes)
		}
		if path.Len() != len(nodes)-1 {
			t.Errorf("path %s for %d hops", path, len(nodes)-1)
		}
	}
}

// TestEnds has ways that end too early.
func TestEnds(t *testing.T) {
	const uri = "fattree?levels=2&radix=4&hosts=8"
	last := func(f *fabric.Fabric) *fabric.Node {
		list := slices.Collect(f.CAs())
		return list[len(list)-1]
	}
	for _, tt := range []struct {
		name  string
		fault func(f *fabric.Fabric) sim.Fault
		want  trace.Reason
		is    error
	}{
		{"goal dead", func(f *fabric.Fabric) sim.Fault { return sim.Fault{Kind: sim.DeadSMA, Node: last(f).GUID()} }, trace.EndUnreachable, os.ErrDeadlineExceeded},
		{"table refused", func(f *fabric.Fabric) sim.Fault {
			return sim.Fault{Kind: sim.BadStatus, Node: f.Start().Remote().Node().GUID(), Attr: smp.AttrLinearForwardingTable, Status: mad.StatusInvalidValue}
		}, trace.BadTable, mad.StatusInvalidValue},
		{"no top", func(f *fabric.Fabric) sim.Fault {
			return sim.Fault{Kind: sim.ZeroData, Node: f.Start().Remote().Node().GUID(), Attr: smp.AttrSwitchInfo}
		}, trace.BadTable, nil},
		{"port down", func(f *fabric.Fabric) sim.Fault {
			return sim.Fault{Kind: sim.ZeroData, Node: f.Start().Node().GUID(), Attr: smp.AttrPortInfo}
		}, trace.BadPort, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, uri, func(f *fabric.Fabric) []sim.Fault { return []sim.Fault{tt.fault(f)} })
			failed := 0
			r.Failed = func(error) { failed++ }
			_, err := r.Unicast(t.Context(), ib.DRPath{}, mad.ByLID(last(r.model).Port(1).LID()), trace.Way{})
			var e *trace.Error
			if !errors.As(err, &e) || e.Reason != tt.want || tt.is != nil && !errors.Is(err, tt.is) || err.Error() == "" {
				t.Errorf("%v, want reason %d", err, tt.want)
			}
			if failed != 0 != (tt.is != nil) {
				t.Errorf("told of %d failed requests", failed)
			}
		})
	}
}

func TestMulticastNotMember(t *testing.T) {
	r := newRig(t, "fattree?levels=2&radix=4&hosts=8", nil)
	for _, goal := range r.ends[:2] {
		stops, err := r.Multicast(t.Context(), ib.DRPath{}, mad.ByLID(goal.LID()), 0xc000)
		var e *trace.Error
		if !errors.As(err, &e) || e.Reason != trace.NotMember && e.Reason != trace.AdapterItself || stops != nil {
			t.Errorf("%v, %v", stops, err)
		}
	}
}
