package ownpath_test

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/ownpath"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// open simulates a topology with a subnet manager.
func open(t *testing.T, topology string) (*madrpc.Client, *fabric.Fabric) {
	t.Helper()
	model, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sm.Start(f, nil); err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, &madrpc.Options{Timeout: 100 * time.Millisecond})
	t.Cleanup(func() { client.Close() })
	return client, model
}

// check compares the ports with those of the links that the model has on a way.
func check(t *testing.T, name string, got ownpath.Ports, want map[*fabric.Port]ownpath.Role) {
	t.Helper()
	for p, role := range want {
		if found, ok := got.Find(p.Node().GUID(), p.Num()); !ok || found.Role != role {
			t.Errorf("%s: port %d of %s: %+v, want role %d", name, p.Num(), p.Node().Description(), found, role)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d ports, want %d: %+v", name, len(got), len(want), got)
	}
}

func TestDirected(t *testing.T) {
	client, model := open(t, "fattree?radix=4&levels=2")
	own := model.Start()
	leaf := own.Remote().Node()
	var up, down *fabric.Port
	for num := 1; num <= leaf.NumPorts(); num++ {
		switch p := leaf.Port(num); {
		case p == nil || p.Remote() == nil || p == own.Remote():
		case p.Remote().Node().Type() == ib.NodeSwitch:
			up = p
		default:
			down = p
		}
	}
	ends := map[*fabric.Port]ownpath.Role{own: ownpath.Local, own.Remote(): ownpath.Peer}
	for name, path := range map[string][]int{"own node": nil, "leaf": {1}} {
		route, err := ib.NewDRPath(path...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ownpath.To(t.Context(), client, mad.ByPath(route))
		if err != nil {
			t.Fatal(err)
		}
		check(t, name, got, ends)
	}
	ends[up], ends[up.Remote()] = ownpath.Between, ownpath.Between
	route, _ := ib.NewDRPath(1, up.Num())
	got, err := ownpath.To(t.Context(), client, mad.ByPath(route))
	if err != nil {
		t.Fatal(err)
	}
	check(t, "spine", got, ends)
	if _, ok := got.Find(leaf.GUID(), down.Num()); ok {
		t.Error("a port beside the way counts")
	}
	if _, err := ownpath.To(t.Context(), client, mad.ByPath(mustPath(t, 1, leaf.NumPorts()+1))); err == nil {
		t.Error("a route to nowhere is no error")
	}
}

func mustPath(t *testing.T, hops ...int) ib.DRPath {
	t.Helper()
	path, err := ib.NewDRPath(hops...)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRouted follows the tables with the model's own ports, there and back.
func TestRouted(t *testing.T) {
	client, model := open(t, "fattree?radix=4&levels=2")
	own := model.Start()
	info, err := ownpath.To(t.Context(), client, mad.Target{})
	if err != nil || len(info) != 2 {
		t.Fatalf("%+v, %v", info, err)
	}
	lids := lidsOf(t, client)
	for n := range model.Nodes() {
		lid := lids[n.GUID()]
		got, err := ownpath.To(t.Context(), client, mad.ByLID(lid))
		if err != nil {
			t.Fatalf("%s: %v", n.Description(), err)
		}
		want := map[ib.GUID]bool{n.GUID(): true, own.Node().GUID(): true, own.Remote().Node().GUID(): true}
		for _, p := range got {
			delete(want, p.Node)
		}
		if len(want) != 0 && n != own.Node() {
			t.Errorf("%s: %v is missing in %+v", n.Description(), want, got)
		}
	}
}

// TestCombined: LID routed up to the own leaf, directed behind.
func TestCombined(t *testing.T) {
	client, model := open(t, "star?hosts=3")
	own := model.Start()
	sw := own.Remote().Node()
	var other *fabric.Port
	for num := 1; num <= sw.NumPorts(); num++ {
		if p := sw.Port(num); p != nil && p != own.Remote() && p.Remote() != nil {
			other = p
		}
	}
	lids := lidsOf(t, client)
	to := mad.Target{LID: lids[sw.GUID()], SLID: lids[own.Node().GUID()], Path: mustPath(t, other.Num()), Directed: true}
	got, err := ownpath.To(t.Context(), client, to)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "combined", got, map[*fabric.Port]ownpath.Role{
		own: ownpath.Local, own.Remote(): ownpath.Peer, other: ownpath.Between, other.Remote(): ownpath.Between,
	})
}
