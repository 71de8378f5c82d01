package pcap

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/mad"
)

// Sizes of the headers and of what follows the payload.
const (
	lrhSize  = 8
	grhSize  = 40
	bthSize  = 12
	dethSize = 8
	icrcSize = 4
	vcrcSize = 2

	// MaxFrame is the size of the largest frame with a MAD: all headers, the MAD
	// and both CRCs.
	MaxFrame = lrhSize + grhSize + bthSize + dethSize + mad.Size + icrcSize + vcrcSize
)

// What the headers of a MAD always hold.
const (
	nextBTH     = 2    // of the LRH: a BTH follows
	nextGRH     = 3    // a GRH follows, then a BTH
	grhNext     = 0x1b // of the GRH: a BTH follows
	opUDSend    = 0x64 // unreliable datagram, send only
	ipVersion   = 6
	vlManage    = 15
	defaultPKey = 0xffff
)

// frameSize is the size of a frame with that header.
func (h *Header) frameSize() int {
	if h.HasGRH {
		return MaxFrame
	}
	return MaxFrame - grhSize
}

// AppendFrame appends the MAD as it is on the wire, from its LRH to its VCRC.
func AppendFrame(dst []byte, h *Header, p *mad.Packet) []byte {
	start := len(dst)
	length, next := h.frameSize()-vcrcSize, byte(nextBTH)
	if h.HasGRH {
		next = nextGRH
	}
	dst = append(dst, h.VL<<4, h.SL<<4|next)
	dst = binary.BigEndian.AppendUint16(dst, uint16(h.DLID))
	dst = binary.BigEndian.AppendUint16(dst, uint16(length/4))
	dst = binary.BigEndian.AppendUint16(dst, uint16(h.SLID))
	if h.HasGRH {
		dst = appendGRH(dst, &h.GRH, length-lrhSize-grhSize)
	}
	dst = append(dst, opUDSend, 0)
	dst = binary.BigEndian.AppendUint16(dst, h.PKey)
	dst = binary.BigEndian.AppendUint32(dst, h.DestQP&0xffffff)
	dst = binary.BigEndian.AppendUint32(dst, h.PSN&0xffffff)
	dst = binary.BigEndian.AppendUint32(dst, h.QKey)
	dst = binary.BigEndian.AppendUint32(dst, h.SrcQP&0xffffff)
	dst = append(dst, p[:]...)
	// Both CRCs go out lowest byte first.
	dst = binary.LittleEndian.AppendUint32(dst, invariantCRC(dst[start:], h.HasGRH))
	return binary.LittleEndian.AppendUint16(dst, variantCRC(dst[start:]))
}

func appendGRH(dst []byte, g *GRH, payload int) []byte {
	dst = binary.BigEndian.AppendUint32(dst, ipVersion<<28|uint32(g.TrafficClass)<<20|g.FlowLabel&0xfffff)
	dst = binary.BigEndian.AppendUint16(dst, uint16(payload))
	dst = append(dst, grhNext, g.HopLimit)
	dst = append(dst, g.SGID[:]...)
	return append(dst, g.DGID[:]...)
}
