package gen

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of fat trees.
const (
	maxLevels = 8
	maxRadix  = 254
	maxHosts  = 1 << 20
	maxPorts  = 1 << 23 // of all switches
)

// FatTreeOptions describe a fat tree. Zero fields have the defaults given.
type FatTreeOptions struct {
	Levels  int          // of switches, 1…8; 2
	Radix   int          // ports of a switch, even, 2…254; 40
	Hosts   int          // as many as fit
	Uplinks int          // of a leaf switch; half the radix, which does not block
	Speed   ib.LinkSpeed // one of SDR…XDR; HDR
	Width   ib.LinkWidth // 4x
}

// FatTree makes a folded Clos network: leaf switches with hosts, and levels of
// switches above, with half the ports down and half up, but for the top level
// that has all its ports down. A tree with fewer hosts than fit has only the
// switches that they need; the top level then has several cables to each switch
// below it, so that it uses few switches and still does not block.
//
// With n = Radix/2 a full tree has 2·n^Levels hosts. One with more nodes than
// the 49,151 unicast LIDs has ports without a LID. Parameters that cannot be
// are an Error.
func FatTree(o FatTreeOptions) (*fabric.Fabric, error) {
	t := fatTree{FatTreeOptions: o}
	if err := t.check(); err != nil {
		return nil, err
	}
	t.wire()
	return t.build(), nil
}

// fatTree is a fat tree being planned.
type fatTree struct {
	FatTreeOptions
	plan
	half    int
	planned int // hosts
	counts  [maxLevels + 1]int
}

const fatTreeOp = "fattree"

func (t *fatTree) check() error {
	t.setDefaults()
	switch {
	case t.Levels < 1 || t.Levels > maxLevels:
		return outOfRange(fatTreeOp, "levels", t.Levels, 1, maxLevels)
	case t.Radix < 2 || t.Radix > maxRadix:
		return outOfRange(fatTreeOp, "radix", t.Radix, 2, maxRadix)
	case t.Radix%2 != 0:
		return &Error{Op: fatTreeOp, Param: "radix", Value: fmt.Sprint(t.Radix), Detail: "must be even"}
	case t.Levels > 1 && (t.Uplinks < 1 || t.Uplinks > t.Radix-1):
		return outOfRange(fatTreeOp, "uplinks", t.Uplinks, 1, t.Radix-1)
	}
	fit := t.capacity()
	if t.Hosts == 0 {
		t.Hosts = fit
	}
	if t.Hosts < 1 || t.Hosts > min(fit, maxHosts) {
		return outOfRange(fatTreeOp, "hosts", t.Hosts, 1, min(fit, maxHosts))
	}
	if n := t.switchCount(); n*t.Radix > maxPorts {
		return &Error{Op: fatTreeOp, Param: "levels", Value: fmt.Sprint(t.Levels), Detail: fmt.Sprintf(
			"needs %d switches with radix=%d, but must not need more than %d", n, t.Radix, maxPorts/t.Radix)}
	}
	return t.checkHardware()
}

// switchCount is about how many switches the tree has.
func (t *fatTree) switchCount() int {
	n, row := 0, 1
	for level := 1; level < t.Levels; level++ {
		full := t.blockHosts(level)
		n += (t.Hosts + full - 1) / full * row
		if level == 1 {
			row = t.Uplinks
		} else {
			row *= t.half
		}
		if n > maxPorts {
			break
		}
	}
	return n
}

func (t *fatTree) setDefaults() {
	fill(&t.Levels, 2)
	fill(&t.Radix, 40)
	fill(&t.Uplinks, t.Radix/2)
	t.half = t.Radix / 2
}

func (t *fatTree) checkHardware() error {
	var err error
	t.plan, err = newPlan(fatTreeOp, t.Speed, t.Width)
	return err
}

// newPlan starts a plan of hardware of that speed and width; 0 are HDR and 4x.
func newPlan(op string, speed ib.LinkSpeed, width ib.LinkWidth) (plan, error) {
	fill(&speed, ib.SpeedHDR)
	fill(&width, ib.Width4x)
	g, ok := generationOf(speed)
	if !ok {
		return plan{}, &Error{Op: op, Param: "speed", Value: strings.ToLower(speed.String()), Detail: "must be one of " + speedNames()}
	}
	if width.Lanes() == 0 {
		return plan{}, &Error{Op: op, Param: "width", Value: width.String(), Detail: "must be one of 1x, 2x, 4x, 8x, 12x"}
	}
	return plan{gen: g, width: width}, nil
}

// capacity is how many hosts fit, or some number above maxHosts.
func (t *fatTree) capacity() int {
	if t.Levels == 1 {
		return t.Radix
	}
	n := t.Radix * (t.Radix - t.Uplinks)
	for range t.Levels - 2 {
		if n > maxHosts {
			break
		}
		n *= t.half
	}
	return n
}

func fill[T comparable](field *T, v T) {
	var zero T
	if *field == zero {
		*field = v
	}
}
