package diff

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// comparePorts lists the differences of ports, of the nodes that both have.
func (c *comparison) comparePorts() {
	for i := range c.inA {
		a, b := c.inA[i], c.inB[i]
		if a == nil || b == nil {
			continue
		}
		for port := range max(a.NumPorts(), b.NumPorts()) + 1 {
			c.comparePort(a.Port(port), b.Port(port), c.touched[end{id(i), uint8(port)}])
		}
	}
}

// comparePort compares a port. Where the link is not the same, what follows from
// that is left out.
func (c *comparison) comparePort(a, b *fabric.Port, touched bool) {
	hasA, hasB := a != nil && a.InfoBytes() != nil, b != nil && b.InfoBytes() != nil
	switch {
	case hasA && hasB:
		c.compareOwn(a, b)
		if !touched {
			c.compareState(a, b)
		}
	case touched:
	case hasA && b == nil:
		c.add(Change{Subject: Port, Op: OnlyA, A: at(a)})
	case hasB && a == nil:
		c.add(Change{Subject: Port, Op: OnlyB, B: at(b)})
	}
}

// compareOwn compares what a port is.
func (c *comparison) compareOwn(a, b *fabric.Port) {
	differ := func(f Field, before, now string) { c.differ(Port, at(a), at(b), f, before, now) }
	if a.GUID() != b.GUID() {
		differ(PortGUID, a.GUID().String(), b.GUID().String())
	}
	if a.Num() == 0 || a.Node().Type() != ib.NodeSwitch {
		if a.LID() != b.LID() {
			differ(LID, lidText(a.LID()), lidText(b.LID()))
		}
		if a.LMC() != b.LMC() {
			differ(LMC, strconv.Itoa(int(a.LMC())), strconv.Itoa(int(b.LMC())))
		}
	}
	if a.Supported() != b.Supported() {
		differ(Supported, rates(a.Supported()), rates(b.Supported()))
	}
	if a.Enabled() != b.Enabled() {
		differ(Enabled, rates(a.Enabled()), rates(b.Enabled()))
	}
}

// compareState compares how a port stands.
func (c *comparison) compareState(a, b *fabric.Port) {
	differ := func(f Field, before, now string) { c.differ(Port, at(a), at(b), f, before, now) }
	before, _ := a.Info()
	now, _ := b.Info()
	if before.State != now.State {
		differ(State, before.State.String(), now.State.String())
	}
	if before.PhysState != now.PhysState {
		differ(PhysState, before.PhysState.String(), now.PhysState.String())
	}
	if before.NeighborMTU != now.NeighborMTU {
		differ(MTU, before.NeighborMTU.String(), now.NeighborMTU.String())
	}
}

func lidText(l ib.LID) string { return strconv.Itoa(int(l)) }

func rates(r fabric.LinkRate) string { return fmt.Sprintf("%s, %s", r.Width, r.Speed) }
