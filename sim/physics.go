package sim

import (
	"fmt"
	"os"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Physics tell what takes time in a simulated fabric, and what gets lost,
// beside the Latency, HopLatency and Loss of Options. The zero Physics take no
// time and lose nothing, but count: see Fabric.Statistics. Typical has figures
// of real hardware.
//
// When a reply comes is computed when the request is sent, and to the
// nanosecond: in the virtual time of testing/synctest it comes then, in real
// time as soon after as the machine's timers allow. Requests to one agent are
// served in the order in which they reach it, though what was sent later does
// not move a reply whose time is settled: it gets the first gap that it fits in.
// An agent reads and writes attributes when the request is sent, not when it is
// served.
type Physics struct {
	SMA Service // the agents of subnet management, behind QP0
	GSA Service // those of general services, behind QP1: one queue for all classes of a node

	// Packet is how long a packet keeps the link of an open Port busy: packets
	// leave it, and arrive at it, that much apart. Further on links are never
	// the bottleneck, and their buffers never full.
	Packet time.Duration

	Agents Quality // of each agent
	Links  Quality // of each cable
	Parts  []Part  // what is different from the rest
}

// Service is how an agent works: one request at a time.
type Service struct {
	Time  time.Duration // from a request to its reply
	Queue int           // requests that a port holds for it, with the one it works on; more are dropped. 0 is no bound
}

// Quality is what may go wrong with a packet at an agent or at a cable. The
// probabilities are from 0 to 1. Those of an agent strike each request and each
// reply once; those of a cable each time that a packet crosses it.
type Quality struct {
	Loss      float64 // the packet is gone
	Duplicate float64 // the reply comes once more
	Corrupt   float64 // some bytes of a reply are wrong; a request is thrown away

	// Jitter is up to how much replies are late, at random. Reorder is the share
	// of them that are; 0 counts as all.
	Jitter  time.Duration
	Reorder float64
}

// Part is something that is different: the agents of a node, if Port is 0, or
// the cable at a port. Its Quality comes in addition to that of the rest.
type Part struct {
	Node ib.GUID
	Port int
	Quality

	// Delay is what a cable takes each time, or the agents of the node, while
	// they may serve others.
	Delay time.Duration

	// Slow is how many times as long as others the agents of the node take;
	// 0 counts as 1.
	Slow float64

	// A cable that flaps is up for the share Up of each Period, which is then
	// 1 ms or more, and down for the rest; Up 0 counts as 1/2. It starts up, when
	// the fabric is made. Both ends note it, as they do after LinkDown and
	// LinkUp: when the next packet is sent anywhere.
	Period time.Duration
	Up     float64
}

// minPeriod bounds how often links flap.
const minPeriod = time.Millisecond

// Typical gives figures that real fabrics are near to; docs/simulator.md tells
// where they come from. The latencies of a switch and of a cable are not in it:
// Options.HopLatency of TypicalHop belongs to it.
func Typical() *Physics {
	return &Physics{
		SMA:    Service{Time: 20 * time.Microsecond, Queue: 32},
		GSA:    Service{Time: 20 * time.Microsecond, Queue: 128},
		Packet: 23 * time.Nanosecond,
	}
}

// TypicalHop is what a switch and a cable of 10 m take.
const TypicalHop = 200 * time.Nanosecond

// check refuses what cannot be.
func (ph *Physics) check(model *fabric.Fabric) error {
	for _, err := range [...]error{
		ph.SMA.check("SMA"), ph.GSA.check("GSA"), ph.Agents.check("Agents"), ph.Links.check("Links"),
		notNegative("Packet", ph.Packet),
	} {
		if err != nil {
			return &Error{Op: "new", Obj: "physics", Err: err}
		}
	}
	for i := range ph.Parts {
		if err := ph.Parts[i].check(model); err != nil {
			return &Error{Op: "new", Obj: fmt.Sprintf("part %d of the physics", i), Err: err}
		}
	}
	return nil
}

func (v Service) check(name string) error {
	if v.Queue < 0 {
		return fmt.Errorf("%s: Queue %d is negative: %w", name, v.Queue, os.ErrInvalid)
	}
	return notNegative(name+": Time", v.Time)
}

func (q Quality) check(name string) error {
	for _, share := range [...]float64{q.Loss, q.Duplicate, q.Corrupt, q.Reorder} {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("%s: %v is not a probability from 0 to 1: %w", name, share, os.ErrInvalid)
		}
	}
	return notNegative(name+": Jitter", q.Jitter)
}

func (p *Part) check(model *fabric.Fabric) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf(format+": %w", append(args, os.ErrInvalid)...)
	}
	n, ok := model.NodeByGUID(p.Node)
	switch {
	case !ok:
		return bad("no node has GUID %s", p.Node)
	case p.Port < 0 || p.Port > n.NumPorts():
		return bad("node %s has ports 1…%d, not %d", p.Node, n.NumPorts(), p.Port)
	case !(p.Slow >= 0 && p.Slow <= maxSlow):
		return bad("Slow %v is not from 0 to %.0e", p.Slow, float64(maxSlow))
	case p.Port != 0 && p.Slow != 0:
		return bad("agents can be slow, cables have a Delay")
	case p.Port == 0 && p.Period != 0:
		return bad("cables flap, at a port from 1")
	case p.Period != 0 && p.Period < minPeriod:
		return bad("Period %v is less than %v", p.Period, minPeriod)
	case !(p.Up >= 0 && p.Up < 1):
		return bad("Up %v is not a share from 0 to less than 1", p.Up)
	}
	if err := notNegative("Delay", p.Delay); err != nil {
		return err
	}
	return p.Quality.check("Quality")
}

// maxSlow and maxTime keep times from overflowing.
const (
	maxSlow = 1e6
	maxTime = time.Hour
)

func notNegative(name string, d time.Duration) error {
	if d < 0 || d > maxTime {
		return fmt.Errorf("%s %v is not from 0 to %v: %w", name, d, maxTime, os.ErrInvalid)
	}
	return nil
}
