package pcap

import (
	"fmt"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/pcap"
)

// what is the name of a MAD as the specification has it, "SubnGet(NodeInfo)".
func what(class mad.Class, method mad.Method, id mad.AttrID) string {
	name := class.String()
	switch {
	case class == mad.ClassSubnDirected:
		name = mad.ClassSubnLID.String() // the route says it
	case strings.ContainsRune(name, ' '):
		name += " "
	}
	return fmt.Sprintf("%s%s(%s)", name, method, attr.Name(class, id))
}

// peer is the other end: a directed route, a LID, or both. Of a capture that does
// not say which end was its own, both ends are shown.
func peer(r *pcap.Record) string {
	route := ""
	if r.Packet.Class() == mad.ClassSubnDirected {
		route = routeOf(&r.Packet)
	}
	lids := fmt.Sprintf("LID %d", r.Header.DLID)
	switch {
	case r.Kind == pcap.Received:
		lids = fmt.Sprintf("LID %d", r.Header.SLID)
	case r.Kind == pcap.Unknown:
		lids = fmt.Sprintf("LID %d>%d", r.Header.SLID, r.Header.DLID)
	}
	switch {
	case route == "":
		return lids
	case r.Header.SLID == ib.PermissiveLID && r.Header.DLID == ib.PermissiveLID:
		return route
	case r.Kind == pcap.Received && r.Header.SLID == ib.PermissiveLID, r.Kind != pcap.Received && r.Header.DLID == ib.PermissiveLID:
		return route
	}
	return lids + " " + route
}

// routeOf is the directed route of an SMP, from the requester.
func routeOf(p *mad.Packet) string {
	hops := int(p.HopCount())
	if hops > ib.MaxHops {
		return fmt.Sprintf("route of %d hops", hops)
	}
	var ports []int
	for _, port := range p.InitialPath()[1 : 1+hops] {
		ports = append(ports, int(port))
	}
	path, err := ib.NewDRPath(ports...)
	if err != nil {
		return fmt.Sprintf("route of %d hops", hops)
	}
	return path.String()
}

// statusWords are the status of a reply, "" for what is none.
func statusWords(p *mad.Packet) string {
	switch {
	case !p.IsResponse():
		return ""
	case p.Status() == mad.StatusOK:
		return "ok"
	}
	return p.Status().Error()
}

// rmppWords are what the reliable protocol does with a packet.
func rmppWords(p *mad.Packet) string {
	if !p.IsRMPP() {
		return ""
	}
	h := p.RMPP()
	switch h.Type {
	case mad.RMPPData:
		return segmentWords(&h)
	case mad.RMPPAck:
		return fmt.Sprintf("acknowledges segment %d, up to %d may come", h.Data1, h.Data2)
	case mad.RMPPStop:
		return "stop: " + h.Status.Error()
	case mad.RMPPAbort:
		return "abort: " + h.Status.Error()
	}
	return fmt.Sprintf("RMPP type %d", h.Type)
}

// segmentWords are which part of its message a packet is.
func segmentWords(h *mad.RMPPHeader) string {
	switch h.Flags & (mad.RMPPFirst | mad.RMPPLast) {
	case mad.RMPPFirst:
		return fmt.Sprintf("segment %d, the first of %d bytes", h.Data1, h.Data2)
	case mad.RMPPLast:
		return fmt.Sprintf("segment %d, the last with %d bytes", h.Data1, h.Data2)
	case mad.RMPPFirst | mad.RMPPLast:
		return fmt.Sprintf("segment %d, the only one with %d bytes", h.Data1, h.Data2)
	}
	return fmt.Sprintf("segment %d", h.Data1)
}

// roleWords are what is unusual about a MAD, and how long a reply took.
func roleWords(e *entry) string {
	switch e.Role {
	case pcap.Retry:
		return fmt.Sprintf("try %d", e.Tries)
	case pcap.Reply:
		if e.Tries > 1 {
			return fmt.Sprintf("after %v and %d tries", rounded(e.Latency), e.Tries)
		}
		return fmt.Sprintf("after %v", rounded(e.Latency))
	case pcap.Duplicate:
		return "once more"
	case pcap.Stray:
		return "nobody asked"
	}
	return ""
}

// rounded is a duration with three or four digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit)
}

// lostWords say why a request was not sent or not answered.
func lostWords(r *pcap.Record) string {
	if r.Kind.IsOnWire() {
		return escape.Text(r.Comment)
	}
	return r.Kind.String() + ": " + escape.Text(r.Comment)
}
