package mad

import "encoding/binary"

// Offsets of the parts of general service packets (IBA vol. 1, 13.4.2, 13.6.2
// and the chapters of the classes).
const (
	offRMPP       = 24 // header of classes with RMPP, 12 bytes
	offSMKey      = 36
	offAttrOffset = 44
	offCompMask   = 48
	offSAData     = 56
	offOUI        = 37 // of vendor classes from 0x30 on
	offVendor2    = 40 // their data
	offVendor1    = 24 // data of vendor classes up to 0x0f, and of communication management
	offCCLog      = 32 // data of a CongestionLog; a CC_Key at 24 before it
	offGSData     = 64 // data of all other classes
	attrCCLog     = 0x0013
)

// IsVendor1 reports whether the class is a vendor's without OUI.
func (c Class) IsVendor1() bool { return c >= ClassVendor1Min && c <= ClassVendor1Max }

// IsVendor2 reports whether the class is a vendor's with OUI, for which RMPP is
// possible.
func (c Class) IsVendor2() bool { return c >= ClassVendor2Min && c <= ClassVendor2Max }

// HasRMPP reports whether packets of the class have an RMPP header.
func (c Class) HasRMPP() bool {
	return c == ClassSubnAdm || c == ClassDevMgt || c == ClassDevAdm || c == ClassBIS || c.IsVendor2()
}

// dataRange is where the data of an attribute stands in a packet of the class.
func (c Class) dataRange(attr AttrID) (from, to int) {
	switch {
	case c.IsSMP():
		return offSMPData, offSMPData + DataSize
	case c == ClassSubnAdm:
		return offSAData, Size
	case c == ClassCC && attr == attrCCLog:
		return offCCLog, Size
	case c.IsVendor1(), c == ClassComm:
		return offVendor1, Size
	case c.IsVendor2():
		return offVendor2, Size
	}
	return offGSData, Size
}

// DataOffset is the byte of the packet at which the data of an attribute begins.
func (c Class) DataOffset(attr AttrID) int {
	from, _ := c.dataRange(attr)
	return from
}

// Data is the data area of p, as its class and its attribute have it: 64 bytes
// for SMPs, 192 for performance management, 200 for subnet administration and so
// on. It aliases p.
func (p *Packet) Data() []byte {
	from, to := p.Class().dataRange(p.AttrID())
	return p[from:to:to]
}

// The fields below exist in some classes only.

// SMKey is the key of a request to subnet administration.
func (p *Packet) SMKey() uint64 { return binary.BigEndian.Uint64(p[offSMKey:]) }

// SetSMKey changes the key of a request to subnet administration.
func (p *Packet) SetSMKey(k uint64) { binary.BigEndian.PutUint64(p[offSMKey:], k) }

// AttrOffset is the distance between the records of a table of subnet
// administration, in units of 8 bytes.
func (p *Packet) AttrOffset() uint16 { return binary.BigEndian.Uint16(p[offAttrOffset:]) }

// SetAttrOffset changes the distance between records.
func (p *Packet) SetAttrOffset(n uint16) { binary.BigEndian.PutUint16(p[offAttrOffset:], n) }

// CompMask is the ComponentMask of subnet administration: which fields of the
// record count in a query.
func (p *Packet) CompMask() uint64 { return binary.BigEndian.Uint64(p[offCompMask:]) }

// SetCompMask changes the ComponentMask.
func (p *Packet) SetCompMask(m uint64) { binary.BigEndian.PutUint64(p[offCompMask:], m) }

// ClassKey is the key that congestion control (CC_Key) and baseboard management
// (B_Key) have at byte 24, where SMPs have the M_Key.
func (p *Packet) ClassKey() uint64 { return binary.BigEndian.Uint64(p[offMKey:]) }

// SetClassKey changes the CC_Key or B_Key.
func (p *Packet) SetClassKey(k uint64) { binary.BigEndian.PutUint64(p[offMKey:], k) }

// OUI is the vendor in a packet of a vendor class from 0x30 on.
func (p *Packet) OUI() uint32 {
	return uint32(p[offOUI])<<16 | uint32(p[offOUI+1])<<8 | uint32(p[offOUI+2])
}

// SetOUI changes the vendor, 24 bits.
func (p *Packet) SetOUI(oui uint32) {
	p[offOUI], p[offOUI+1], p[offOUI+2] = byte(oui>>16), byte(oui>>8), byte(oui)
}
