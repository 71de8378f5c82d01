package pma

import "github.com/ibscope/ibscope/mad/gs"

// ClassPortInfo describes the agent at a port. A request carries the port number in
// byte 1 of the data, as PortSelect of the counters.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// Bits of ClassPortInfo.CapMask.
const (
	CapAllPortSelect          uint16 = 1 << 8  // PortSelect 0xff stands for all ports
	CapExtendedWidth          uint16 = 1 << 9  // PortCountersExtended, with unicast and multicast
	CapExtendedWidthNoIETF    uint16 = 1 << 10 // PortCountersExtended, without these
	CapSamplesOnly            uint16 = 1 << 11 // counters that can only be sampled
	CapXmitWait               uint16 = 1 << 12 // PortCounters.XmitWait
	CapInhibitLimitedPKey     uint16 = 1 << 13 // a limited P_Key in multicast is no constraint error
	CapRSFECCounters          uint16 = 1 << 14 // RSFECSpeedsCounters
	CapQP1Dropped             uint16 = 1 << 15 // PortCounters.QP1Dropped
	Cap2PMKey                 uint32 = 1 << 0  // of CapMask2: P_M_Key
	Cap2AdditionalExtCounters uint32 = 1 << 1  // of CapMask2: the error counters of PortCountersExtended
)
