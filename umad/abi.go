package umad

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// The kernel's structures, include/uapi/rdma/ib_user_mad.h. Numbers are in host
// byte order but for those that go onto the wire.
const (
	headerSize = 64 // struct ib_user_mad with P_Key index
	oldHeader  = 56 // without

	abiVersion = 5 // the oldest that has ENABLE_PKEY
)

// Requests of ioctl(2) on a umad file.
const (
	ioctlRegisterAgent   = 0xc01c1b01 // _IOWR(0x1b, 1, struct ib_user_mad_reg_req)
	ioctlUnregisterAgent = 0x40041b02 // _IOW(0x1b, 2, __u32)
	ioctlEnablePKey      = 0x00001b03 // _IO(0x1b, 3)
	ioctlRegisterAgent2  = 0xc0281b04 // _IOWR(0x1b, 4, struct ib_user_mad_reg_req2)
)

// header is struct ib_user_mad before the MAD.
type header struct {
	agent   uint32
	status  uint32 // an errno
	timeout uint32 // ms; 0 = no reply expected
	retries uint32
	length  uint32 // of the whole, header included, on receipt
	addr    mad.Addr
}

// put writes h to b, which has room for headerSize bytes; size is the size of
// the header in use.
func (h *header) put(b []byte, size int) {
	clear(b[:size])
	ne, be := binary.NativeEndian, binary.BigEndian
	ne.PutUint32(b[0:], h.agent)
	ne.PutUint32(b[8:], h.timeout)
	ne.PutUint32(b[12:], h.retries)
	be.PutUint32(b[20:], h.addr.QP)
	be.PutUint32(b[24:], h.addr.QKey)
	be.PutUint16(b[28:], uint16(h.addr.LID))
	b[30], b[31] = h.addr.SL, h.addr.PathBits
	if h.addr.HasGRH {
		g := &h.addr.GRH
		b[32] = 1
		b[33], b[34], b[35] = g.GIDIndex, g.HopLimit, g.TrafficClass
		copy(b[36:], g.GID[:])
		be.PutUint32(b[52:], g.FlowLabel&0xfffff)
	}
	if size >= headerSize {
		ne.PutUint16(b[56:], h.addr.PKeyIndex)
	}
}

// get reads h from b, which holds at least size bytes.
func (h *header) get(b []byte, size int) {
	ne, be := binary.NativeEndian, binary.BigEndian
	*h = header{
		agent: ne.Uint32(b[0:]), status: ne.Uint32(b[4:]), timeout: ne.Uint32(b[8:]),
		retries: ne.Uint32(b[12:]), length: ne.Uint32(b[16:]),
		addr: mad.Addr{
			QP: be.Uint32(b[20:]), QKey: be.Uint32(b[24:]), LID: ib.LID(be.Uint16(b[28:])),
			SL: b[30], PathBits: b[31], HasGRH: b[32] != 0,
		},
	}
	if h.addr.HasGRH {
		g := &h.addr.GRH
		g.GIDIndex, g.HopLimit, g.TrafficClass = b[33], b[34], b[35]
		copy(g.GID[:], b[36:52])
		g.FlowLabel = be.Uint32(b[52:]) & 0xfffff
	}
	if size >= headerSize {
		h.addr.PKeyIndex = ne.Uint16(b[56:])
	}
}

// registration is struct ib_user_mad_reg_req2.
type registration struct {
	id           uint32
	qpn          uint32
	class        uint8
	classVersion uint8
	_            uint16
	flags        uint32
	methods      [2]uint64
	oui          uint32
	rmppVersion  uint8
	_            [3]uint8
}

// oldRegistration is struct ib_user_mad_reg_req.
type oldRegistration struct {
	id           uint32
	methods      [4]uint32
	qpn          uint8
	class        uint8
	classVersion uint8
	oui          [3]uint8
	rmppVersion  uint8
	_            uint8
}
