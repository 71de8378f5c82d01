package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// CreditLoop looks for a circle of links that could wait for each other for
// ever: in the channel dependency graph of all ways from switches to the LIDs
// that want accepts; nil are those of adapters and routers. It returns the
// circle's links, each by the port that it leaves by, or nil for none.
//
// Examine looks at the ways that packets of adapters take, and tells all loops.
func CreditLoop(f *fabric.Fabric, t Table, want func(lid ib.LID, owner *fabric.Port) bool) []*fabric.Port {
	if want == nil {
		want = func(_ ib.LID, owner *fabric.Port) bool { return !isSwitch(owner.Node()) }
	}
	d := newDependencies(f, 1)
	for owner := range f.Ports() {
		if owner.LID() == 0 || isSwitch(owner.Node()) && owner.Num() != 0 {
			continue
		}
		for i := range 1 << owner.LMC() {
			if lid := owner.LID() + ib.LID(i); want(lid, owner) {
				d.addAll(f, t, lid)
			}
		}
	}
	knots := d.knots()
	if len(knots) == 0 {
		return nil
	}
	var list []*fabric.Port
	for _, w := range d.circle(knots[0]) {
		list = append(list, w.Port)
	}
	return list
}

// addAll adds what waits on the ways from all switches to a LID.
func (d *dependencies) addAll(f *fabric.Fabric, t Table, lid ib.LID) {
	for sw := range f.Switches() {
		first := output(sw, t.Next(sw, lid))
		if first == nil || !isSwitch(first.Remote().Node()) {
			continue
		}
		peer := first.Remote().Node()
		second := output(peer, t.Next(peer, lid))
		if second != nil && isSwitch(second.Remote().Node()) {
			d.add(d.channel(first, 0), d.channel(second, 0), lid)
		}
	}
}

func output(sw *fabric.Node, num uint8) *fabric.Port {
	if num == 0 || num == NoPort {
		return nil
	}
	if p := sw.Port(int(num)); p != nil && p.Remote() != nil {
		return p
	}
	return nil
}
