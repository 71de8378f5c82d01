package traffic

import (
	"math"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// A Rule is the traffic on some links. Where several rules fit a link, the
// fields of a later one that are not zero take the place of the former's.
type Rule struct {
	// Which links, both ends of them. Node 0 is all links; Port 0 is all links of
	// the node.
	Node ib.GUID
	Port int

	Load       float64       // share of the data rate in use, the mean of each direction: 0…1
	Spread     float64       // how much the directions differ: each has Load times 1±Spread, 0…1
	Swing      float64       // how much the load swings around its mean in each Period, 0…1
	Period     time.Duration // of the swing; 0 is one minute
	PacketSize int           // bytes with headers, 32…4224; 0 is 2048
	Multicast  float64       // share of the packets, 0…1
	Wait       float64       // share of the time in which a port has data and cannot send, 0…1
	Marked     float64       // share of the packets with FECN; as many come back with BECN, 0…1

	// Events is how often per second something happens at a port, by Event.
	Events [NumEvents]float64
}

// Event is what may happen at a port.
type Event uint8

// The events. Each moves the counter of that name; RcvErrors count as local
// physical errors, XmitDiscards as packets too long at the head of a queue.
const (
	SymbolErrors Event = iota
	LinkErrorRecovery
	LinkDowned
	RcvErrors
	RcvRemotePhysErrors
	XmitDiscards
	LocalLinkIntegrity
	BufferOverruns
	VL15Dropped
	FECCorrected
	FECUncorrected
	NumEvents
)

var eventNames = [NumEvents]string{
	"symbol-errors", "link-recovered", "link-downed", "rcv-errors", "remote-errors", "discards",
	"integrity-errors", "overruns", "vl15-dropped", "fec-corrected", "fec-uncorrected",
}

// String is the name that ParseRule knows.
func (e Event) String() string {
	if e < NumEvents {
		return eventNames[e]
	}
	return "event " + strconv.Itoa(int(e))
}

const (
	defaultPeriod = time.Minute
	defaultSize   = 2048
	minSize       = 32
	maxSize       = 4224 // MTU 4096 and all headers
	maxEventRate  = 1e9
)

// check finds values out of range.
func (r *Rule) check(op, obj string) error {
	for _, s := range []struct {
		name string
		v    float64
	}{{"load", r.Load}, {"spread", r.Spread}, {"swing", r.Swing}, {"multicast", r.Multicast}, {"wait", r.Wait}, {"marked", r.Marked}} {
		if !(s.v >= 0 && s.v <= 1) {
			return invalid(op, obj, "%s %v is not from 0 to 1", s.name, s.v)
		}
	}
	if r.PacketSize != 0 && (r.PacketSize < minSize || r.PacketSize > maxSize) {
		return invalid(op, obj, "size %d is not from %d to %d bytes", r.PacketSize, minSize, maxSize)
	}
	if r.Period < 0 || r.Period > 0 && r.Period < time.Millisecond {
		return invalid(op, obj, "period %v is shorter than a millisecond", r.Period)
	}
	if r.Port < 0 || r.Port > 255 || r.Port != 0 && r.Node == 0 {
		return invalid(op, obj, "port %d wants the GUID of a node and a number to 255", r.Port)
	}
	for e, rate := range r.Events {
		if !(rate >= 0 && rate <= maxEventRate) || math.IsNaN(rate) {
			return invalid(op, obj, "%s %v a second is not from 0 to %.0f", Event(e), rate, maxEventRate)
		}
	}
	return nil
}

// fits tells whether the rule is about a port.
func (r *Rule) fits(node ib.GUID, port int) bool {
	return r.Node == 0 || r.Node == node && (r.Port == 0 || r.Port == port)
}

// merge puts what a later rule says over r.
func (r *Rule) merge(later *Rule) {
	over(&r.Load, later.Load)
	over(&r.Spread, later.Spread)
	over(&r.Swing, later.Swing)
	over(&r.Period, later.Period)
	over(&r.PacketSize, later.PacketSize)
	over(&r.Multicast, later.Multicast)
	over(&r.Wait, later.Wait)
	over(&r.Marked, later.Marked)
	for e := range r.Events {
		over(&r.Events[e], later.Events[e])
	}
}

func over[T comparable](field *T, v T) {
	var zero T
	if v != zero {
		*field = v
	}
}
