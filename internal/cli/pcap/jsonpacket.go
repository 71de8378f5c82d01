package pcap

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/pcap"
)

// packetJSON is a MAD.
type packetJSON struct {
	Record         string          `json:"record,omitempty"`
	Time           string          `json:"time"`
	SinceSeconds   float64         `json:"since_seconds"`
	Interface      string          `json:"interface,omitempty"`
	Direction      string          `json:"direction,omitempty"`
	Comment        string          `json:"comment,omitempty"`
	SLID           uint16          `json:"slid"`
	DLID           uint16          `json:"dlid"`
	SL             uint8           `json:"sl"`
	SGID           string          `json:"sgid,omitempty"`
	DGID           string          `json:"dgid,omitempty"`
	SourceQP       uint32          `json:"source_qp"`
	DestinationQP  uint32          `json:"destination_qp"`
	Path           string          `json:"path,omitempty"`
	Class          string          `json:"class"`
	ClassID        string          `json:"class_id"`
	Method         string          `json:"method"`
	MethodID       string          `json:"method_id"`
	Attribute      string          `json:"attribute"`
	AttributeID    string          `json:"attribute_id"`
	Modifier       uint32          `json:"modifier"`
	TID            string          `json:"tid"`
	Status         *uint16         `json:"status,omitempty"`
	StatusText     string          `json:"status_text,omitempty"`
	RMPP           *rmppJSON       `json:"rmpp,omitempty"`
	Role           string          `json:"role"`
	Tries          int             `json:"tries,omitempty"`
	LatencySeconds *float64        `json:"latency_seconds,omitempty"`
	Fields         json.RawMessage `json:"fields,omitempty"`
}

// rmppJSON is the header of the reliable protocol.
type rmppJSON struct {
	Type    string  `json:"type"`
	Segment uint32  `json:"segment"`
	First   bool    `json:"first,omitempty"`
	Last    bool    `json:"last,omitempty"`
	Bytes   *uint32 `json:"payload_bytes,omitempty"`
	Window  *uint32 `json:"window_last,omitempty"`
	Status  string  `json:"status_text,omitempty"`
}

func (j *jsonPrinter) packet(e *entry) *packetJSON {
	p, h := &e.Packet, &e.Header
	one := &packetJSON{
		Time: e.Time.UTC().Format(time.RFC3339Nano), SinceSeconds: seconds(e.since), Interface: e.Interface,
		Direction: e.Kind.String(), Comment: e.Comment,
		SLID: uint16(h.SLID), DLID: uint16(h.DLID), SL: h.SL, SourceQP: h.SrcQP, DestinationQP: h.DestQP,
		Class: p.Class().String(), ClassID: fmt.Sprintf("0x%02x", uint8(p.Class())),
		Method: p.Method().String(), MethodID: fmt.Sprintf("0x%02x", uint8(p.Method())),
		Attribute: attributeName(p.Class(), p.AttrID()), AttributeID: p.AttrID().String(),
		Modifier: p.Modifier(), TID: fmt.Sprintf("0x%016x", p.TID()),
		RMPP: rmppOf(p), Role: roleNames[e.Role], Tries: e.Tries, Fields: j.fields(p),
	}
	if h.HasGRH {
		one.SGID, one.DGID = h.GRH.SGID.String(), h.GRH.DGID.String()
	}
	if p.Class() == mad.ClassSubnDirected {
		one.Path = routeOf(p)
	}
	if p.IsResponse() {
		status := uint16(p.Status())
		one.Status, one.StatusText = &status, statusWords(p)
	}
	if e.Role == pcap.Reply {
		latency := seconds(e.Latency)
		one.LatencySeconds = &latency
	}
	return one
}

func attributeName(class mad.Class, id mad.AttrID) string { return attr.Name(class, id) }

// roleNames are the roles in JSON.
var roleNames = map[pcap.Role]string{
	pcap.OneWay: "one-way", pcap.Request: "request", pcap.Retry: "retry", pcap.Reply: "reply", pcap.Segment: "segment",
	pcap.Duplicate: "duplicate", pcap.Stray: "stray", pcap.Control: "control", pcap.Lost: "lost",
}

func rmppOf(p *mad.Packet) *rmppJSON {
	if !p.IsRMPP() {
		return nil
	}
	h := p.RMPP()
	one := &rmppJSON{Type: fmt.Sprintf("type %d", h.Type), Segment: h.Data1}
	switch h.Type {
	case mad.RMPPData:
		one.Type = "DATA"
		one.First, one.Last = h.Flags&mad.RMPPFirst != 0, h.Flags&mad.RMPPLast != 0
		one.Bytes = &h.Data2
	case mad.RMPPAck:
		one.Type = "ACK"
		one.Window = &h.Data2
	case mad.RMPPStop:
		one.Type, one.Status = "STOP", h.Status.Error()
	case mad.RMPPAbort:
		one.Type, one.Status = "ABORT", h.Status.Error()
	}
	return one
}
