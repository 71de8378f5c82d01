package traffic

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// maxRules bounds how many rules a model has.
const maxRules = 4096

// Model is the traffic of a fabric. It is safe for concurrent use, and does not
// change.
type Model struct {
	seed  uint64
	first []int32 // by node index: where its port 0 is in ports
	ports []sender
}

// sender is what a port sends, and the rule for what happens at it. The zero
// sender has no traffic.
type sender struct {
	rule   *Rule
	bytes  float64 // per second
	phase  float64 // of the swing
	stream uint32  // names the port to the random numbers
}

// New makes the traffic of f. Rules that are out of range are an *Error that
// wraps os.ErrInvalid; those for a node or port that is not there wrap
// os.ErrNotExist. Only links whose ports are not known to be down have traffic.
func New(f *fabric.Fabric, seed uint64, rules []Rule) (*Model, error) {
	if len(rules) > maxRules {
		return nil, invalid("new", "rules", "there are more than %d", maxRules)
	}
	for i := range rules {
		if err := checkIn(f, i, &rules[i]); err != nil {
			return nil, err
		}
	}
	m := &Model{seed: seed, first: make([]int32, f.NumNodes())}
	merged := map[string]*Rule{}
	for n := range f.Nodes() {
		m.first[n.Index()] = int32(len(m.ports))
		m.ports = append(m.ports, make([]sender, n.NumPorts()+1)...)
		for p := range n.Ports() {
			if carries(p) {
				m.plan(p, rules, merged)
			}
		}
	}
	return m, nil
}

func checkIn(f *fabric.Fabric, i int, r *Rule) error {
	obj := fmt.Sprintf("rule %d", i+1)
	if err := r.check("new", obj); err != nil || r.Node == 0 {
		return err
	}
	n, ok := f.NodeByGUID(r.Node)
	if !ok || r.Port > n.NumPorts() {
		return &Error{Op: "new", Obj: obj, Err: fmt.Errorf("node %s port %d: %w", r.Node, r.Port, os.ErrNotExist)}
	}
	return nil
}

// carries reports whether data may cross the link at p.
func carries(p *fabric.Port) bool {
	r := p.Remote()
	return r != nil && mayBeActive(p) && mayBeActive(r)
}

func mayBeActive(p *fabric.Port) bool {
	return p.State() == ib.PortActive || p.State() == ib.PortNoChange
}

// plan finds the rules for the link at p and how much p sends by them. Ports
// with the same rules share what is merged of these.
func (m *Model) plan(p *fabric.Port, rules []Rule, merged map[string]*Rule) {
	var key []byte
	far := p.Remote()
	for i := range rules {
		r := &rules[i]
		if r.fits(p.Node().GUID(), p.Num()) || r.fits(far.Node().GUID(), far.Num()) {
			key = append(key, byte(i), byte(i>>8))
		}
	}
	if len(key) == 0 {
		return
	}
	rule := merged[string(key)]
	if rule == nil {
		rule = &Rule{Period: defaultPeriod, PacketSize: defaultSize}
		for i := 0; i < len(key); i += 2 {
			rule.merge(&rules[int(key[i])|int(key[i+1])<<8])
		}
		merged[string(key)] = rule
	}
	at := m.first[p.Node().Index()] + int32(p.Num())
	s := sender{rule: rule, stream: uint32(at)}
	load := rule.Load * (1 + rule.Spread*(2*chance(m.seed, uint64(at), 0)-1))
	s.bytes = min(load, 1) * dataRate(p)
	s.phase = 2 * math.Pi * chance(m.seed, uint64(at), 1)
	m.ports[at] = s
}

// dataRate is bytes per second; a link of unknown rate has that of 4x SDR.
func dataRate(p *fabric.Port) float64 {
	rate := p.Active()
	if v := ib.RateGbps(rate.Width, rate.Speed); v > 0 {
		return v * 1e9 / 8
	}
	return 1e9
}

// sender is that of a port, nil when there is none.
func (m *Model) sender(n *fabric.Node, port int) *sender {
	if n.Index() >= len(m.first) || port < 0 || port > n.NumPorts() {
		return nil
	}
	if s := &m.ports[int(m.first[n.Index()])+port]; s.rule != nil {
		return s
	}
	return nil
}

// Totals are what has happened at a port since the start.
type Totals struct {
	Xmit, Rcv Flow
	Events    [NumEvents]uint64
}

// Flow is what has gone in one direction.
type Flow struct {
	Words     uint64 // of 4 bytes
	Packets   uint64
	Multicast uint64 // of the packets
	Marked    uint64 // of the packets, with FECN
	Wait      time.Duration
}

// Add adds what has happened at the same port at another time.
func (t *Totals) Add(o *Totals) {
	t.Xmit.add(&o.Xmit)
	t.Rcv.add(&o.Rcv)
	for e := range t.Events {
		t.Events[e] += o.Events[e]
	}
}

func (f *Flow) add(o *Flow) {
	f.Words += o.Words
	f.Packets += o.Packets
	f.Multicast += o.Multicast
	f.Marked += o.Marked
	f.Wait += o.Wait
}

// Read sets t to the totals of a port at a time since the start. Nothing has
// happened at or before the start, or at a port without traffic.
func (m *Model) Read(n *fabric.Node, port int, at time.Duration, t *Totals) {
	*t = Totals{}
	s := m.sender(n, port)
	if s == nil || at <= 0 {
		return
	}
	s.flow(at, &t.Xmit)
	if far := n.Port(port).Remote(); far != nil {
		if peer := m.sender(far.Node(), far.Num()); peer != nil {
			peer.flow(at, &t.Rcv)
		}
	}
	for e, rate := range s.rule.Events {
		if rate > 0 {
			t.Events[e] = count(m.seed, uint64(s.stream)<<8|uint64(e)+2, rate*at.Seconds())
		}
	}
}

// flow is the integral of the load over time, period by period: a whole period
// has the mean load. It never goes back.
func (s *sender) flow(at time.Duration, f *Flow) {
	period := s.rule.Period
	perPeriod := s.bytes / 4 * period.Seconds()
	part := (at % period).Seconds()
	if s.rule.Swing > 0 {
		omega := 2 * math.Pi / period.Seconds()
		part += s.rule.Swing / omega * (math.Cos(s.phase) - math.Cos(omega*part+s.phase))
	}
	words := min(max(part, 0)*s.bytes/4, perPeriod)
	f.Words = uint64(at/period)*uint64(perPeriod) + uint64(words)
	f.Packets = f.Words * 4 / uint64(s.rule.PacketSize)
	f.Multicast = uint64(float64(f.Packets) * s.rule.Multicast)
	f.Marked = uint64(float64(f.Packets) * s.rule.Marked)
	f.Wait = time.Duration(float64(at) * s.rule.Wait)
}
