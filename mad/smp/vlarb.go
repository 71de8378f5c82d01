package smp

import "fmt"

// VLArbitrationTable is a half of one of a port's two arbitration tables
// (14.2.5.9): the lanes that take turns, and for how long. The attribute
// modifier comes from VLArbModifier. A weight of 0 skips the entry.
//
//mad:attr id=0x0018
//mad:alias 0,512 VLArbTbl,array
//mad:dump custom
type VLArbitrationTable struct {
	VLs     [32]uint8 `mad:"4,4*32/16" c:"VL,uint"`
	Weights [32]uint8 `mad:"8,8*32/16" c:"Weight,uint"` // units of 64 bytes
}

// VLArbPerBlock is the number of entries in a VLArbitrationTable.
const VLArbPerBlock = 32

// AppendDump appends the two lines that libibmad prints for the table, lanes
// and weights, with an empty line before them.
func (v *VLArbitrationTable) AppendDump(dst []byte) []byte { return v.AppendEntries(dst, len(v.VLs)) }

// AppendEntries is AppendDump of the first n entries, for ports whose tables
// are shorter (PortInfo.VLArbHighCap, VLArbLowCap).
func (v *VLArbitrationTable) AppendEntries(dst []byte, n int) []byte {
	n = max(0, min(n, len(v.VLs)))
	dst = append(dst, "\nVL    : |"...)
	for _, vl := range v.VLs[:n] {
		dst = fmt.Appendf(dst, "0x%-2X|", vl&0xf)
	}
	dst = append(dst, "\nWEIGHT: |"...)
	for _, w := range v.Weights[:n] {
		dst = fmt.Appendf(dst, "0x%-2X|", w)
	}
	return append(dst, '\n')
}
