package discover_test

import (
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// TestRefreshDoubt: a refresh finds at once what it would see in turn only, where
// somebody has told it to look.
func TestRefreshDoubt(t *testing.T) {
	w := watch(t, smallTree(t))
	var at sim.Place
	for l := range w.sim.Model().Links() {
		if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			at = sim.Place{Node: l.A.Node(), Port: l.A.Num()}
		}
	}
	if err := w.sim.LimitLink(at, fabric.LinkRate{Width: ib.Width1x}); err != nil {
		t.Fatal(err)
	}
	w.manager.Sweep() // it clears the flag of the switch
	width := func(f *fabric.Fabric) ib.LinkWidth {
		n, _ := f.NodeByGUID(w.sim.GUID(at.Node))
		return n.Port(at.Port).Active().Width
	}
	full := w.known.Sweep().SMPs
	if got := width(w.refresh(discover.RefreshOptions{Round: 1})); got != ib.Width4x {
		t.Fatalf("without being told it has found %s", got)
	}
	now := w.refresh(discover.RefreshOptions{Doubt: func(p *fabric.Port) bool {
		return p.Node().GUID() == w.sim.GUID(at.Node) && p.Num() == at.Port
	}})
	if got := width(now); got != ib.Width1x || now.Sweep().SMPs > full/2 {
		t.Errorf("width %s, by %d SMPs; a sweep takes %d", got, now.Sweep().SMPs, full)
	}
}
