package smp

import "github.com/ibscope/ibscope/ib"

// SMInfo describes a subnet manager (14.2.5.13). The attribute modifier is 0
// in a Get; in a Set it is one of the SMControl values.
//
//mad:attr id=0x0020
type SMInfo struct {
	GUID     ib.GUID    `mad:"0,64" c:"SmInfoGuid,hex"`
	SMKey    uint64     `mad:"64,64" c:"SmInfoKey,hex,secret"`
	ActCount uint32     `mad:"128,32" c:"SmActivity,uint"` // grows while the manager lives
	Priority uint8      `mad:"160,4" c:"SmPriority,uint"`  // 0…15, the highest wins
	State    ib.SMState `mad:"164,4" c:"SmState,uint"`
}

// What a Set of SMInfo asks of the other manager (14.4.1).
const (
	SMControlHandover    uint32 = 1
	SMControlAcknowledge uint32 = 2
	SMControlDisable     uint32 = 3
	SMControlStandby     uint32 = 4
	SMControlDiscover    uint32 = 5
)
