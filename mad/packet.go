package mad

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
)

// Size is the length of a management datagram in bytes.
const Size = 256

// DataSize is the length of the data area of a subnet management packet.
const DataSize = 64

// Packet is a management datagram in wire form, big-endian. The accessors read
// and write the header in place; which of them make sense depends on the class.
type Packet [Size]byte

// Offsets of the common header (IBA vol. 1, 13.4.2) and of the SMP layouts
// (14.2.1.1 and 14.2.1.2).
const (
	offBaseVersion  = 0
	offClass        = 1
	offClassVersion = 2
	offMethod       = 3
	offStatus       = 4
	offHopPointer   = 6
	offHopCount     = 7
	offTID          = 8
	offAttrID       = 16
	offModifier     = 20
	offMKey         = 24
	offDrSLID       = 32
	offDrDLID       = 34
	offSMPData      = 64
	offInitialPath  = 128
	offReturnPath   = 192
)

// Init clears p and writes the header of a request: base version 1, the class
// version that the class has, and a transaction ID of 0.
func (p *Packet) Init(class Class, method Method, attr AttrID, modifier uint32) {
	*p = Packet{}
	p[offBaseVersion] = 1
	p[offClass] = byte(class)
	p[offClassVersion] = class.Version()
	p[offMethod] = byte(method)
	binary.BigEndian.PutUint16(p[offAttrID:], uint16(attr))
	binary.BigEndian.PutUint32(p[offModifier:], modifier)
}

// BaseVersion is the version of the datagram format, 1.
func (p *Packet) BaseVersion() uint8 { return p[offBaseVersion] }

// Class is the management class.
func (p *Packet) Class() Class { return Class(p[offClass]) }

// SetClass changes the management class.
func (p *Packet) SetClass(c Class) { p[offClass] = byte(c) }

// ClassVersion is the version of the class-specific format.
func (p *Packet) ClassVersion() uint8 { return p[offClassVersion] }

// SetClassVersion changes the version of the class-specific format.
func (p *Packet) SetClassVersion(v uint8) { p[offClassVersion] = v }

// Method is the method, with the response bit.
func (p *Packet) Method() Method { return Method(p[offMethod]) }

// SetMethod changes the method, response bit included.
func (p *Packet) SetMethod(m Method) { p[offMethod] = byte(m) }

// IsResponse reports whether p answers a request: the R bit, or the method
// TrapRepress, which answers a Trap without it.
func (p *Packet) IsResponse() bool {
	return p.Method()&ResponseBit != 0 || p.Method() == MethodTrapRepress
}

// Status is the status field. In a directed-route SMP the top bit is the
// direction and not part of the status.
func (p *Packet) Status() Status {
	s := Status(binary.BigEndian.Uint16(p[offStatus:]))
	if p.Class() == ClassSubnDirected {
		s &^= directionBit
	}
	return s
}

// SetStatus changes the status and leaves the direction of a directed-route SMP.
func (p *Packet) SetStatus(s Status) {
	if p.Class() == ClassSubnDirected {
		s = s&^directionBit | Status(binary.BigEndian.Uint16(p[offStatus:]))&directionBit
	}
	binary.BigEndian.PutUint16(p[offStatus:], uint16(s))
}

// TID is the transaction ID. The Linux kernel owns its upper 32 bits.
func (p *Packet) TID() uint64 { return binary.BigEndian.Uint64(p[offTID:]) }

// SetTID changes the transaction ID.
func (p *Packet) SetTID(tid uint64) { binary.BigEndian.PutUint64(p[offTID:], tid) }

// AttrID is the attribute identifier.
func (p *Packet) AttrID() AttrID { return AttrID(binary.BigEndian.Uint16(p[offAttrID:])) }

// Modifier is the attribute modifier.
func (p *Packet) Modifier() uint32 { return binary.BigEndian.Uint32(p[offModifier:]) }

// SetModifier changes the attribute modifier.
func (p *Packet) SetModifier(m uint32) { binary.BigEndian.PutUint32(p[offModifier:], m) }

// MKey is the management key of an SMP.
func (p *Packet) MKey() uint64 { return binary.BigEndian.Uint64(p[offMKey:]) }

// SetMKey changes the management key of an SMP.
func (p *Packet) SetMKey(k uint64) { binary.BigEndian.PutUint64(p[offMKey:], k) }

// SMPData is the data area of an SMP; it aliases p.
func (p *Packet) SMPData() *[DataSize]byte { return (*[DataSize]byte)(p[offSMPData:]) }

// The fields below exist in directed-route SMPs only (IBA vol. 1, 14.2.1.2).

// directionBit marks a directed-route SMP that travels back to its sender.
const directionBit Status = 0x8000

// IsReturning is the direction bit of a directed-route SMP.
func (p *Packet) IsReturning() bool { return p[offStatus]&0x80 != 0 }

// SetReturning changes the direction bit.
func (p *Packet) SetReturning(back bool) {
	p[offStatus] &^= 0x80
	if back {
		p[offStatus] |= 0x80
	}
}

// HopPointer is the current hop.
func (p *Packet) HopPointer() uint8 { return p[offHopPointer] }

// SetHopPointer changes the current hop.
func (p *Packet) SetHopPointer(h uint8) { p[offHopPointer] = h }

// HopCount is the number of hops of the directed part.
func (p *Packet) HopCount() uint8 { return p[offHopCount] }

// DrSLID is the LID where the directed part starts; permissive when the whole
// way is directed.
func (p *Packet) DrSLID() ib.LID { return ib.LID(binary.BigEndian.Uint16(p[offDrSLID:])) }

// DrDLID is the LID where the directed part ends; permissive when the whole
// way is directed.
func (p *Packet) DrDLID() ib.LID { return ib.LID(binary.BigEndian.Uint16(p[offDrDLID:])) }

// InitialPath is the way there: entry i is the output port of hop i, from 1
// to HopCount. It aliases p.
func (p *Packet) InitialPath() *[64]byte { return (*[64]byte)(p[offInitialPath:]) }

// ReturnPath is the way back: entry i is the port that hop i arrived at. It
// aliases p.
func (p *Packet) ReturnPath() *[64]byte { return (*[64]byte)(p[offReturnPath:]) }

// SetRoute writes the routing part of a directed-route SMP: the hops of path,
// and the LIDs between which it is directed (0 counts as permissive).
func (p *Packet) SetRoute(path ib.DRPath, drSLID, drDLID ib.LID) {
	p[offHopPointer] = 0
	p[offHopCount] = byte(path.Len())
	binary.BigEndian.PutUint16(p[offDrSLID:], uint16(orPermissive(drSLID)))
	binary.BigEndian.PutUint16(p[offDrDLID:], uint16(orPermissive(drDLID)))
	path.CopyTo(p.InitialPath())
}

func orPermissive(l ib.LID) ib.LID {
	if l == 0 {
		return ib.PermissiveLID
	}
	return l
}
