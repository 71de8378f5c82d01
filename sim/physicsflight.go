package sim

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// flight is what the physics know of a packet under way, from a Port to its
// target and back.
type flight struct {
	physics *physics
	start   time.Duration // when it was sent, since the epoch
	delay   time.Duration // of the way so far, beside Latency and HopLatency
	stream  uint64        // of random numbers
	drawn   uint64        // how many of them
	isBack  bool          // it is a response
	isLost  bool          // by chance
	dropped bool          // at the queue of an agent
	corrupt bool
	copies  int
}

// physicsStream is where the random numbers of packets start: below are those
// of losses and faults.
const physicsStream = 1 << 33

// drawsOfPacket bounds the random numbers of one packet, which may cross a
// cable some 250 times.
const drawsOfPacket = 1 << 12

// begin sends a packet off: at once, or when the link of the Port is free.
func (f *flight) begin(p *Port, m *mad.Packet, nth uint64) {
	ph := p.sim.physics
	if ph == nil {
		return
	}
	now := ph.now()
	ph.flapUntil(now)
	*f = flight{
		physics: ph, start: now, delay: p.wire.depart(now, ph.packet) - now, isBack: m.IsResponse(),
		stream: physicsStream + p.id, drawn: nth * drawsOfPacket,
	}
	if !m.IsResponse() {
		ph.count.sent.Add(1)
	}
}

// beginBack sends a packet off that an agent sends to a Port after its first
// reply.
func (f *flight) beginBack(p *Port, nth uint64) {
	*f = flight{
		physics: p.sim.physics, start: p.sim.physics.now(), isBack: true,
		stream: physicsStream + p.id, drawn: nth * 2 * drawsOfPacket,
	}
}

// wire is the link of a Port, as far as sending is concerned.
type wire struct {
	mu   sync.Mutex
	free time.Duration
}

// depart tells when a packet that is sent now leaves.
func (w *wire) depart(now, packet time.Duration) time.Duration {
	if packet == 0 {
		return now
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	leaves := max(now, w.free)
	w.free = leaves + packet
	return leaves
}

// happens draws whether something of that probability comes about.
func (f *flight) happens(probability float64) bool {
	if probability == 0 {
		return false
	}
	f.drawn++
	return chance(f.physics.sim.opts.Seed, f.stream, f.drawn) < probability
}

// cross takes the packet over a cable; false if that is its end.
func (f *flight) cross(out, in *port) bool {
	ph := f.physics
	ph.count.crossed.Add(1)
	if ph.isClean {
		return true
	}
	if !f.suffer(&ph.links) {
		return false
	}
	for _, end := range [...]*port{out, in} {
		if c, ok := ph.cables[end]; ok {
			f.delay += c.delay
			if !f.suffer(&c.Quality) {
				return false
			}
		}
	}
	return true
}

// suffer is what a bad part does to the packet; false if that is its end.
func (f *flight) suffer(q *Quality) bool {
	if f.happens(q.Loss) || f.happens(q.Corrupt) && !f.spoil() {
		f.isLost = true
		return false
	}
	if f.happens(q.Duplicate) {
		f.copies++
	}
	if f.isBack && q.Jitter > 0 && (q.Reorder == 0 || f.happens(q.Reorder)) {
		f.drawn++
		f.delay += time.Duration(chance(f.physics.sim.opts.Seed, f.stream, f.drawn) * float64(q.Jitter))
		f.physics.count.late.Add(1)
	}
	return true
}

// spoil marks a response to be made wrong. A request that is wrong is thrown
// away: it reports false.
func (f *flight) spoil() bool {
	f.corrupt = f.isBack
	return f.isBack
}

// serve lets an agent where the packet is work on it: false if it has no time,
// or the request or its reply gets lost there.
func (t *trip) serve(agents []agentQueue, port uint8, full Discard) bool {
	f := t.flight
	q := &agents[t.node.model.Index()]
	if !f.suffer(&q.quality) {
		return false
	}
	arrival := f.start + t.oneWay()
	done, ok := q.admit(f.start, arrival, port)
	if !ok {
		f.dropped = true
		t.discard(t.arrived(), full)
		return false
	}
	f.delay += done - arrival + q.delay
	f.isBack = true
	return f.suffer(&q.quality)
}

// takesSMP lets the subnet management agent work on the packet. Each port has
// buffers for VL15.
func (t *trip) takesSMP() bool {
	return t.flight == nil || t.serve(t.flight.physics.sma, t.in, DiscardVL15)
}

// takesGMP lets the agents of general services work on the packet. They have one
// QP1, that of the port with the LID.
func (t *trip) takesGMP() bool {
	return t.flight == nil || t.serve(t.flight.physics.gsa, t.keeper().num, DiscardQP1)
}

// land is the end of a way that brings a reply.
func (f *flight) land(m *mad.Packet, d *delivery) {
	ph := f.physics
	if ph == nil {
		return
	}
	ph.count.answered.Add(1)
	ph.count.duplicated.Add(uint64(f.copies))
	d.extraCopies += f.copies
	if f.corrupt {
		f.drawn++
		corrupt(m, mix(ph.sim.opts.Seed, f.stream, f.drawn))
		ph.count.corrupted.Add(1)
	}
}

// fail is the end of a way that brings none.
func (f *flight) fail(m *mad.Packet, isForwarded bool) {
	ph := f.physics
	switch {
	case ph == nil || m.IsResponse():
	case isForwarded:
		ph.count.passed.Add(1)
	case f.dropped:
		ph.count.dropped.Add(1)
	default:
		ph.count.lost.Add(1)
	}
}
