package sa

import "github.com/ibscope/ibscope/ib"

// MCMemberRecord is the membership of a port in a multicast group, or the group
// itself when PortGID is not asked for (15.2.5.17). Set joins, Delete leaves.
//
//mad:attr id=0x0038 size=52
type MCMemberRecord struct {
	MGID            ib.GID  `mad:"0,128" c:"McastMemMGid,array" sa:"0"`
	PortGID         ib.GID  `mad:"128,128" c:"McastMemPortGid,array" sa:"1"`
	QKey            uint32  `mad:"256,32" c:"McastMemQkey,hex" sa:"2"`
	MLID            ib.LID  `mad:"288,16" c:"McastMemMLid,hex" sa:"3"`
	SL              uint8   `mad:"352,4" c:"McastMemSL,uint" sa:"12"`
	MTUSelector     uint8   `mad:"304,2" c:"McastMemMTUSelector,uint,extra" sa:"4"`
	MTU             ib.MTU  `mad:"306,6" c:"McastMemMTU,uint" sa:"5"`
	RateSelector    uint8   `mad:"336,2" c:"McastMemRateSelector,uint,extra" sa:"8"`
	Rate            Rate    `mad:"338,6" c:"McastMemRate,uint" sa:"9"`
	TClass          uint8   `mad:"312,8" c:"McastMemTClass,uint" sa:"6"`
	PKey            ib.PKey `mad:"320,16" c:"McastMemPkey,uint" sa:"7"`
	PktLifeSelector uint8   `mad:"344,2" c:"McastMemPktLifeSelector,uint,extra" sa:"10"`
	PktLife         uint8   `mad:"346,6" c:"McastMemPktLife,uint,extra" sa:"11"` // 4.096 µs · 2^value
	FlowLabel       uint32  `mad:"356,20" c:"McastMemFlowLbl,uint" sa:"13"`
	HopLimit        uint8   `mad:"376,8" c:"McastMemHopLimit,uint,extra" sa:"14"`
	Scope           uint8   `mad:"384,4" c:"McastMemScope,uint,extra" sa:"15"`
	JoinState       uint8   `mad:"388,4" c:"McastMemJoinState,uint" sa:"16"` // Join… bits
	ProxyJoin       bool    `mad:"392,1" c:"McastMemProxyJoin,uint" sa:"17"` // another node has joined for the port
}

// Bits of MCMemberRecord.JoinState.
const (
	JoinFull         uint8 = 1 << 0
	JoinNon          uint8 = 1 << 1
	JoinSendOnlyNon  uint8 = 1 << 2
	JoinSendOnlyFull uint8 = 1 << 3
)
