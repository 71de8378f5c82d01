package sa

import (
	"github.com/ibscope/ibscope/ib"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
)

// lastRate is the highest code of a rate.
const lastRate adm.Rate = 24

// rateOf is the code of the rate at which a port runs; of those that are no
// more than it, the highest.
func rateOf(v *smp.PortInfo) adm.Rate {
	speed := ib.SpeedFrom(v.LinkSpeedActive, v.LinkSpeedExtActive, v.LinkSpeedExtActive2).Max()
	gbps := float64(v.LinkWidthActive.Lanes()) * speed.LaneMbps() / 1000
	best := adm.Rate(2)
	for r := best; r <= lastRate; r++ {
		if g := r.Gbps(); g <= gbps*1.02 && g > best.Gbps() {
			best = r
		}
	}
	return best
}

// rateOrder is a number by which rates can be compared: their codes do not
// follow each other.
func rateOrder(r adm.Rate) int { return int(10 * r.Gbps()) }

// fits applies a selector, if both the selector and the value count.
func (q *query) fits(components uint64, selector uint8, want, have int) bool {
	if q.mask&components != components {
		return true
	}
	switch selector {
	case adm.SelectorGreater:
		return have > want
	case adm.SelectorLess:
		return have < want
	case adm.SelectorExact:
		return have == want
	}
	return true
}
