package perfquery

import (
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// counters is an attribute with counters.
type counters interface {
	madrpc.Attribute
	field.Value
}

// kind is a group of counters that an option asks for.
type kind struct {
	option string
	name   string // in the line above the counters
	make   func() counters
}

// kinds are the special groups; the first of them that is asked for is shown.
var kinds = []kind{
	{"xmtsl", "PortXmitDataSL", func() counters { return new(pma.PortXmitDataSL) }},
	{"rcvsl", "PortRcvDataSL", func() counters { return new(pma.PortRcvDataSL) }},
	{"xmtdisc", "PortXmitDiscardDetails", func() counters { return new(pma.PortXmitDiscardDetails) }},
	{"rcverr", "PortRcvErrorDetails", func() counters { return new(pma.PortRcvErrorDetails) }},
	{"extended_speeds", speedsName, func() counters { return new(pma.PortExtendedSpeedsCounters) }},
	{"oprcvcounters", "PortOpRcvCounters", func() counters { return new(pma.PortOpRcvCounters) }},
	{"flowctlcounters", "PortFlowCtlCounters", func() counters { return new(pma.PortFlowCtlCounters) }},
	{"vloppackets", "PortVLOpPackets", func() counters { return new(pma.PortVLOpPackets) }},
	{"vlopdata", "PortVLOpData", func() counters { return new(pma.PortVLOpData) }},
	{"vlxmitflowctlerrors", "PortVLXmitFlowCtlUpdateErrors", func() counters { return new(pma.PortVLXmitFlowCtlUpdateErrors) }},
	{"vlxmitcounters", "PortVLXmitWaitCounters", func() counters { return new(pma.PortVLXmitWaitCounters) }},
	{"swportvlcong", "SwPortVLCongestion", func() counters { return new(pma.SwPortVLCongestion) }},
	{"rcvcc", "PortRcvConCtrl", func() counters { return new(pma.PortRcvConCtrl) }},
	{"slrcvfecn", "PortSLRcvFECN", func() counters { return new(pma.PortSLRcvFECN) }},
	{"slrcvbecn", "PortSLRcvBECN", func() counters { return new(pma.PortSLRcvBECN) }},
	{"xmitcc", "PortXmitConCtrl", func() counters { return new(pma.PortXmitConCtrl) }},
	{"vlxmittimecc", "PortVLXmitTimeCong", func() counters { return new(pma.PortVLXmitTimeCong) }},
	{"smplctl", "PortSamplesControl", func() counters { return new(pma.PortSamplesControl) }},
}

const speedsName = "PortExtendedSpeedsCounters"

// special is the first special group that is asked for, nil for none.
func (s *settings) special() *kind {
	for i := range kinds {
		if s.asked[kinds[i].option] {
			return &kinds[i]
		}
	}
	return nil
}
