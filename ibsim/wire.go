package ibsim

import (
	"bytes"
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Control messages are C structures in host order, so both sides must have the
// same byte order and layout. Sizes in bytes.
const (
	controlSize = 80
	controlData = 64 // of these 80
	helloSize   = 44
	nodeIDSize  = 32 // with the terminating NUL
	vendorSize  = 24

	controlMagic = 0xdeadbeef

	// slots is how many clients ibsim itself serves.
	slots = 10

	// maxSlots is how many clients have a number that fits into transaction IDs.
	maxSlots = 1 << 16
)

// messageType says what a control message asks for; the answer has the same
// type, or typeError.
type messageType uint32

const (
	typeError       messageType = 0
	typeConnect     messageType = 1
	typeDisconnect  messageType = 2
	typeGetPort     messageType = 3
	typeGetVendor   messageType = 4
	typeGetGID      messageType = 5
	typeGetGUID     messageType = 6
	typeGetNodeInfo messageType = 7
	typeGetPortInfo messageType = 8
	typeSetIsSM     messageType = 9
	typeGetPKeys    messageType = 10
)

// control is a request on the control socket, or its answer.
type control struct {
	client uint32 // the slot; not used in a request of typeConnect
	typ    messageType
	length uint32 // valid bytes of data; informative only
	data   [controlData]byte
}

func (m *control) encode(b *[controlSize]byte) {
	binary.NativeEndian.PutUint32(b[0:], controlMagic)
	binary.NativeEndian.PutUint32(b[4:], m.client)
	binary.NativeEndian.PutUint32(b[8:], uint32(m.typ))
	binary.NativeEndian.PutUint32(b[12:], m.length)
	copy(b[16:], m.data[:])
}

// decode reads a datagram from the control socket; false means that it is none
// of this protocol.
func (m *control) decode(b []byte) bool {
	if len(b) != controlSize || binary.NativeEndian.Uint32(b) != controlMagic {
		return false
	}
	m.client = binary.NativeEndian.Uint32(b[4:])
	m.typ = messageType(binary.NativeEndian.Uint32(b[8:]))
	m.length = binary.NativeEndian.Uint32(b[12:])
	copy(m.data[:], b[16:])
	return true
}

// hello is the data of typeConnect.
type hello struct {
	id   uint32 // request: names the client's data socket; answer: the slot
	qp   uint32 // takes requests to this QP, besides 0 and 1
	isSM uint32 // 1: requests to QP 0 and 1 go to this client
	node string // request: id or description; answer: id, cut to 31 bytes
}

func (h *hello) encode(b *[controlData]byte) {
	binary.NativeEndian.PutUint32(b[0:], h.id)
	binary.NativeEndian.PutUint32(b[4:], h.qp)
	binary.NativeEndian.PutUint32(b[8:], h.isSM)
	clear(b[12:helloSize])
	copy(b[12:12+nodeIDSize-1], h.node)
}

func (h *hello) decode(b *[controlData]byte) {
	h.id = binary.NativeEndian.Uint32(b[0:])
	h.qp = binary.NativeEndian.Uint32(b[4:])
	h.isSM = binary.NativeEndian.Uint32(b[8:])
	node, _, _ := bytes.Cut(b[12:helloSize], []byte{0})
	h.node = string(node)
}

// Vendor is what the simulator tells about the node as a device.
type Vendor struct {
	VendorID uint32
	DeviceID uint32
	Revision uint32 // of the hardware
	Firmware uint64
}

func (v *Vendor) encode(b *[controlData]byte) {
	binary.NativeEndian.PutUint32(b[0:], v.VendorID)
	binary.NativeEndian.PutUint32(b[4:], v.DeviceID)
	binary.NativeEndian.PutUint32(b[8:], v.Revision)
	binary.NativeEndian.PutUint64(b[16:], v.Firmware)
}

func (v *Vendor) decode(b *[controlData]byte) {
	v.VendorID = binary.NativeEndian.Uint32(b[0:])
	v.DeviceID = binary.NativeEndian.Uint32(b[4:])
	v.Revision = binary.NativeEndian.Uint32(b[8:])
	v.Firmware = binary.NativeEndian.Uint64(b[16:])
}

// datagramSize is the length of every message on a data socket: a header of 32
// bytes and a whole MAD. This is the layout where C's long has 64 bits.
const datagramSize = 32 + mad.Size

// datagram is a MAD on a data socket, in wire form: big-endian.
type datagram [datagramSize]byte

// Offsets of the header fields. Each LID has four bytes.
const (
	offDLID   = 0
	offSLID   = 4
	offDQP    = 8
	offSQP    = 12
	offStatus = 16
	offLength = 24
	offMAD    = 32
)

// packet is the MAD; it aliases d.
func (d *datagram) packet() *mad.Packet { return (*mad.Packet)(d[offMAD:]) }

func (d *datagram) dlid() ib.LID { return lidAt(d[offDLID:]) }
func (d *datagram) slid() ib.LID { return lidAt(d[offSLID:]) }
func (d *datagram) dqp() uint32  { return binary.BigEndian.Uint32(d[offDQP:]) }
func (d *datagram) sqp() uint32  { return binary.BigEndian.Uint32(d[offSQP:]) }

// status is 0, or the errno with which the simulator returns a packet.
func (d *datagram) status() uint32 { return binary.BigEndian.Uint32(d[offStatus:]) }

// length is how many bytes of the MAD are valid; the rest is undefined.
func (d *datagram) length() uint64 { return binary.BigEndian.Uint64(d[offLength:]) }

// encode fills d with a packet to send. As C clients do, it leaves the own LID
// to the simulator.
func (d *datagram) encode(p *mad.Packet, to mad.Addr) {
	clear(d[:offMAD])
	putLID(d[offDLID:], to.LID)
	if to.LID == ib.PermissiveLID {
		putLID(d[offSLID:], ib.PermissiveLID)
	}
	binary.BigEndian.PutUint32(d[offDQP:], to.QP)
	if !p.Class().IsSMP() {
		binary.BigEndian.PutUint32(d[offSQP:], mad.QPGeneral)
	}
	binary.BigEndian.PutUint64(d[offLength:], mad.Size)
	*d.packet() = *p
}

// encodeArrival fills d with a packet as a simulator hands it to a client. With
// a status other than 0 it is a request that comes back, and peer is where it
// was sent to. The own LID is told only where it is the permissive one: no
// client looks at it.
func (d *datagram) encodeArrival(p *mad.Packet, peer mad.Addr, status uint32) {
	clear(d[:offMAD])
	lid, qp, other := offSLID, offSQP, offDLID
	if status != 0 {
		lid, qp, other = offDLID, offDQP, offSLID
	}
	putLID(d[lid:], peer.LID)
	if peer.LID == ib.PermissiveLID {
		putLID(d[other:], ib.PermissiveLID)
	}
	peerQP := peer.QP
	if peerQP == 0 && !p.Class().IsSMP() {
		peerQP = mad.QPGeneral
	}
	binary.BigEndian.PutUint32(d[qp:], peerQP)
	binary.BigEndian.PutUint32(d[offStatus:], status)
	binary.BigEndian.PutUint64(d[offLength:], mad.Size)
	*d.packet() = *p
}

// A LID stands in a 32-bit C variable that holds the big-endian value of 16
// bits, so its place depends on the byte order of the machine.
func putLID(b []byte, lid ib.LID) {
	var be [2]byte
	binary.BigEndian.PutUint16(be[:], uint16(lid))
	binary.NativeEndian.PutUint32(b, uint32(binary.NativeEndian.Uint16(be[:])))
}

func lidAt(b []byte) ib.LID {
	var be [2]byte
	binary.NativeEndian.PutUint16(be[:], uint16(binary.NativeEndian.Uint32(b)))
	return ib.LID(binary.BigEndian.Uint16(be[:]))
}
