package discover_test

import (
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestAroundAdapter: the link of an adapter that the sweep begins at, by a directed
// route, ends at the right port of the switch.
func TestAroundAdapter(t *testing.T) {
	model, err := gen.Parse("fattree?levels=2&radix=8")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := func(o *discover.Options) *fabric.Fabric {
		p, err := s.Attach(nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := discover.Run(t.Context(), p, o)
		if err != nil || !f.IsComplete() {
			t.Fatal(err, f.Problems())
		}
		return f
	}
	for n := range run(nil).CAs() {
		path, _ := n.Path()
		f := run(&discover.Options{From: mad.ByPath(path), MaxHops: 1})
		got, ok := f.PortByGUID(n.Port(1).GUID())
		if want := n.Port(1).Remote(); !ok || got.Remote() == nil || got.Remote().Num() != want.Num() || got.Remote().Node().GUID() != want.Node().GUID() {
			t.Errorf("%s: its link ends at the wrong port", path)
		}
	}
}
