package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// channel is one direction of a link: what leaves by a port.
type channel struct {
	node int32
	port uint8
}

// CreditLoop looks for a circle of links that could wait for each other for
// ever: in the channel dependency graph of all ways from switches to the LIDs
// that want accepts; nil are those of adapters and routers. It returns the
// circle's links, each by the port that it leaves by, or nil for none.
func CreditLoop(f *fabric.Fabric, t Table, want func(lid ib.LID, owner *fabric.Port) bool) []*fabric.Port {
	if want == nil {
		want = func(_ ib.LID, owner *fabric.Port) bool { return !isSwitch(owner.Node()) }
	}
	waits := map[channel]map[channel]*fabric.Port{}
	for owner := range f.Ports() {
		if owner.LID() == 0 || isSwitch(owner.Node()) && owner.Num() != 0 {
			continue
		}
		for i := range 1 << owner.LMC() {
			if lid := owner.LID() + ib.LID(i); want(lid, owner) {
				addDependencies(f, t, lid, waits)
			}
		}
	}
	return findCircle(waits)
}

func addDependencies(f *fabric.Fabric, t Table, lid ib.LID, waits map[channel]map[channel]*fabric.Port) {
	for sw := range f.Switches() {
		first := output(sw, t.Next(sw, lid))
		if first == nil || !isSwitch(first.Remote().Node()) {
			continue
		}
		peer := first.Remote().Node()
		second := output(peer, t.Next(peer, lid))
		if second == nil || !isSwitch(second.Remote().Node()) {
			continue
		}
		from := channelOf(first)
		if waits[from] == nil {
			waits[from] = map[channel]*fabric.Port{}
		}
		waits[from][channelOf(second)] = second
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

func channelOf(p *fabric.Port) channel { return channel{int32(p.Node().Index()), uint8(p.Num())} }

// findCircle searches depth-first.
func findCircle(waits map[channel]map[channel]*fabric.Port) []*fabric.Port {
	state := map[channel]walked{}
	var way []*fabric.Port
	var visit func(c channel) []*fabric.Port
	visit = func(c channel) []*fabric.Port {
		state[c] = underway
		for next, port := range waits[c] {
			way = append(way, port)
			switch state[next] {
			case underway:
				return circleOf(way, next)
			case notWalked:
				if found := visit(next); found != nil {
					return found
				}
			}
			way = way[:len(way)-1]
		}
		state[c] = arrives
		return nil
	}
	for c := range waits {
		if state[c] == notWalked {
			way = way[:0]
			if found := visit(c); found != nil {
				return found
			}
		}
	}
	return nil
}

// circleOf cuts off what leads into the circle, whose last link is c.
func circleOf(way []*fabric.Port, c channel) []*fabric.Port {
	for i := len(way) - 2; i >= 0; i-- {
		if channelOf(way[i]) == c {
			return way[i+1:]
		}
	}
	return way
}
