package ibsim

import (
	"encoding/binary"
	"syscall"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Attributes that control messages ask for.
const (
	attrNodeInfo  mad.AttrID = 0x0011
	attrPortInfo  mad.AttrID = 0x0015
	attrPKeyTable mad.AttrID = 0x0016
)

// answerControl serves the control socket until it is closed. Whatever is no
// control message gets no answer.
func (s *Server) answerControl() error {
	var b [controlSize + 1]byte // one more than a message, to see a longer one
	for {
		n, from, err := s.ctl.receive(b[:])
		if err != nil {
			return err
		}
		var m control
		if !m.decode(b[:n]) {
			s.stats.malformed.Add(1)
			continue
		}
		if !s.control(&m, from) {
			m.typ = typeError
		}
		m.encode((*[controlSize]byte)(b[:]))
		s.ctl.send(b[:controlSize], from)
	}
}

// control carries out a message, which becomes the answer. False means refused.
func (s *Server) control(m *control, from syscall.Sockaddr) bool {
	if m.typ == typeConnect {
		return s.connect(m, from)
	}
	c := s.client(uint64(m.client))
	if c == nil || c.owner != addressText(from) {
		return m.typ == typeDisconnect && c == nil && m.client < maxSlots
	}
	switch m.typ {
	case typeDisconnect:
		s.detach(c, "it said so")
		return true
	case typeSetIsSM:
		c.setIsSM(binary.NativeEndian.Uint32(m.data[:]) != 0)
		return true
	}
	return c.describe(m.typ, &m.data)
}

// setIsSM makes a client the subnet manager of its port, or ends that.
func (c *client) setIsSM(on bool) {
	c.isSM.Store(on)
	c.port.SetIsSM(on)
}

// describe fills in one of the blocks about the client's port. GUIDs are in the
// byte order of the machine, and that of the port is the node's: so does ibsim,
// and its clients count on it.
func (c *client) describe(typ messageType, data *[controlData]byte) bool {
	var ok bool
	var v smp.PortInfo
	var block [controlData]byte
	switch typ {
	case typeGetPort:
		if block, ok = c.attribute(attrPortInfo, uint32(c.num)); ok {
			v.Decode(&block)
			block = [controlData]byte{2: byte(v.State)}
			binary.NativeEndian.PutUint16(block[:], uint16(v.LID))
		}
	case typeGetVendor:
		n := &c.nodeInfo
		vendor := Vendor{VendorID: uint32(n.VendorID), DeviceID: uint32(n.DeviceID), Revision: n.Revision, Firmware: 1}
		vendor.encode(&block)
		ok = true
	case typeGetGID:
		if block, ok = c.attribute(attrPortInfo, uint32(c.num)); ok {
			prefix := block[offGIDPrefix : offGIDPrefix+8]
			block = [controlData]byte(append(append(make([]byte, 0, controlData), prefix...), make([]byte, controlData-8)...))
			binary.NativeEndian.PutUint64(block[8:], uint64(c.nodeInfo.NodeGUID))
		}
	case typeGetGUID:
		binary.NativeEndian.PutUint64(block[:], uint64(c.nodeInfo.NodeGUID))
		ok = true
	case typeGetNodeInfo:
		block, ok = c.attribute(attrNodeInfo, 0)
	case typeGetPortInfo:
		num := uint32(data[0])
		if num == 0 || num > uint32(c.nodeInfo.NumPorts) {
			num = uint32(c.num)
		}
		block, ok = c.attribute(attrPortInfo, num)
	case typeGetPKeys:
		block, ok = c.attribute(attrPKeyTable, uint32(c.num)<<16)
	}
	if ok {
		*data = block
	}
	return ok
}

// offGIDPrefix is where PortInfo has the GID prefix, behind the M_Key.
const offGIDPrefix = 8

func (c *client) attribute(attr mad.AttrID, modifier uint32) ([controlData]byte, bool) {
	if attr == attrPKeyTable && c.nodeInfo.NodeType != ib.NodeSwitch {
		modifier &= 0xffff
	}
	data, status := c.port.LocalAttribute(attr, modifier)
	return data, status == mad.StatusOK
}
