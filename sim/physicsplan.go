package sim

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// physics are the Physics at work. Nil stands for none.
type physics struct {
	sim    *Fabric
	packet time.Duration
	epoch  time.Time // origin of all times below

	sma, gsa []agentQueue // by node
	isClean  bool         // no cable is different, and none does harm
	links    Quality      // of each cable
	cables   map[*port]cable

	flapping sync.Mutex // over flaps
	flaps    []flap
	nextFlap atomic.Int64 // when one of them changes

	count counts
}

// cable is what is different about the cable at a port.
type cable struct {
	Quality
	delay time.Duration
}

// newPhysics puts the Physics to work on s, whose nodes are made.
func newPhysics(s *Fabric, of *Physics) (*physics, error) {
	if of == nil {
		return nil, nil
	}
	if err := of.check(s.model); err != nil {
		return nil, err
	}
	ph := &physics{
		sim: s, packet: of.Packet, epoch: time.Now(),
		sma: newQueues(len(s.nodes), of.SMA, of.Agents), gsa: newQueues(len(s.nodes), of.GSA, of.Agents),
		links: of.Links, isClean: of.Links == Quality{}, cables: map[*port]cable{},
	}
	for i := range of.Parts {
		ph.add(&of.Parts[i])
	}
	return ph, nil
}

func newQueues(n int, service Service, quality Quality) []agentQueue {
	list := make([]agentQueue, n)
	for i := range list {
		list[i].service, list[i].depth, list[i].quality = service.Time, service.Queue, quality
	}
	return list
}

// add makes a node or a cable different.
func (ph *physics) add(p *Part) {
	own := ph.sim.nodeOf(p.Node)
	if p.Port == 0 {
		for _, q := range [...]*agentQueue{&ph.sma[own.model.Index()], &ph.gsa[own.model.Index()]} {
			q.quality = q.quality.and(p.Quality)
			q.delay += p.Delay
			if p.Slow != 0 {
				q.service = min(time.Duration(float64(q.service)*p.Slow), maxTime)
			}
		}
		return
	}
	at := &own.ports[p.Port]
	if was := ph.cables[at]; p.Delay != 0 || p.Quality != (Quality{}) {
		ph.cables[at] = cable{was.and(p.Quality), was.delay + p.Delay}
		ph.isClean = false
	}
	if p.Period != 0 {
		ph.flaps = append(ph.flaps, newFlap(at, p))
		ph.nextFlap.Store(0)
	}
}

// nodeOf is the node with a GUID that check has found.
func (s *Fabric) nodeOf(guid ib.GUID) *node {
	n, _ := s.model.NodeByGUID(guid)
	return &s.nodes[n.Index()]
}

// and is what comes of two sources of trouble that do not know of each other.
func (q Quality) and(more Quality) Quality {
	either := func(a, b float64) float64 { return a + b - a*b }
	q.Loss = either(q.Loss, more.Loss)
	q.Duplicate = either(q.Duplicate, more.Duplicate)
	q.Corrupt = either(q.Corrupt, more.Corrupt)
	if more.Jitter > 0 {
		q.Jitter, q.Reorder = more.Jitter, more.Reorder
	}
	return q
}

// now is the time since the fabric was made.
func (ph *physics) now() time.Duration { return time.Since(ph.epoch) }
