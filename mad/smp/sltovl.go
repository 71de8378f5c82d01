package smp

import (
	"fmt"
)

// SLtoVLMappingTable says which virtual lane a packet takes for each service
// level (14.2.5.8). The attribute modifier comes from SLtoVLModifier. VL 15
// means that packets of the service level are dropped.
//
//mad:attr id=0x0017
//mad:alias 0,64 SLToVLMap,hex
//mad:dump custom
type SLtoVLMappingTable struct {
	VLs [16]uint8 `mad:"0,4*16" c:"VL,uint"` // by service level
}

// AppendDump appends the line that libibmad prints for the table: the lanes
// in order of the service levels, between bars.
func (v *SLtoVLMappingTable) AppendDump(dst []byte) []byte {
	dst = append(dst, '|')
	for _, vl := range v.VLs {
		dst = fmt.Appendf(dst, "%2d|", vl&0xf)
	}
	return append(dst, '\n')
}
