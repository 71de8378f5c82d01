package pcap

import (
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Role is what a MAD is in the conversation that it belongs to.
type Role uint8

// The roles.
const (
	OneWay    Role = iota // nobody answers it: Send, TrapRepress to nothing
	Request               // asked for the first time
	Retry                 // asked again
	Reply                 // the answer, of several packets the first
	Segment               // a further packet of the answer
	Duplicate             // an answer to what was answered already
	Stray                 // an answer to nothing that the capture has
	Control               // of the reliable protocol: acknowledgement, stop, abort
	Lost                  // a request that could not be sent or was not answered
)

// Relation is how a MAD relates to those before it.
type Relation struct {
	Role Role
	// Latency is, of a Reply, the time since its request was sent last.
	Latency time.Duration
	// Tries is, of a Retry or a Reply, how often its request was sent.
	Tries int
}

// maxExchanges bounds how many requests are remembered. Beyond that, the oldest is
// forgotten: it counts as unanswered if it was.
const maxExchanges = 1 << 16

// Matcher finds the request that a reply belongs to. The zero Matcher is ready.
type Matcher struct {
	exchanges map[key]*exchange
	order     []key // a ring of what is in exchanges
	oldest    int
	stats     Statistics
}

// key is what request and reply have in common.
type key struct {
	class mad.Class
	attr  mad.AttrID
	tid   uint64
	// Of captures with directions: who asked. Else both LIDs, the lower one first.
	asker     Kind
	low, high ib.LID
}

// exchange is a request with what became of it.
type exchange struct {
	method   mad.Method
	last     time.Time // it was sent last
	tries    int
	answered bool
	// latest is the highest segment that has come of the answer.
	latest uint32
}

// Add takes the next MAD of a capture.
func (m *Matcher) Add(r *Record) Relation {
	p := &r.Packet
	if m.exchanges == nil {
		m.exchanges = make(map[key]*exchange)
	}
	switch {
	case r.Kind == SendFailed:
		m.stats.of(p).NotSent++
		return Relation{Role: Lost}
	case r.Kind == Unanswered: // its request has no reply, which is known without it
		return Relation{Role: Lost}
	case p.IsRMPP() && p.RMPP().Type != mad.RMPPData:
		m.stats.of(p).Control++
		return Relation{Role: Control}
	case p.IsResponse():
		return m.reply(r)
	case p.Method() == mad.MethodSend:
		m.stats.of(p).OneWay++
		return Relation{Role: OneWay}
	}
	return m.request(r)
}

// Statistics is what the MADs so far come to.
func (m *Matcher) Statistics() *Statistics {
	s := m.stats.clone()
	for k, e := range m.exchanges {
		if !e.answered {
			s.find(k.class, e.method, k.attr).Unanswered++
		}
	}
	return s
}

func (m *Matcher) request(r *Record) Relation {
	k, count := keyOf(r), m.stats.of(&r.Packet)
	e := m.exchanges[k]
	if e != nil && !e.answered && e.method == r.Packet.Method() {
		if segmentOf(&r.Packet) > 1 {
			count.Segments++
			return Relation{Role: Segment}
		}
		e.tries++
		e.last = r.Time
		count.Retries++
		return Relation{Role: Retry, Tries: e.tries}
	}
	if e == nil {
		e = &exchange{}
		m.remember(k, e)
	}
	*e = exchange{method: r.Packet.Method(), last: r.Time, tries: 1}
	count.Requests++
	return Relation{Role: Request, Tries: 1}
}

func (m *Matcher) reply(r *Record) Relation {
	e := m.exchanges[keyOf(r)]
	if e == nil {
		m.stats.of(&r.Packet).Stray++
		return Relation{Role: Stray}
	}
	asked := m.stats.find(r.Packet.Class(), e.method, r.Packet.AttrID())
	segment := segmentOf(&r.Packet)
	if e.answered {
		if segment > e.latest {
			e.latest = segment
			asked.Segments++
			return Relation{Role: Segment}
		}
		asked.Duplicates++
		return Relation{Role: Duplicate}
	}
	e.answered, e.latest = true, segment
	latency := r.Time.Sub(e.last)
	asked.reply(latency, r.Packet.Status())
	return Relation{Role: Reply, Latency: latency, Tries: e.tries}
}

// segmentOf is the number of a packet in its message, 0 if it is a message alone.
func segmentOf(p *mad.Packet) uint32 {
	if !p.IsRMPP() {
		return 0
	}
	return p.RMPP().Data1
}

// remember puts an exchange into the map, in place of the oldest one if it is full.
func (m *Matcher) remember(k key, e *exchange) {
	m.exchanges[k] = e
	if len(m.order) < maxExchanges {
		m.order = append(m.order, k)
		return
	}
	gone := m.order[m.oldest]
	if old := m.exchanges[gone]; !old.answered {
		m.stats.find(gone.class, old.method, gone.attr).Unanswered++
	}
	delete(m.exchanges, gone)
	m.order[m.oldest] = k
	m.oldest = (m.oldest + 1) % maxExchanges
}

// keyOf is the key of a request or a reply. At a port the upper half of the
// transaction ID is not what it is on the wire: the kernel writes its own there.
func keyOf(r *Record) key {
	p := &r.Packet
	k := key{class: p.Class(), attr: p.AttrID(), tid: p.TID()}
	if r.Kind == Unknown {
		k.low, k.high = min(r.Header.SLID, r.Header.DLID), max(r.Header.SLID, r.Header.DLID)
		return k
	}
	k.tid = uint64(uint32(k.tid))
	k.asker = Sent
	if (r.Kind == Received) != p.IsResponse() {
		k.asker = Received
	}
	return k
}
