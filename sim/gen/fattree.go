package gen

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of fat trees.
const (
	maxLevels  = 8
	maxRails   = 16
	maxHCAs    = 16
	maxVFs     = 254
	maxOversub = 64
)

// FatTreeOptions describe a fat tree. Zero fields have the defaults given.
type FatTreeOptions struct {
	Levels  int          // of switches, 1…8; 2
	Radix   int          // ports of a switch, even, 2…254; 40, split 80 or 128
	Hosts   int          // as many as fit
	HCAs    int          // adapters of a host, a multiple of Rails, 1…16; Rails
	Rails   int          // leaf switches that the adapters of a host are spread over, 1…16; 1
	Uplinks int          // of a leaf switch; half the radix, which does not block
	Oversub float64      // instead of Uplinks: ports down of a leaf for each up, 1…64
	Speed   ib.LinkSpeed // one of SDR…XDR; HDR
	Width   ib.LinkWidth // 4x, split 2x
	Split   bool         // each port is split into two of 2x, as HDR and NDR switches can
	SHARP   bool         // an aggregation node on one more port of each switch; from EDR on
	VFs     int          // virtual ports of an adapter, 0…254; 0
}

// FatTree makes a folded Clos network: leaf switches with hosts, and levels of
// switches above, with half the ports down and half up, but for the top level
// that has all its ports down. A tree with fewer hosts than fit has only the
// switches that they need; the top level then has several cables to each switch
// below it, so that it uses few switches and still does not block.
//
// With n = Radix/2 a full tree has 2·n^Levels adapters. With several rails, leaf
// switches come in groups of one for each rail, and adapter k of a host is on
// the leaf of rail k mod Rails. One with more nodes than the 49,151 unicast LIDs
// has ports without a LID. Parameters that cannot be are an Error.
func FatTree(o FatTreeOptions) (*fabric.Fabric, error) {
	t := fatTree{FatTreeOptions: o}
	if err := t.check(); err != nil {
		return nil, err
	}
	p, err := t.newPlan()
	if err != nil {
		return nil, err
	}
	t.plan, t.host, t.tier = &p, t.addHCA, p.newSwitch
	t.wire()
	return p.finish()
}

// fatTree is a fat tree being planned.
type fatTree struct {
	FatTreeOptions
	*plan
	host   func(host, hca int) end          // makes an adapter of a host, both from 0
	tier   func(name string, ports int) int // makes a switch
	prefix string                           // of the names of switches
	half   int
	counts [maxLevels + 1]int // switches planned, by level
}

const fatTreeOp = "fattree"

func (t *fatTree) check() error {
	if err := t.setDefaults(); err != nil {
		return err
	}
	switch {
	case t.Levels < 1 || t.Levels > maxLevels:
		return outOfRange(fatTreeOp, "levels", t.Levels, 1, maxLevels)
	case t.Levels > 1 && (t.Uplinks < 1 || t.Uplinks > t.Radix-1):
		return outOfRange(fatTreeOp, "uplinks", t.Uplinks, 1, t.Radix-1)
	case t.VFs < 0 || t.VFs > maxVFs:
		return outOfRange(fatTreeOp, "vfs", t.VFs, 0, maxVFs)
	}
	if err := t.checkRails(); err != nil {
		return err
	}
	fit := t.capacity()
	if fit < 1 { // only rails use up the leaves without a host
		return &Error{Op: fatTreeOp, Param: "rails", Value: fmt.Sprint(t.Rails), Detail: fmt.Sprintf(
			"needs as many leaves for a host, but radix=%d and levels=%d give less", t.Radix, t.Levels)}
	}
	fill(&t.Hosts, fit)
	if t.Hosts < 1 || t.Hosts > min(fit, maxHosts/t.HCAs) {
		return outOfRange(fatTreeOp, "hosts", t.Hosts, 1, min(fit, maxHosts/t.HCAs))
	}
	if n := t.switchCount(); n*t.Radix > maxPorts {
		return &Error{Op: fatTreeOp, Param: "levels", Value: fmt.Sprint(t.Levels), Detail: fmt.Sprintf(
			"needs %d switches with radix=%d, but must not need more than %d", n, t.Radix, maxPorts/t.Radix)}
	}
	return nil
}

func (t *fatTree) checkRails() error {
	const op = fatTreeOp
	switch {
	case t.Rails < 1 || t.Rails > maxRails:
		return outOfRange(op, "rails", t.Rails, 1, maxRails)
	case t.HCAs < 1 || t.HCAs > maxHCAs:
		return outOfRange(op, "hcas", t.HCAs, 1, maxHCAs)
	case t.HCAs%t.Rails != 0:
		return &Error{Op: op, Param: "hcas", Value: fmt.Sprint(t.HCAs), Detail: fmt.Sprintf("must be a multiple of rails=%d", t.Rails)}
	case t.Rails > 1 && t.Levels == 1:
		return &Error{Op: op, Param: "rails", Value: fmt.Sprint(t.Rails), Detail: "needs levels=2 at least, to join them"}
	case t.down() < t.perLeaf():
		return &Error{Op: op, Param: "hcas", Value: fmt.Sprint(t.HCAs), Detail: fmt.Sprintf(
			"must be at most %d, for a leaf has %d ports for hosts", t.down()*t.Rails, t.down())}
	}
	return nil
}

// newPlan starts the plan of the tree's hardware.
func (t *fatTree) newPlan() (plan, error) {
	p, err := newPlan(fatTreeOp, t.Speed, t.Width)
	if err != nil {
		return p, err
	}
	p.vfs = t.VFs
	if t.SHARP {
		err = p.setSharp(fatTreeOp, t.Radix)
	}
	return p, err
}

func (t *fatTree) setDefaults() error {
	fill(&t.Speed, ib.SpeedHDR)
	if t.Split {
		if t.Speed != ib.SpeedHDR && t.Speed != ib.SpeedNDR {
			return &Error{Op: fatTreeOp, Param: "split", Value: "yes", Detail: "needs speed=hdr or ndr"}
		}
		fill(&t.Width, ib.Width2x)
		if t.Radix == 0 && t.Speed == ib.SpeedNDR {
			t.Radix = 128
		}
		fill(&t.Radix, 80)
	}
	fill(&t.Levels, 2)
	fill(&t.Radix, 40)
	fill(&t.Rails, 1)
	fill(&t.HCAs, t.Rails)
	switch {
	case t.Radix < 2 || t.Radix > maxRadix:
		return outOfRange(fatTreeOp, "radix", t.Radix, 2, maxRadix)
	case t.Radix%2 != 0:
		return &Error{Op: fatTreeOp, Param: "radix", Value: fmt.Sprint(t.Radix), Detail: "must be even"}
	}
	t.half = t.Radix / 2
	return t.setUplinks()
}

func (t *fatTree) setUplinks() error {
	switch {
	case t.Oversub == 0:
		fill(&t.Uplinks, t.half)
		return nil
	case t.Uplinks != 0:
		return &Error{Op: fatTreeOp, Param: "uplinks", Value: fmt.Sprint(t.Uplinks), Detail: "is what oversub says already"}
	case !(t.Oversub >= 1 && t.Oversub <= maxOversub):
		return &Error{Op: fatTreeOp, Param: "oversub", Value: fmt.Sprint(t.Oversub), Detail: fmt.Sprintf("must be 1…%d", maxOversub)}
	}
	t.Uplinks = max(1, int(float64(t.Radix)/(1+t.Oversub)+1e-9))
	return nil
}
