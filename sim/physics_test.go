package sim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

const us = time.Microsecond

// arrival is a reply and when it came.
type arrival struct {
	at  time.Duration
	tid uint64
}

// burst sends copies of m, all at once, and gives all replies, in virtual time.
// What has not come after a minute does not come.
func burst(t *testing.T, s *sim.Fabric, m *mad.Packet, to mad.Addr, copies int) []arrival {
	t.Helper()
	p := must[*sim.Port](t)(s.Attach(nil))
	began := time.Now()
	for i := range copies {
		m.SetTID(uint64(i))
		if err := p.Send(m, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	timer := time.AfterFunc(time.Minute, func() { _ = p.Close() })
	defer timer.Stop()
	var list []arrival
	for {
		var r mad.Packet
		if _, err := p.Recv(&r); err != nil {
			return list
		}
		list = append(list, arrival{time.Since(began), r.TID()})
	}
}

func simulate(t *testing.T, f *fabric.Fabric, o sim.Options) *sim.Fabric {
	t.Helper()
	return must[*sim.Fabric](t)(sim.New(f, &o))
}

// A Get over n cables takes the agent's time and n cables there and back.
func TestHops(t *testing.T) {
	f := line(t)
	for _, test := range []struct {
		name string
		m    *mad.Packet
		to   mad.Addr
		hops time.Duration
	}{
		{"own", get(nodeInfo, 0), directed, 0},
		{"first switch", get(nodeInfo, 0, 1), directed, 1},
		{"third switch", get(nodeInfo, 0, 1, 3, 3), directed, 3},
		{"last host", get(nodeInfo, 0, 1, 3, 3, 1), directed, 4},
		{"neighbour", getLID(nodeInfo, 0), directed, 1},
		{"last host by LID", getLID(nodeInfo, 0), mad.Addr{LID: host(t, f, "3").Port(1).LID()}, 4},
		{"own by LID", getLID(nodeInfo, 0), mad.Addr{LID: host(t, f, "1").Port(1).LID()}, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := simulate(t, f, sim.Options{Latency: 7 * us, HopLatency: 3 * us, Physics: &sim.Physics{SMA: sim.Service{Time: 20 * us}}})
			want := 27*us + 2*test.hops*3*us
			if got := burst(t, s, test.m, test.to, 1); len(got) != 1 || got[0].at != want {
				t.Errorf("%s: %v, want %v", test.name, got, want)
			}
			if n := s.Statistics(); n.Crossed != uint64(2*test.hops) || n.Sent != 1 || n.Answered != 1 {
				t.Errorf("%s: %+v", test.name, n)
			}
		})
	}
}

// 40 Gets at once for an agent of 20 µs that holds 32: 8 are dropped, and the
// last reply comes after 32 times 20 µs.
func TestBurst(t *testing.T) {
	f := line(t)
	for _, test := range []struct {
		name         string
		packet, last time.Duration
		queue        int
		replies      int
	}{
		{"at once", 0, 640 * us, 32, 32},
		{"one after the other", 23, 640 * us, 32, 32},
		{"some later than the first reply", 600, 660 * us, 32, 33}, // 40 × 0.6 µs
		{"no bound", 0, 800 * us, 0, 40},
		{"one at a time", 0, 20 * us, 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := simulate(t, f, sim.Options{HopLatency: us, Physics: &sim.Physics{
				SMA: sim.Service{Time: 20 * us, Queue: test.queue}, Packet: test.packet,
			}})
			got := burst(t, s, get(portInfo, 1, 1, 3), directed, 40)
			if len(got) != test.replies || got[0].at != 24*us || got[len(got)-1].at != 4*us+test.last {
				t.Fatalf("%s: %d replies, %v … %v", test.name, len(got), got[0], got[len(got)-1])
			}
			for i, a := range got {
				if want := 24*us + time.Duration(i)*20*us; a.at != want {
					t.Errorf("%s: reply %d comes at %v, want %v", test.name, i, a.at, want)
				}
			}
			n := s.Statistics()
			dropped := uint64(40 - test.replies)
			longest := test.queue
			if longest == 0 {
				longest = 40
			}
			if n.Sent != 40 || n.Answered != uint64(test.replies) || n.Dropped != dropped || n.Lost != 0 || n.MaxQueue != longest {
				t.Errorf("%s: %+v", test.name, n)
			}
			agent := s.NodeStatistics(switchNode(t, f, "2")).SMA
			if want := (sim.AgentStatistics{Received: 40, Dropped: dropped, MaxQueue: longest, Busy: time.Duration(test.replies) * 20 * us}); agent != want {
				t.Errorf("%s: %+v, want %+v", test.name, agent, want)
			}
			if other := s.NodeStatistics(switchNode(t, f, "1")); other != (sim.NodeStatistics{}) {
				t.Errorf("%s: a switch on the way has %+v", test.name, other)
			}
		})
	}
}

// Agents of different nodes, and of QP0 and QP1 of one node, do not wait for one
// another. A slow one takes its time, a delayed one serves others meanwhile.
func TestAgents(t *testing.T) {
	f := line(t)
	second, third := switchNode(t, f, "2").GUID(), switchNode(t, f, "3").GUID()
	o := sim.Options{Physics: &sim.Physics{
		SMA: sim.Service{Time: 20 * us}, GSA: sim.Service{Time: 50 * us},
		Parts: []sim.Part{{Node: second, Slow: 10}, {Node: third, Delay: 300 * us}},
	}}
	for _, test := range []struct {
		name string
		m    *mad.Packet
		to   mad.Addr
		want []time.Duration
	}{
		{"fast", get(nodeInfo, 0, 1), directed, []time.Duration{20 * us, 40 * us}},
		{"slow", get(nodeInfo, 0, 1, 3), directed, []time.Duration{200 * us, 400 * us}},
		{"delayed", get(nodeInfo, 0, 1, 3, 3), directed, []time.Duration{320 * us, 340 * us}},
		{"general services", getPerf(), mad.Addr{LID: host(t, f, "3").Port(1).LID(), QP: 1}, []time.Duration{50 * us, 100 * us}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := simulate(t, f, o)
			if err := s.Use(mad.ClassPerf, echo{}); err != nil {
				t.Fatal(err)
			}
			got := burst(t, s, test.m, test.to, 2)
			if len(got) != 2 || got[0].at != test.want[0] || got[1].at != test.want[1] {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
			}
		})
	}
}

func getPerf() *mad.Packet {
	var m mad.Packet
	m.Init(mad.ClassPerf, mad.MethodGet, 0x12, 0)
	return &m
}

// Replies keep a packet's time apart where they arrive, also of agents that
// answer at one time.
func TestPacketTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, line(t), sim.Options{Physics: &sim.Physics{Packet: 5 * us}})
		got := burst(t, s, get(nodeInfo, 0, 1), directed, 4)
		for i, a := range got {
			if want := time.Duration(i) * 5 * us; a.at != want || a.tid != uint64(i) {
				t.Errorf("reply %d: %+v, want %v", i, a, want)
			}
		}
		if len(got) != 4 {
			t.Errorf("%d replies", len(got))
		}
	})
}

// A cable that flaps is there for the first half of each period, and both of its
// ends say so.
func TestFlap(t *testing.T) {
	f := line(t)
	first, second := switchNode(t, f, "1"), switchNode(t, f, "2")
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, f, sim.Options{Physics: &sim.Physics{Parts: []sim.Part{
			{Node: second.GUID(), Port: 2, Period: time.Second, Up: 0.3},
		}}})
		p := must[*sim.Port](t)(s.Attach(nil))
		p.ReturnLost()
		for i := range 40 {
			m := get(nodeInfo, 0, 1, 3)
			if err := p.Send(m, directed, 0); err != nil {
				t.Fatal(err)
			}
			_, err := p.Recv(m)
			if isUp := i%10 < 3; (err == nil) != isUp {
				t.Errorf("at %d00 ms: %v", i, err)
			}
			if _, isUp := s.Peer(sim.Place{Node: first, Port: 3}); isUp != (i%10 < 3) {
				t.Errorf("at %d00 ms: the other end thinks otherwise", i)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := s.Statistics(); n.Answered != 12 || n.Lost != 28 {
			t.Errorf("%+v", n)
		}
		_ = p.Close()
	})
}

// A whole period that nobody saw has left its mark.
func TestFlapUnseen(t *testing.T) {
	f := line(t)
	second := switchNode(t, f, "2")
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, f, sim.Options{Physics: &sim.Physics{Parts: []sim.Part{{Node: second.GUID(), Port: 2, Period: time.Second}}}})
		w := &downs{}
		s.Watch(w)
		time.Sleep(5100 * time.Millisecond)
		if got := burst(t, s, get(nodeInfo, 0, 1, 3), directed, 1); len(got) != 1 || w.n != 2 {
			t.Errorf("%v, %d ends went down", got, w.n)
		}
	})
}

type downs struct{ n, vl15, qp1 int }

func (*downs) Crossed(_, _ sim.Place)   {}
func (d *downs) LinkDowned(_ sim.Place) { d.n++ }
func (d *downs) Discarded(_ sim.Place, why sim.Discard) {
	switch why {
	case sim.DiscardVL15:
		d.vl15++
	case sim.DiscardQP1:
		d.qp1++
	}
}

// What the queues drop counts where it was dropped.
func TestDropsCount(t *testing.T) {
	f := line(t)
	synctest.Test(t, func(t *testing.T) {
		one := sim.Service{Time: us, Queue: 1}
		s := simulate(t, f, sim.Options{Physics: &sim.Physics{SMA: one, GSA: one}})
		if err := s.Use(mad.ClassPerf, echo{}); err != nil {
			t.Fatal(err)
		}
		w := &downs{}
		s.Watch(w)
		burst(t, s, get(nodeInfo, 0, 1), directed, 4)
		burst(t, s, getPerf(), mad.Addr{LID: host(t, f, "3").Port(1).LID(), QP: 1}, 3)
		if w.vl15 != 3 || w.qp1 != 2 {
			t.Errorf("%+v", w)
		}
	})
}

// more is an agent that sends two more packets after its reply.
type more struct{}

func (more) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	m.SetMethod(mad.MethodGetResp)
	r.Reply(m)
	r.Reply(m)
	return sim.Answered
}

func (more) Heard(sim.Request, *mad.Packet) {}

// What an agent sends after its reply takes the way there and back, and meets
// the same cables.
func TestConversationPhysics(t *testing.T) {
	f := line(t)
	to := mad.Addr{LID: host(t, f, "3").Port(1).LID(), QP: 1}
	for _, test := range []struct {
		ph   sim.Physics
		want []time.Duration
	}{
		{sim.Physics{GSA: sim.Service{Time: 50 * us}}, []time.Duration{9 * us, 9 * us, 59 * us}},
		{sim.Physics{Links: sim.Quality{Duplicate: 1}}, []time.Duration{9 * us, 9 * us, 9 * us, 9 * us, 9 * us}},
		{sim.Physics{Packet: us}, []time.Duration{9 * us, 10 * us, 11 * us}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := simulate(t, f, sim.Options{Latency: us, HopLatency: us, Physics: &test.ph})
			if err := s.Use(mad.ClassPerf, more{}); err != nil {
				t.Fatal(err)
			}
			got := burst(t, s, getPerf(), to, 1)
			if len(got) < len(test.want) {
				t.Fatalf("%+v: %v", test.ph, got)
			}
			for i, want := range test.want {
				if got[i].at != want {
					t.Errorf("%+v: packet %d at %v, want %v", test.ph, i, got[i].at, want)
				}
			}
		})
	}
}
