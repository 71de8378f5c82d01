package perf

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// kind is what the agent of a node can do. It follows from the type of the node
// and the generation of its fastest port: hardware from FDR on counts errors by
// lane, from EDR on all that there is.
type kind struct {
	capMask  uint16
	capMask2 uint32
	isSwitch bool
	isFDR    bool // or newer
	first    int  // port that AllPortSelect begins with
}

func kindOfNode(n *fabric.Node) kind {
	k := kind{capMask: pma.CapExtendedWidth | pma.CapXmitWait, first: 1}
	if k.isSwitch = n.Type() == ib.NodeSwitch; k.isSwitch {
		k.capMask |= pma.CapAllPortSelect
		if info, ok := n.SwitchInfo(); ok && info.EnhancedPort0 {
			k.first = 0
		}
	}
	best := 0
	for p := range n.Ports() {
		best = max(best, p.Active().Speed.Rank(), p.Supported().Speed.Max().Rank())
	}
	k.isFDR = best >= ib.SpeedFDR.Rank()
	if best >= ib.SpeedEDR.Rank() {
		k.capMask |= pma.CapRSFECCounters | pma.CapQP1Dropped
		k.capMask2 |= pma.Cap2AdditionalExtCounters
	}
	return k
}

// classPortInfo is the answer to a Get of it.
func (k *kind) classPortInfo(data []byte) {
	v := pma.ClassPortInfo{ClassPortInfo: gs.ClassPortInfo{
		BaseVersion: 1, ClassVersion: 1, RespTimeValue: gmp.RespTime,
		CapMask: k.capMask, CapMask2: k.capMask2,
	}}
	clear(data)
	v.Encode((*[72]byte)(data))
}

// has tells which counters of an attribute there are, as bits of its mask.
func (k *kind) has(l *layout) uint64 {
	switch {
	case l.mask == extendedMask && k.capMask2&pma.Cap2AdditionalExtCounters == 0:
		return 0xff
	case l.mask == countersMask && k.capMask&pma.CapQP1Dropped == 0:
		return ^pma.SelectPortCountersQP1Dropped
	}
	return ^uint64(0)
}

// layout finds how an attribute looks at a port; nil when the node has none of
// that name.
func (c *Counters) layout(n *fabric.Node, port int, attr uint16) *layout {
	if attr >= maxAttr {
		return nil
	}
	l, k := c.byID[attr], &c.kinds[n.Index()]
	switch attr {
	case uint16(pma.AttrPortExtendedSpeedsCounters):
		if !k.isFDR {
			return nil
		}
		if hasReedSolomon(n.Port(port)) {
			return c.rsFEC
		}
	case uint16(pma.AttrSwPortVLCongestion):
		if !k.isSwitch {
			return nil
		}
	}
	return l
}

// hasReedSolomon: links from EDR on correct errors that way.
func hasReedSolomon(p *fabric.Port) bool {
	return p != nil && p.Remote() != nil && p.Active().Speed.Rank() >= ib.SpeedEDR.Rank()
}
