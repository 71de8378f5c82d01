package umadev

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Sizes of the header before a MAD (struct ib_user_mad), with P_Key index and
// in its first form without.
const (
	headerSize    = 64
	oldHeaderSize = 56
)

// Offsets within the header. Fields of an address are big-endian, others have
// the byte order of the machine.
const (
	offAgent     = 0
	offStatus    = 4
	offTimeout   = 8
	offRetries   = 12
	offLength    = 16
	offQP        = 20
	offQKey      = 24
	offLID       = 28
	offSL        = 30
	offPathBits  = 31
	offHasGRH    = 32
	offGIDIndex  = 33
	offHopLimit  = 34
	offTClass    = 35
	offGID       = 36
	offFlowLabel = 52
	offPKeyIndex = 56
)

// Requests of ioctl(2), and the sizes of what they point to.
const (
	registerAgent   = 0xc01c1b01
	unregisterAgent = 0x40041b02
	enablePKey      = 0x00001b03
	registerAgent2  = 0xc0281b04

	registerSize  = 28
	register2Size = 40
)

const (
	maxAgents = 32
	maxQueued = 200_000 // MADs that wait to be read; more are dropped

	madHeaderSize  = 24 // what comes back of a request without answer
	rmppHeaderSize = 36 // the least that can be sent
	offRMPPFlags   = 26
	rmppActive     = 1
)

// Events of poll(2) on Linux.
const (
	pollError    = 0x008
	pollWritable = 0x104 // POLLOUT, POLLWRNORM
	pollReadable = 0x041 // POLLIN, POLLRDNORM
)

// getAddr reads the destination of a MAD from its header.
func getAddr(h []byte) mad.Addr {
	be := binary.BigEndian
	a := mad.Addr{
		QP: be.Uint32(h[offQP:]), QKey: be.Uint32(h[offQKey:]), LID: ib.LID(be.Uint16(h[offLID:])),
		SL: h[offSL], PathBits: h[offPathBits], HasGRH: h[offHasGRH] != 0,
	}
	if a.HasGRH {
		a.GRH = mad.GRH{
			GIDIndex: h[offGIDIndex], HopLimit: h[offHopLimit], TrafficClass: h[offTClass],
			GID: ib.GID(h[offGID : offGID+16]), FlowLabel: be.Uint32(h[offFlowLabel:]) & 0xfffff,
		}
	}
	if len(h) >= headerSize {
		a.PKeyIndex = binary.NativeEndian.Uint16(h[offPKeyIndex:])
	}
	return a
}

// putAddr writes the sender of a MAD into its header, which is zero otherwise.
func putAddr(h []byte, a *mad.Addr) {
	be := binary.BigEndian
	be.PutUint32(h[offQP:], a.QP)
	be.PutUint16(h[offLID:], uint16(a.LID))
	h[offSL], h[offPathBits] = a.SL, a.PathBits
	if a.HasGRH {
		h[offHasGRH] = 1
		h[offGIDIndex], h[offHopLimit], h[offTClass] = a.GRH.GIDIndex, a.GRH.HopLimit, a.GRH.TrafficClass
		copy(h[offGID:], a.GRH.GID[:])
		be.PutUint32(h[offFlowLabel:], a.GRH.FlowLabel)
	}
	if len(h) >= headerSize {
		binary.NativeEndian.PutUint16(h[offPKeyIndex:], a.PKeyIndex)
	}
}
