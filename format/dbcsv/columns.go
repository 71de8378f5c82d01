package dbcsv

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/field"
)

// column is a column that is read.
type column struct {
	name string
	at   int
	must bool                              // a row without it is left out
	take func(v *values, text string) bool // false where the text is no value
}

// number reads decimal, or hexadecimal with 0x in front.
func number(text string, bits int) (uint64, bool) {
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, bits)
		return n, err == nil
	}
	n, err := strconv.ParseUint(text, 10, bits)
	return n, err == nil
}

// into puts a number into the fact.
func into(f field.Field) func(*values, string) bool {
	return func(v *values, text string) bool {
		n, ok := number(text, 64)
		if !ok || n > f.Max() {
			return false
		}
		v.fact.Set(f, n)
		return true
	}
}

func guidInto(to func(*values) *ib.GUID) func(*values, string) bool {
	return func(v *values, text string) bool {
		n, ok := number(text, 64)
		if ok {
			*to(v) = ib.GUID(n)
		}
		return ok
	}
}

func numInto(to func(*values) *int) func(*values, string) bool {
	return func(v *values, text string) bool {
		n, ok := number(text, 8)
		if ok {
			*to(v) = int(n)
		}
		return ok
	}
}

// identity are the columns that say which port a row is about, as the sections
// spell them.
func identity(upper string) (func(*values, string) bool, bool) {
	switch upper {
	case "NODEGUID", "NODEGUID1":
		return guidInto(func(v *values) *ib.GUID { return &v.node }), true
	case "PORTGUID":
		return guidInto(func(v *values) *ib.GUID { return &v.port }), true
	case "PORTNUM", "PORTNUMBER", "PORTNUM1":
		return numInto(func(v *values) *int { return &v.num }), true
	case "NODEGUID2":
		return guidInto(func(v *values) *ib.GUID { return &v.far.Node }), true
	case "PORTNUM2":
		return numInto(func(v *values) *int { return &v.far.Port }), true
	}
	return nil, false
}

// speeds reads the number that PORTS has for a set of speeds: the base speeds in
// its lowest byte, the extended ones in the next, NVIDIA's own (FDR10) in the
// third. The fourth, which old versions call reserved, is taken for the second
// extended field (XDR).
func speeds(text string) (ib.LinkSpeed, bool) {
	n, ok := number(text, 32)
	s := ib.SpeedFrom(uint8(n&0xf), uint8(n>>8&0x1f), uint8(n>>24&0x7))
	if n>>16&1 != 0 {
		s |= ib.SpeedFDR10
	}
	return s, ok
}

// fieldsOf finds a field by the name of a column, where it differs from that in
// package smp by its case only, or is in a table of other names.
func fieldsOf(t field.Table, others map[string]string, upper string) (field.Field, bool) {
	if name, ok := others[upper]; ok {
		upper = strings.ToUpper(name)
	}
	for i := range t {
		if t[i].Flags&(field.Alias|field.Secret) == 0 && strings.ToUpper(t[i].Go) == upper {
			return t[i], true
		}
	}
	return field.Field{}, false
}

// link tells the speeds.
func (v *values) link() {
	v.fact.Link(0, v.speed) // the width has a column of its own
	supportedFields.tell(&v.fact, v.supported)
	enabledFields.tell(&v.fact, v.enabled)
	v.fdr10 = v.speed&ib.SpeedFDR10 != 0
}

// speedFields are the fields that hold a set of speeds.
type speedFields struct{ base, ext, ext2 field.Field }

var (
	supportedFields = speedFields{facts.PortField("LinkSpeedSupported"), facts.PortField("LinkSpeedExtSupported"), facts.PortField("LinkSpeedExtSupported2")}
	enabledFields   = speedFields{facts.PortField("LinkSpeedEnabled"), facts.PortField("LinkSpeedExtEnabled"), facts.PortField("LinkSpeedExtEnabled2")}
)

func (s *speedFields) tell(f *facts.Fact, set ib.LinkSpeed) {
	if set != 0 {
		f.Set(s.base, uint64(set.Base()))
		f.Set(s.ext, uint64(set.Ext()))
		f.Set(s.ext2, uint64(set.Ext2()))
	}
}
