package mad

import "encoding/binary"

// RMPPHeader is the header of the reliable multi-packet protocol (IBA vol. 1,
// 13.6.2), by which messages longer than a packet travel. What Data1 and Data2
// hold depends on the type:
//
//	DATA         segment number    payload length: of the message in the first
//	                               segment, of the segment in the last one
//	ACK          segment number    last segment that the sender may send
//	STOP, ABORT  reserved          reserved; the status says why
type RMPPHeader struct {
	Version  uint8 // 1
	Type     RMPPType
	RespTime uint8 // 5 bits; 31 stands for the value in ClassPortInfo
	Flags    uint8 // RMPPActive and the others, 3 bits
	Status   RMPPStatus
	Data1    uint32
	Data2    uint32
}

// RMPPType is what an RMPP packet is for; 0 when it is no RMPP packet.
type RMPPType uint8

// The types.
const (
	RMPPData  RMPPType = 1
	RMPPAck   RMPPType = 2
	RMPPStop  RMPPType = 3
	RMPPAbort RMPPType = 4
)

// Flags of an RMPP packet.
const (
	RMPPActive uint8 = 1 << 0 // unset: the packet does not take part in RMPP
	RMPPFirst  uint8 = 1 << 1
	RMPPLast   uint8 = 1 << 2
)

// RMPPVersion is the version that this release speaks.
const RMPPVersion = 1

// RMPPNoRespTime in RespTime says that ClassPortInfo tells the time.
const RMPPNoRespTime = 31

// RMPP is the RMPP header of p.
func (p *Packet) RMPP() RMPPHeader {
	return RMPPHeader{
		Version:  p[offRMPP],
		Type:     RMPPType(p[offRMPP+1]),
		RespTime: p[offRMPP+2] >> 3,
		Flags:    p[offRMPP+2] & 7,
		Status:   RMPPStatus(p[offRMPP+3]),
		Data1:    binary.BigEndian.Uint32(p[offRMPP+4:]),
		Data2:    binary.BigEndian.Uint32(p[offRMPP+8:]),
	}
}

// SetRMPP writes the RMPP header of p.
func (p *Packet) SetRMPP(h RMPPHeader) {
	p[offRMPP] = h.Version
	p[offRMPP+1] = byte(h.Type)
	p[offRMPP+2] = h.RespTime<<3 | h.Flags&7
	p[offRMPP+3] = byte(h.Status)
	binary.BigEndian.PutUint32(p[offRMPP+4:], h.Data1)
	binary.BigEndian.PutUint32(p[offRMPP+8:], h.Data2)
}

// IsRMPP reports whether p takes part in the reliable multi-packet protocol.
func (p *Packet) IsRMPP() bool {
	return p.Class().HasRMPP() && p[offRMPP+2]&RMPPActive != 0
}

// RMPPSegment is the number of bytes that a segment of the class carries for
// what PayloadLength counts: all behind the RMPP header, which with the header of
// the class is more than the data.
const RMPPSegment = Size - offRMPP - 12
