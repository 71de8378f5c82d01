package fabric

import (
	"bytes"
	"iter"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Node is a channel adapter, a switch or a router.
type Node struct {
	guid     ib.GUID
	typ      ib.NodeType
	has      nodeParts
	numPorts uint8
	index    int32
	ports    []Port // by port number; the unknown ones have known false
	path     ib.DRPath

	// The attributes stay in wire form: nothing that a device said is lost,
	// reserved bits included, and decoding costs nanoseconds.
	info   [mad.DataSize]byte
	desc   [mad.DataSize]byte
	swInfo *[mad.DataSize]byte // of switches
	lft    *[]uint8            // linear forwarding table, of switches that told it

	firmware *Firmware
	chassis  *Chassis
	slot     Slot
}

// nodeParts says which optional parts of a node are known.
type nodeParts uint8

const (
	hasDescription nodeParts = 1 << iota
	hasPath
)

// GUID is the node GUID.
func (n *Node) GUID() ib.GUID { return n.guid }

// Type is the node type.
func (n *Node) Type() ib.NodeType { return n.typ }

// NumPorts is the number of physical ports, 0…255; port 0 of a switch is not counted.
func (n *Node) NumPorts() int { return int(n.numPorts) }

// Index is the position of the node in canonical order, from 0.
func (n *Node) Index() int { return int(n.index) }

// Info is the node's NodeInfo as the sweep's first arrival got it.
func (n *Node) Info() smp.NodeInfo {
	var v smp.NodeInfo
	v.Decode(&n.info)
	return v
}

// RawInfo is the wire form of Info.
func (n *Node) RawInfo() [mad.DataSize]byte { return n.info }

// Description is the NodeDescription up to its first NUL. It is text that
// anybody on the fabric can choose: escape it before it reaches a terminal,
// a log, a table or a page.
func (n *Node) Description() string {
	d := n.desc[:]
	if i := bytes.IndexByte(d, 0); i >= 0 {
		d = d[:i]
	}
	return string(d)
}

// HasDescription reports whether the node told its description.
func (n *Node) HasDescription() bool { return n.has&hasDescription != 0 }

// RawDescription is the wire form of the NodeDescription.
func (n *Node) RawDescription() [mad.DataSize]byte { return n.desc }

// SwitchInfo is the SwitchInfo of a switch that told it.
func (n *Node) SwitchInfo() (smp.SwitchInfo, bool) {
	var v smp.SwitchInfo
	if n.swInfo == nil {
		return v, false
	}
	v.Decode(n.swInfo)
	return v, true
}

// RawSwitchInfo is the wire form of SwitchInfo.
func (n *Node) RawSwitchInfo() ([mad.DataSize]byte, bool) {
	if n.swInfo == nil {
		return [mad.DataSize]byte{}, false
	}
	return *n.swInfo, true
}

// Path is the directed route by which the sweep first reached the node.
func (n *Node) Path() (ib.DRPath, bool) { return n.path, n.has&hasPath != 0 }

// Port is the port with that number, 0…NumPorts; nil when the port was never
// seen: neither its PortInfo nor a link to it is known.
func (n *Node) Port(num int) *Port {
	if num < 0 || num >= len(n.ports) || !n.ports[num].known() {
		return nil
	}
	return &n.ports[num]
}

// Ports yields the known ports in ascending number, port 0 of a switch included.
func (n *Node) Ports() iter.Seq[*Port] {
	return func(yield func(*Port) bool) {
		for i := range n.ports {
			if n.ports[i].known() && !yield(&n.ports[i]) {
				return
			}
		}
	}
}

// Chassis is the chassis that the node is part of, nil for none. See Fabric.Chassis.
func (n *Node) Chassis() *Chassis { return n.chassis }

// Slot is the node's place in its chassis; the zero Slot when it is not known.
func (n *Node) Slot() Slot { return n.slot }
