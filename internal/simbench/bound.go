package simbench

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// LowerBound is the least time in which a sweep can know a fabric in which nothing
// gets lost and nothing is dead, however it goes about it: as long as it asks for a
// node's ports when it has that node's NodeInfo, and for NodeInfo behind a port when
// it has that port's PortInfo. It is the longest of
//
//   - the chain of round trips to a node, one after the other, and then the work of
//     that node's agent: NodeInfo, NodeDescription, and PortInfo of its port; of a
//     switch PortInfo of all ports and SwitchInfo;
//   - the same for all switches on average, with what it takes to find each cable
//     between two of them, which is a NodeInfo that one of them answers; and as a
//     switch tells of one port at a time, the switches known get more only so fast;
//   - the time in which the port of the program can send all these requests; and what
//     it cannot send before some time, because it does not know yet whom to ask, it has
//     to send after that.
//
// With a subtree to which only one port leads, and other accidents, more may be
// needed; never less.
func LowerBound(model *fabric.Fabric, o *sim.Options) time.Duration {
	b := bound{reach: newReach(model, nil), o: o}
	for n := range b.nodes {
		b.add(n)
	}
	cables := 0
	for l := range model.Links() {
		if b.hasLink(l) && l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			cables++
		}
	}
	b.requests += cables
	average := time.Duration(0)
	if b.switches > 0 {
		// One cable, to the start, has its NodeInfo counted by no switch.
		work := time.Duration(b.switchRequests+cables) * o.Physics.SMA.Time
		sum := time.Duration(0)
		for _, start := range b.beginnings() {
			sum += start
		}
		average = (sum + work) / time.Duration(b.switches)
	}
	return max(b.chain, average, b.injection())
}

// bound is what LowerBound counts.
type bound struct {
	*reach
	o              *sim.Options
	chain          time.Duration   // of the node that is known last
	starts         []time.Duration // when each switch can begin to work
	switches       int
	switchRequests int // without NodeInfo
	mostPorts      int // of a switch
	requests       int
}

// trip is a round trip to a node at some distance that finds the agent idle.
func (b *bound) trip(distance int) time.Duration {
	return b.o.Latency + 2*time.Duration(distance)*b.o.HopLatency + b.o.Physics.SMA.Time
}

// met is when NodeInfo of a node at some distance can be there: for each cable on
// the way NodeInfo of the near node, and PortInfo of the port that leads on.
func (b *bound) metAt(distance int) time.Duration {
	at := b.trip(distance)
	for d := range distance {
		at += 2 * b.trip(d)
	}
	return at
}

func (b *bound) add(n *fabric.Node) {
	distance, service := b.nodes[n], b.o.Physics.SMA.Time
	met := b.metAt(distance)
	others := 2
	if n.Type() == ib.NodeSwitch {
		others = n.NumPorts() + 3
		b.switches++
		b.mostPorts = max(b.mostPorts, n.NumPorts())
		b.switchRequests += others
		b.starts = append(b.starts, met-b.trip(distance))
	} else {
		b.requests++ // NodeInfo; that of switches is over one of their cables
	}
	b.requests += others
	b.chain = max(b.chain, met+b.trip(distance)+time.Duration(others-1)*service)
}

// injection is when the last request can be answered, as far as the port of the program
// is the limit. Until some time it cannot have sent more than what those give cause for
// who are known by then: a switch all its own requests, and each port that it has told of
// NodeInfo behind it and the two more requests of a channel adapter there; the start
// three and NodeInfo behind it. The rest comes after that time.
func (b *bound) injection() time.Duration {
	service, packet := b.o.Physics.SMA.Time, b.o.Physics.Packet
	latest := time.Duration(b.requests-1) * packet
	starts := b.beginnings()
	if len(starts) == 0 || service == 0 {
		return latest + service
	}
	for now := service; now < starts[len(starts)-1]; now += service {
		sendable := 4
		for _, start := range starts {
			if met := start + service; met <= now {
				told := min(int((now-met)/service), b.mostPorts)
				sendable += b.mostPorts + 3 + 3*told
			}
		}
		latest = max(latest, now+time.Duration(b.requests-1-sendable)*packet)
	}
	return latest + service
}

// beginnings tells when the switches can begin to work, at the earliest: each as far from
// the start as it is, and the nth not before n can be known. A switch that is met tells of
// its first port a round trip later, and of one more in each service time; a round trip
// after that the switch behind the port is met.
func (b *bound) beginnings() []time.Duration {
	slices.Sort(b.starts)
	begins := make([]time.Duration, 0, len(b.starts))
	service := b.o.Physics.SMA.Time
	next := []time.Duration{0} // when each switch known so far can lead to one more to work
	for i, start := range b.starts {
		if i > 0 {
			teller := 0
			for j := range next {
				if next[j] < next[teller] {
					teller = j
				}
			}
			start = max(start, next[teller])
			next[teller] += service
		} else {
			next = next[:0]
		}
		begins = append(begins, start)
		next = append(next, start+2*service)
	}
	return begins
}
