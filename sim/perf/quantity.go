package perf

import "sync"

// quantity is a thing that is counted at a port: its kind, and in the low four
// bits which one of an array, by virtual lane, service level or physical lane.
type quantity uint16

func (q quantity) kind() quantity { return q &^ 0xf }
func (q quantity) element() int   { return int(q & 0xf) }

// The kinds.
const (
	nothing quantity = iota << 4 // what nothing here moves
	xmitWords
	rcvWords
	xmitPkts
	rcvPkts
	xmitUnicast
	rcvUnicast
	xmitMulticast
	rcvMulticast
	xmitWait
	symbolErrors
	linkRecovery
	linkDowned
	rcvErrors
	rcvRemotePhys
	rcvRelay
	xmitDiscards
	xmitConstraint
	rcvConstraint
	localIntegrity
	overruns
	vl15Dropped
	qp1Dropped
	localPhysical
	malformed
	dlidMapping
	vlMapping
	looping
	inactiveDiscards
	mtuDiscards
	lifetimeDiscards
	headOfQueueDiscards
	opcodePkts
	opcodeWords
	rcvFECN
	rcvBECN
	vlOpcodePkts
	vlOpcodeWords
	vlUpdateErrors
	vlXmitWait
	vlCongestion
	slRcvFECN
	slRcvBECN
	slXmitWords
	slRcvWords
	syncHeaders
	unknownBlocks
	laneErrors
	laneCorrected   // blocks, or symbols with Reed-Solomon
	laneUncorrected // blocks
	blocksCorrected
	blocksUncorrected
	symbolsCorrected
)

// kinds names the counters of all attributes, by attribute and field of package
// pma. The fields of the first two attributes have the same names. Nothing is made before
// a fabric is simulated: each tool would wait for it.
var kinds = sync.OnceValue(func() map[string]map[string]quantity {
	return map[string]map[string]quantity{
		"PortCounters":                  basicKinds(),
		"PortCountersExtended":          basicKinds(),
		"PortRcvErrorDetails":           detailKinds(),
		"PortXmitDiscardDetails":        detailKinds(),
		"PortOpRcvCounters":             {"OpRcvPkts": opcodePkts, "OpRcvData": opcodeWords},
		"PortFlowCtlCounters":           {"XmitFlowPkts": rcvPkts, "RcvFlowPkts": xmitPkts}, // a credit for each packet
		"PortVLOpPackets":               {"VLs": vlOpcodePkts},
		"PortVLOpData":                  {"VLs": vlOpcodeWords},
		"PortVLXmitFlowCtlUpdateErrors": {"VLs": vlUpdateErrors},
		"PortVLXmitWaitCounters":        {"VLs": vlXmitWait},
		"PortExtendedSpeedsCounters":    laneKinds(),
		"RSFECSpeedsCounters":           laneKinds(),
		"SwPortVLCongestion":            {"VLs": vlCongestion},
		"PortRcvConCtrl":                {"PktRcvFECN": rcvFECN, "PktRcvBECN": rcvBECN},
		"PortSLRcvFECN":                 {"SLs": slRcvFECN},
		"PortSLRcvBECN":                 {"SLs": slRcvBECN},
		"PortXmitConCtrl":               {"XmitTimeCong": xmitWait},
		"PortVLXmitTimeCong":            {"VLs": vlXmitWait},
		"PortXmitDataSL":                {"SLs": slXmitWords},
		"PortRcvDataSL":                 {"SLs": slRcvWords},
	}
})

func basicKinds() map[string]quantity {
	return map[string]quantity{
		"XmitData": xmitWords, "RcvData": rcvWords, "XmitPkts": xmitPkts, "RcvPkts": rcvPkts,
		"UnicastXmitPkts": xmitUnicast, "UnicastRcvPkts": rcvUnicast,
		"MulticastXmitPkts": xmitMulticast, "MulticastRcvPkts": rcvMulticast, "XmitWait": xmitWait,
		"SymbolErrors": symbolErrors, "LinkErrorRecovery": linkRecovery, "LinkDowned": linkDowned,
		"RcvErrors": rcvErrors, "RcvRemotePhysErrors": rcvRemotePhys, "RcvSwitchRelayErrors": rcvRelay,
		"XmitDiscards": xmitDiscards, "XmitConstraintErrors": xmitConstraint, "RcvConstraintErrors": rcvConstraint,
		"LocalLinkIntegrity": localIntegrity, "ExcessiveBufferOverrun": overruns,
		"VL15Dropped": vl15Dropped, "QP1Dropped": qp1Dropped,
	}
}

func detailKinds() map[string]quantity {
	return map[string]quantity{
		"LocalPhysicalErrors": localPhysical, "MalformedPktErrors": malformed, "BufferOverrunErrors": overruns,
		"DLIDMappingErrors": dlidMapping, "VLMappingErrors": vlMapping, "LoopingErrors": looping,
		"InactiveDiscards": inactiveDiscards, "NeighborMTUDiscards": mtuDiscards,
		"SwLifetimeLimitDiscards": lifetimeDiscards, "SwHOQLifetimeLimitDiscards": headOfQueueDiscards,
	}
}

func laneKinds() map[string]quantity {
	return map[string]quantity{
		"SyncHeaderErrors": syncHeaders, "UnknownBlocks": unknownBlocks, "ErrorDetection": laneErrors,
		"FECCorrectableSymbols": laneCorrected, "FECCorrectableBlocks": laneCorrected, "FECUncorrectableBlocks": laneUncorrected,
		"FECCorrectedSymbols": symbolsCorrected,
	}
}

// totalKinds replaces what has the same name with Reed-Solomon, but is one
// number for the port there.
func totalKinds() map[string]quantity {
	return map[string]quantity{
		"FECCorrectableBlocks": blocksCorrected, "FECUncorrectableBlocks": blocksUncorrected,
	}
}

// kindOf finds the quantity of a counter; nothing for a field that is none.
func kindOf(attribute, field string) quantity {
	if attribute == "RSFECSpeedsCounters" {
		if q, ok := totalKinds()[field]; ok {
			return q
		}
	}
	return kinds()[attribute][field]
}
