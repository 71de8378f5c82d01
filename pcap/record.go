package pcap

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Kind is what happened to a MAD at the port where it was captured.
type Kind uint8

// The kinds. Captures that do not tell have Unknown.
const (
	Unknown    Kind = iota
	Sent            // it was handed to the port
	Received        // it came from the fabric
	SendFailed      // it could not be handed to the port
	Unanswered      // the port gave up waiting for the reply to this request
)

// IsOnWire reports whether the MAD has passed the link.
func (k Kind) IsOnWire() bool { return k != SendFailed && k != Unanswered }

// Record is a MAD in a capture.
type Record struct {
	Time      time.Time
	Kind      Kind
	Interface string // where it was captured, "" if the capture does not say
	Comment   string // what else the capture says; with SendFailed and Unanswered why
	Header    Header
	Packet    mad.Packet
}

// Header is what stands before a MAD on the wire (IBA vol. 1, 7.7, 8.3, 9.2 and
// 9.3). The LID 0 stands for one that was not known when the capture was made.
type Header struct {
	VL, SL     uint8
	SLID, DLID ib.LID
	HasGRH     bool
	GRH        GRH // if HasGRH
	PKey       uint16
	DestQP     uint32 // 24 bits
	PSN        uint32 // 24 bits
	QKey       uint32
	SrcQP      uint32 // 24 bits
}

// GRH is a global route header.
type GRH struct {
	TrafficClass uint8
	FlowLabel    uint32 // 20 bits
	HopLimit     uint8
	SGID, DGID   ib.GID
}
