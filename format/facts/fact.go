package facts

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// Fact is an attribute as far as a line tells it: some fields have a value. The
// zero Fact tells nothing.
type Fact struct {
	data, mask [mad.DataSize]byte
}

// Set tells one field. Bits of v beyond the field are dropped.
func (f *Fact) Set(fld field.Field, v uint64) {
	fld.SetUint(f.data[:], v)
	fld.SetUint(f.mask[:], ^uint64(0))
}

// Has reports whether a field is told.
func (f *Fact) Has(fld field.Field) bool { return fld.Uint(f.mask[:]) == fld.Max() }

// IsZero reports whether nothing is told.
func (f *Fact) IsZero() bool { return f.mask == [mad.DataSize]byte{} }

// NodeField finds a field of NodeInfo by its name in package smp. A name that is
// not there gives the zero Field, which no value changes.
func NodeField(name string) field.Field { return byName(new(smp.NodeInfo).Fields(), name) }

// PortField finds a field of PortInfo.
func PortField(name string) field.Field { return byName(new(smp.PortInfo).Fields(), name) }

// SwitchField finds a field of SwitchInfo.
func SwitchField(name string) field.Field { return byName(new(smp.SwitchInfo).Fields(), name) }

func byName(t field.Table, name string) field.Field {
	for i := range t {
		if t[i].Go == name {
			return t[i]
		}
	}
	return field.Field{}
}

// Fields that this package itself works with.
var (
	fieldLID       = PortField("LID")
	fieldState     = PortField("State")
	fieldPhys      = PortField("PhysState")
	fieldWidth     = PortField("LinkWidthActive")
	fieldBase      = PortField("LinkSpeedActive")
	fieldExt       = PortField("LinkSpeedExtActive")
	fieldExt2      = PortField("LinkSpeedExtActive2")
	fieldCapMask   = PortField("CapMask")
	fieldCapMask2  = PortField("CapMask2")
	fieldLocalPort = PortField("LocalPort")
	fieldNodeType  = NodeField("NodeType")
	fieldNumPorts  = NodeField("NumPorts")
	fieldPortGUID  = NodeField("PortGUID")
	fieldArrival   = NodeField("LocalPort")
)

// Link tells the state of a port that is linked: width and speed in use. Of a
// speed that the extended fields hold nothing is told about the base field, and
// of one that the base field holds nothing about the others: some tools know the
// base field only, in which faster links are QDR.
func (f *Fact) Link(width ib.LinkWidth, speed ib.LinkSpeed) {
	if width != 0 {
		f.Set(fieldWidth, uint64(width))
	}
	switch {
	case speed == ib.SpeedFDR10:
		f.Set(fieldBase, uint64(ib.SpeedQDR.Base())) // File.FDR10 tells the rest
	case speed.Ext2() != 0:
		f.Set(fieldExt2, uint64(speed.Ext2()))
	case speed.Ext() != 0:
		f.Set(fieldExt, uint64(speed.Ext()))
	case speed.Base() != 0:
		f.Set(fieldBase, uint64(speed.Base()))
	}
}

// States tells the logical and the physical state; 0 is not told.
func (f *Fact) States(state ib.PortState, phys ib.PhysState) {
	if state != 0 {
		f.Set(fieldState, uint64(state))
	}
	if phys != 0 {
		f.Set(fieldPhys, uint64(phys))
	}
}

// LID tells the base LID. Zero, which is what some tools print for a LID that they
// do not know, is not told.
func (f *Fact) LID(lid ib.LID) {
	if lid != 0 {
		f.Set(fieldLID, uint64(lid))
	}
}
