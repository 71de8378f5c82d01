package fabric

import "github.com/ibscope/ibscope/mad"

// The methods below give the stored wire bytes themselves, without a copy, for
// code that reads millions of them. The bytes belong to the Fabric: do not
// change them.

// InfoBytes is the wire form of the node's NodeInfo. Read only.
func (n *Node) InfoBytes() *[mad.DataSize]byte { return &n.info }

// DescriptionBytes is the wire form of the NodeDescription, all zero when the
// node did not tell it. Read only.
func (n *Node) DescriptionBytes() *[mad.DataSize]byte { return &n.desc }

// SwitchInfoBytes is the wire form of SwitchInfo, nil when it is not known.
// Read only.
func (n *Node) SwitchInfoBytes() *[mad.DataSize]byte { return n.swInfo }

// InfoBytes is the wire form of the port's PortInfo, nil when it is not known.
// Read only.
func (p *Port) InfoBytes() *[mad.DataSize]byte {
	if p.has&hasInfo == 0 {
		return nil
	}
	return &p.info
}

// ExtendedInfoBytes is the wire form of Mellanox ExtendedPortInfo, nil when it
// is not known. Read only.
func (p *Port) ExtendedInfoBytes() *[mad.DataSize]byte { return p.ext }
