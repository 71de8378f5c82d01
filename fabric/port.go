package fabric

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Port is a port of a node. There are many: keep it small.
type Port struct {
	node     *Node
	remote   *Port
	guid     ib.GUID
	ext      *[mad.DataSize]byte // Mellanox ExtendedPortInfo, of the few ports that need it
	info     [mad.DataSize]byte  // PortInfo in wire form
	num      uint8
	external uint8 // number on the chassis' front panel, 0 for none
	has      portParts
	order    uint32 // see InfoOrder
}

type portParts uint8

const (
	hasShell portParts = 1 << iota // known at all, at least by a link to it
	hasInfo
)

func (p *Port) known() bool { return p.has != 0 }

// Node is the node that the port belongs to.
func (p *Port) Node() *Node { return p.node }

// Num is the port number.
func (p *Port) Num() int { return int(p.num) }

// GUID is the port GUID; all ports of a switch share the one of its port 0.
func (p *Port) GUID() ib.GUID { return p.guid }

// Remote is the port at the other end of the cable, nil when there is none or
// it is not known.
func (p *Port) Remote() *Port { return p.remote }

// Info is the port's PortInfo, false when it could not be read.
func (p *Port) Info() (smp.PortInfo, bool) {
	var v smp.PortInfo
	if p.has&hasInfo == 0 {
		return v, false
	}
	v.Decode(&p.info)
	return v, true
}

// RawInfo is the wire form of Info.
func (p *Port) RawInfo() ([mad.DataSize]byte, bool) { return p.info, p.has&hasInfo != 0 }

// RawExtendedInfo is the wire form of Mellanox ExtendedPortInfo, asked only of
// ports that may run FDR10.
func (p *Port) RawExtendedInfo() ([mad.DataSize]byte, bool) {
	if p.ext == nil {
		return [mad.DataSize]byte{}, false
	}
	return *p.ext, true
}

// owner is the port whose PortInfo holds the LID and the capability masks: port
// 0 for the ports of a switch, the port itself elsewhere.
func (p *Port) owner() *Port {
	if p.node.typ == ib.NodeSwitch && p.num != 0 {
		if zero := p.node.Port(0); zero != nil {
			return zero
		}
	}
	return p
}

// LID is the port's base LID: on a switch that of port 0. Zero is not assigned
// or not known.
func (p *Port) LID() ib.LID {
	info, _ := p.owner().Info()
	return info.LID
}

// LMC is the port's LID mask control: it owns 2^LMC LIDs.
func (p *Port) LMC() uint8 {
	info, _ := p.owner().Info()
	return info.LMC
}

// State is the logical state, PortNoChange when the PortInfo is not known.
func (p *Port) State() ib.PortState {
	info, _ := p.Info()
	return info.State
}

// PhysState is the physical state, PhysNoChange when the PortInfo is not known.
func (p *Port) PhysState() ib.PhysState {
	info, _ := p.Info()
	return info.PhysState
}

// ExternalNum is the number of the port on its chassis' front panel, 0 for none.
func (p *Port) ExternalNum() int { return int(p.external) }

// InfoOrder is the position of the port, from 1, in the order in which a sweep
// with one request in flight would have got the PortInfo of all ports; 0 when
// the source of the fabric did not tell. The file format of package cache
// depends on it, nothing else does.
func (p *Port) InfoOrder() int { return int(p.order) }
