package gs

import "github.com/ibscope/ibscope/ib"

// InformInfo asks a manager to forward notices, or to stop (13.4.8.3).
//
//mad:part size=36
type InformInfo struct {
	GID           ib.GID `mad:"0,128" c:"InformInfoGid,array"`           // of the source; if 0, the LID range counts
	LIDRangeBegin ib.LID `mad:"128,16" c:"InformInfoLidRangeBegin,uint"` // 0xffff for all sources
	LIDRangeEnd   ib.LID `mad:"144,16" c:"InformInfoLidRangeEnd,uint"`   // 0 if it is one LID
	IsGeneric     uint8  `mad:"176,8" c:"InformInfoIsGeneric,uint"`      // 1 generic, 0 vendor
	Subscribe     uint8  `mad:"184,8" c:"InformInfoSubscribe,uint"`      // 1 to begin, 0 to end
	Type          uint16 `mad:"192,16" c:"InformInfoType,hex"`           // of notices, as in Notice; 0xffff for all
	TrapNumber    uint16 `mad:"208,16" c:"InformInfoTrapNumber,uint"`    // device ID if not generic; 0xffff for all
	QPN           uint32 `mad:"224,24" c:"InformInfoQPN,hex"`            // queue pair that reports go to, at the end of a subscription
	RespTimeValue uint8  `mad:"251,5" c:"InformInfoRespTimeVal,uint"`    // as in ClassPortInfo
	ProducerType  uint32 `mad:"264,24" c:"InformInfoProducerType,hex"`   // ib.NodeType if generic, else OUI
}
