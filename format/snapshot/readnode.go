package snapshot

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// nodeParts are the members of a node.
type nodeParts struct {
	info, description, switchInfo *[mad.DataSize]byte
	firmware                      fabric.Firmware
	path                          ib.DRPath
	hasPath                       bool
	lft, mft, ports               []byte // values; nil for none
	extra                         []member
}

// node reads a node and adds it.
func (d *decoder) node(b *body, value []byte) error {
	var v nodeParts
	if err := eachMember(value, func(key, value []byte) error { return inMember("node", key, d.nodeMember(&v, key, value)) }); err != nil {
		return err
	}
	if v.info == nil {
		return bad("node without node_info")
	}
	n := b.b.AddNode(v.info)
	b.nodes = append(b.nodes, n)
	if v.description != nil {
		b.b.SetDescription(n, v.description)
	}
	if v.hasPath {
		b.b.SetPath(n, v.path)
	}
	if v.switchInfo != nil {
		b.b.SetSwitchInfo(n, v.switchInfo)
	}
	if v.firmware != (fabric.Firmware{}) {
		b.b.SetFirmware(n, v.firmware)
	}
	d.keepAll(n, v.extra)
	if err := d.setTables(b, n, &v); err != nil || v.ports == nil {
		return err
	}
	if b.slots += n.NumPorts() + 1; b.slots > maxPorts {
		return tooLarge("more than %d ports in the first %d nodes", maxPorts, len(b.nodes))
	}
	return eachElement(v.ports, func(value []byte) error { return d.port(b, n, value) })
}

func (d *decoder) nodeMember(v *nodeParts, key, value []byte) (err error) {
	switch string(key) {
	case `"guid"`, `"type"`, `"description"`: // node_info and node_description have them
	case `"node_info"`:
		v.info, err = attribute(value)
	case `"node_description"`:
		v.description, err = attribute(value)
	case `"switch_info"`:
		v.switchInfo, err = attribute(value)
	case `"path"`:
		var s string
		if s, err = text(value); err == nil {
			v.path, err = ib.ParseDRPath(s)
			v.hasPath = true
		}
	case `"firmware"`:
		err = putText(&v.firmware.Version, value)
	case `"firmware_hex"`:
		err = putBytes(&v.firmware.Version, value)
	case `"psid"`:
		err = putText(&v.firmware.PSID, value)
	case `"psid_hex"`:
		err = putBytes(&v.firmware.PSID, value)
	case `"lft"`:
		v.lft = value
	case `"mft"`:
		v.mft = value
	case `"ports"`:
		v.ports = value
	default:
		err = d.keepIn(&v.extra, key, value)
	}
	return err
}

// maxTable is the most entries of a linear forwarding table.
const maxTable = int(ib.MaxUnicastLID) + 1

func (d *decoder) setTables(b *body, n *fabric.Node, v *nodeParts) error {
	if d.tables += (len(v.lft) + len(v.mft)) / 2; d.tables > maxTables {
		return tooLarge("more than %d bytes of forwarding tables", maxTables)
	}
	if v.lft != nil {
		if len(v.lft) > 2*maxTable+2 {
			return bad("lft of more than %d LIDs", maxTable)
		}
		table, err := appendHex(make([]byte, 0, len(v.lft)/2), v.lft)
		if err != nil {
			return bad("lft: %v", err)
		}
		b.b.SetLFT(n, table)
	}
	if v.mft == nil {
		return nil
	}
	blocks := []MulticastBlock{}
	err := eachElement(v.mft, func(value []byte) error {
		block, err := multicastBlock(value)
		blocks = append(blocks, block)
		return err
	})
	if d.s.Multicast == nil {
		d.s.Multicast = map[*fabric.Node][]MulticastBlock{}
	}
	d.s.Multicast[n] = blocks
	return err
}

func multicastBlock(value []byte) (b MulticastBlock, err error) {
	err = eachMember(value, func(key, value []byte) (err error) {
		switch name(key) {
		case "position":
			err = put(&b.Position, value, 15)
		case "block":
			err = put(&b.Block, value, 511)
		case "masks":
			var masks *[mad.DataSize]byte
			if masks, err = attribute(value); err == nil {
				b.Masks = *masks
			}
		}
		return inMember("mft", key, err)
	})
	return b, err
}

// portParts are the members of a port.
type portParts struct {
	num            int
	guid           ib.GUID
	hasGUID        bool
	info, extended *[mad.DataSize]byte
	order          uint32
	peer           [2]int
	hasPeer        bool
	extra          []member
}

// port reads a port of n.
func (d *decoder) port(b *body, n *fabric.Node, value []byte) error {
	v := portParts{num: -1}
	if err := eachMember(value, func(key, value []byte) error { return inMember("port", key, d.portMember(&v, key, value)) }); err != nil {
		return err
	}
	if v.num < 0 || v.num > n.NumPorts() {
		return bad("port %d of a node with %d ports", v.num, n.NumPorts())
	}
	if n.Port(v.num) != nil {
		return bad("port %d is there twice", v.num)
	}
	p := b.b.Port(n, v.num)
	if v.hasGUID {
		b.b.SetPortGUID(p, v.guid)
	}
	if v.info != nil {
		b.b.SetPortInfo(p, v.info)
	}
	if v.extended != nil {
		b.b.SetExtendedPortInfo(p, v.extended)
	}
	b.b.SetInfoOrder(p, int(v.order))
	if v.hasPeer {
		b.peers = append(b.peers, peer{p, v.peer, d.startLine, d.startOffset})
	}
	d.keepAll(p, v.extra)
	return nil
}

func (d *decoder) portMember(v *portParts, key, value []byte) (err error) {
	switch string(key) {
	case `"port"`:
		err = put(&v.num, value, 255)
	case `"guid"`:
		v.hasGUID = true
		err = putGUID(&v.guid, value)
	case `"port_info"`:
		v.info, err = attribute(value)
	case `"extended_port_info"`:
		v.extended, err = attribute(value)
	case `"info_order"`:
		err = put(&v.order, value, 1<<32-1)
	case `"peer"`:
		v.hasPeer = true
		v.peer, err = pair(value, [2]uint64{maxNodes, 255})
	default:
		err = d.keepIn(&v.extra, key, value)
	}
	return err
}
