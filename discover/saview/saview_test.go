package saview_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/discover/saview"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/mad"
	records "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// managed is a simulated fabric with a subnet manager that looks when told.
type managed struct {
	sim     *sim.Fabric
	manager *sm.Manager
	port    *sim.Port
}

func manage(t *testing.T, uri string) *managed {
	t.Helper()
	model, err := gen.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	m := &managed{}
	if m.sim, err = sim.New(model, &sim.Options{NoTraps: true}); err != nil {
		t.Fatal(err)
	}
	if m.manager, err = sm.Start(m.sim, nil); err != nil {
		t.Fatal(err)
	}
	agent, err := sa.Start(m.manager)
	if err != nil {
		t.Fatal(err)
	}
	if m.port, err = m.sim.Attach(nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = agent.Close()
		_ = m.manager.Close()
		m.sim.Close()
	})
	return m
}

// TestSameAsSweep: a manager that has just looked knows what a sweep finds, and the
// nodes come in the same order, with the same ways.
func TestSameAsSweep(t *testing.T) {
	for _, uri := range []string{
		"fattree?levels=3&radix=8&hosts=40", "torus?dims=3x3", "gpupod?units=1&storage=4", "dragonfly+?groups=2&leaves=2",
		"xdrplanes?hosts=8&radix=8", "subnets?subnets=2", "star?hosts=2",
	} {
		m := manage(t, uri)
		c := madrpc.New(m.port, nil)
		swept, err := discover.Walk(t.Context(), c, &discover.Options{NoExtendedPortInfo: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := saview.Read(t.Context(), c, &saview.Options{Source: uri})
		if err != nil || len(got.Problems()) > 0 {
			t.Errorf("%s: %v, %v", uri, err, got.Problems())
		}
		for _, change := range diff.Compare(swept, got, nil) {
			t.Errorf("%s: %+v", uri, change)
		}
		if d := cmp.Diff(order(swept), order(got)); d != "" {
			t.Errorf("%s: (-sweep +manager)\n%s", uri, d)
		}
		if s := got.Sweep(); s.View != fabric.ByManager || s.Source != uri || s.SMPs != 0 {
			t.Errorf("%s: %+v", uri, s)
		}
		_ = c.Close()
	}
}

// order are the nodes with the ways to them. A sweep goes on from ports in the
// order of their numbers, and so does the walk along the records.
func order(f *fabric.Fabric) []string {
	var list []string
	for n := range f.Nodes() {
		path, _ := n.Path()
		list = append(list, n.GUID().String()+" "+path.String())
	}
	return list
}

// TestManagerIsBehind: what the manager has not noticed is not in its view.
func TestManagerIsBehind(t *testing.T) {
	m := manage(t, "fattree?levels=2&radix=4")
	c := madrpc.New(m.port, nil)
	defer c.Close()
	node, err := find(m.sim.Model(), "node0003 mlx5_0")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.sim.SetNodeDescription(node, "renamed"); err != nil {
		t.Fatal(err)
	}
	if err := m.sim.Unlink(sim.Place{Node: node, Port: 1}); err != nil {
		t.Fatal(err)
	}
	compare := func() (ops []diff.Op) {
		swept, err := discover.Walk(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		managed, err := saview.Read(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range diff.Compare(swept, managed, nil) {
			ops = append(ops, change.Op)
		}
		return ops
	}
	before := compare()
	m.manager.Sweep()
	if after := compare(); len(after) > 0 {
		t.Errorf("after the manager has looked: %v", after)
	}
	t.Log(before)
}

func find(f *fabric.Fabric, description string) (*fabric.Node, error) {
	for n := range f.Nodes() {
		if n.Description() == description {
			return n, nil
		}
	}
	return nil, errors.New("no node " + description)
}

// deaf is a transport that loses queries of an attribute.
type deaf struct {
	madrpc.Transport
	attr mad.AttrID
}

func (d *deaf) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if p.Class() == mad.ClassSubnAdm && p.AttrID() == d.attr {
		return nil
	}
	return d.Transport.Send(p, to, timeout)
}

// TestPartial: a table that does not come costs what is in it, and is a problem.
func TestPartial(t *testing.T) {
	for _, lost := range []mad.AttrID{
		new(records.NodeRecord).AttrID(), new(records.PortInfoRecord).AttrID(),
		new(records.LinkRecord).AttrID(), new(records.SwitchInfoRecord).AttrID(),
	} {
		synctest.Test(t, func(t *testing.T) {
			m := manage(t, "fattree?levels=2&radix=4")
			c := madrpc.New(&deaf{m.port, lost}, nil)
			defer c.Close()
			f, err := saview.Read(t.Context(), c, nil)
			if lost == new(records.NodeRecord).AttrID() {
				if err == nil || f.NumNodes() > 0 {
					t.Errorf("without nodes: %d nodes, %v", f.NumNodes(), err)
				}
				return
			}
			if err != nil || f.NumNodes() != 14 || f.IsComplete() {
				t.Errorf("attribute %#x: %d nodes, %v, %v", lost, f.NumNodes(), f.Problems(), err)
			}
			for _, p := range f.Problems() {
				if p.Kind != fabric.NoReply || p.Attr != lost {
					t.Errorf("attribute %#x: %v", lost, p)
				}
			}
		})
	}
}

func TestNoManager(t *testing.T) {
	model, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, &sim.Options{Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := madrpc.New(port, nil)
	defer c.Close()
	if f, err := saview.Read(t.Context(), c, nil); !errors.Is(err, resolve.ErrNoManager) || f == nil {
		t.Errorf("%v", err)
	}
}

func TestCancelled(t *testing.T) {
	m := manage(t, "star?hosts=2")
	c := madrpc.New(m.port, nil)
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := saview.Read(ctx, c, nil); !errors.Is(err, context.Canceled) || f == nil {
		t.Errorf("%v", err)
	}
}
