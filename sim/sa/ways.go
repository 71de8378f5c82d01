package sa

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// maxCached bounds the parts of a waysCache.
const maxCached = 1 << 15

// waysCache remembers what the paths of one query meet again and again.
type waysCache struct {
	blocks map[blockKey]*[mad.DataSize]byte
	limits map[sim.Place]limits
}

// blockKey is a block of a switch's forwarding table.
type blockKey struct {
	sw    *fabric.Node
	block ib.LID
}

// limits are what a port allows; 0 is no limit.
type limits struct {
	mtu  ib.MTU
	rate adm.Rate
}

// forwards is the port by which a switch forwards to a LID, 255 for none.
func (q *query) forwards(sw *fabric.Node, lid ib.LID) int {
	key := blockKey{sw, lid / 64}
	b := q.ways.blocks[key]
	if b == nil {
		b = new([mad.DataSize]byte)
		if !q.get(sim.Place{Node: sw}, smp.AttrLinearForwardingTable, uint32(key.block), b) {
			for i := range b {
				b[i] = 255
			}
		}
		if q.ways.blocks == nil || len(q.ways.blocks) >= maxCached {
			q.ways.blocks = map[blockKey]*[mad.DataSize]byte{}
		}
		q.ways.blocks[key] = b
	}
	return int(b[lid%64])
}

// limitsOf reads the limits of a port. Port 0 of a switch has no cable, so no
// rate.
func (q *query) limitsOf(at sim.Place) limits {
	l, ok := q.ways.limits[at]
	if ok {
		return l
	}
	var data [mad.DataSize]byte
	place := at
	isSwitch := at.Node.Type() == ib.NodeSwitch
	if isSwitch {
		place.Port = 0
	}
	if q.get(place, smp.AttrPortInfo, uint32(at.Port), &data) {
		var v smp.PortInfo
		v.Decode(&data)
		l.mtu = v.NeighborMTU
		if !isSwitch || at.Port != 0 {
			l.rate = rateOf(&v)
		}
	}
	if q.ways.limits == nil || len(q.ways.limits) >= maxCached {
		q.ways.limits = map[sim.Place]limits{}
	}
	q.ways.limits[at] = l
	return l
}
