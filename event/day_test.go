package event_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/scenario"
	"github.com/ibscope/ibscope/watch"
)

// TestDay watches 1,531 nodes for a day on which 40 kinds of things happen, while one
// request of ten thousand gets lost and two nodes answer nothing at all, and compares
// what the Detector tells with what the simulator has done: each thing once, with the
// right two ends, and nothing else.
func TestDay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 36, Hosts: 1320})
		if err != nil {
			t.Fatal(err)
		}
		script := newScript(model)
		l := open(t, model, watch.Options{
			Refresh:  watch.Pace{Every: dayRefresh},
			Counters: watch.Pace{Every: dayPass},
			Verify:   watch.Pace{Every: 6 * time.Hour},
			Routes:   watch.Pace{Every: 12 * time.Hour}, Firmware: true, // no event comes of these alone
		}, nil)
		s, err := scenario.Load(strings.NewReader(script.yaml()), "day.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if l.runner, err = s.Start(t.Context(), l.sim); err != nil {
			t.Fatal(err)
		}
		defer l.runner.Close()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		l.close()
		told := newTally()
		events := l.take()
		for i := range events {
			told.tell(&events[i])
		}
		compareDay(t, script.expected(l.runner.Log()), told)
		if t.Failed() {
			for i := range events {
				t.Log(events[i].String())
			}
			for _, e := range l.runner.Log() {
				t.Log(e.String())
			}
		}
		t.Logf("%d things done, %d events", len(l.runner.Log()), len(events))
		l.costs()
	})
}

const (
	dayRefresh = 5 * time.Minute
	dayPass    = 10 * time.Minute
)

// costs states what watching costs, beside a sweep each minute as monitors have it that
// call libibnetdisc.
func (l *lab) costs() {
	s := l.watcher.State()
	port, err := l.sim.Attach(nil)
	if err != nil {
		l.Fatal(err)
	}
	defer port.Close()
	f, err := discover.Run(l.Context(), port, &discover.Options{BothEnds: true})
	if err != nil {
		l.Fatal(err)
	}
	perHour := func(every time.Duration, smps int) int { return int(time.Hour/every) * smps }
	l.Logf("SMPs in an hour: a refresh takes %d, a verification %d; refreshes each 30 s and verifications each hour %d; "+
		"a sweep of libibnetdisc takes about %d, one a minute %d",
		s.Refresh.Requests, s.Verify.Requests, perHour(30*time.Second, s.Refresh.Requests)+s.Verify.Requests,
		f.Sweep().SMPs, perHour(time.Minute, f.Sweep().SMPs))
}

// script is what happens on the day, at places that have nothing to do with each other.
type script struct {
	model *fabric.Fabric
	items []string
	at    time.Duration
	gap   time.Duration
	hosts []*fabric.Node
	links []fabric.Link // between switches, no two with a switch in common
}

// newScript chooses places and times, the same ones each time.
func newScript(model *fabric.Fabric) *script {
	s := &script{model: model, at: 20 * time.Minute, gap: 11*time.Minute + 17*time.Second}
	for n := range model.CAs() {
		if n.Index() > 100 && n.Index()%7 == 0 {
			s.hosts = append(s.hosts, n)
		}
	}
	used := map[*fabric.Node]bool{}
	for l := range model.Links() {
		a, b := l.A.Node(), l.B.Node()
		if a.Type() != ib.NodeSwitch || b.Type() != ib.NodeSwitch || used[a] || used[b] || a.Index() < 40 || b.Index() < 40 {
			continue
		}
		used[a], used[b] = true, true
		s.links = append(s.links, l)
	}
	s.write()
	return s
}

func (s *script) host() string {
	n := s.hosts[0]
	s.hosts = s.hosts[1:]
	return first(n.Description())
}

func (s *script) link() fabric.Link {
	l := s.links[0]
	s.links = s.links[1:]
	return l
}

func (s *script) port() string { return place(s.link().A) }

// place is a port as commands have it.
func place(p *fabric.Port) string {
	return fmt.Sprintf("%s/%d", short(p.Node().Description()), p.Num())
}

func first(text string) string {
	text, _, _ = strings.Cut(text, " ")
	return text
}

// do adds commands, some time after the last ones.
func (s *script) do(commands ...string) {
	for i, c := range commands {
		commands[i] = fmt.Sprintf("      - '%s'\n", c)
	}
	s.items = append(s.items, fmt.Sprintf("  - at: %s\n    do:\n%s", s.at, strings.Join(commands, "")))
	s.at += s.gap
}

func (s *script) yaml() string { return "seed: 7\ntimeline:\n" + strings.Join(s.items, "") }

// write is the day.
func (s *script) write() {
	deaf, deafSwitch := s.host(), s.link().A
	s.do("loss "+deaf+" 100%", "loss "+short(deafSwitch.Node().Description())+" 100%")
	for i := range 12 { // that no sweep sees, and a few that one does
		s.do(fmt.Sprintf("flap %s times=%d period=5s down=2s", s.port(), 1+i%2), "flap "+s.host()+"/1 times=1 period=4s")
	}
	for range 3 {
		s.do(fmt.Sprintf("flap %s times=20 period=70s down=30s", s.port()))
	}
	for range 8 {
		p := s.port()
		s.do("link down " + p)
		s.do("link up " + p)
		host := s.host()
		s.do("kill " + host)
		s.do("revive " + host)
	}
	for _, sw := range []string{"leaf60", "spine70", "core30"} {
		s.do("kill " + sw)
		s.do("revive " + sw)
	}
	s.do("kill leaf61", "revive leaf61")
	s.do("kill spine72", "revive spine72")
	for range 5 {
		host := s.host()
		s.do("kill "+host, "revive "+host)
	}
	for range 3 {
		s.swap(s.hosts[0].Port(1), s.hosts[1].Port(1))
		s.hosts = s.hosts[2:]
		s.swap(s.link().A, s.link().A)
	}
	for _, rate := range []string{"EDR", "1x"} {
		p := s.port()
		s.do("speed " + p + " " + rate)
		s.do("speed " + p + " full")
	}
	for range 6 {
		s.do("burst "+s.port()+" SymbolErrorCounter=5000 over=30s", "count "+s.port()+" SymbolErrorCounter=5")
	}
	s.do("burst " + s.port() + " SymbolErrorCounter=200000 over=60s")
	p := s.port()
	s.do("set " + p + " PortXmitDiscards=40")
	s.do("set " + p + " PortXmitDiscards=0")
	s.do("replace " + s.host() + " guid=0x0002c90300fe0400 description=new0001")
	s.do("replace leaf62 guid=0x0002c90300fe0200 description=newleaf")
	host := s.host()
	s.do("kill " + host)
	s.do("replace " + host + " guid=0x0002c90300fe0500 description=new0002")
	for i := range 5 {
		s.do(fmt.Sprintf("rename %s renamed%d", s.host(), i))
		s.do(fmt.Sprintf("lid %s %d", s.host(), 9000+i))
	}
	s.do("sm stop")
	s.do("sm start")
}

// swap exchanges the ends of two cables.
func (s *script) swap(p, q *fabric.Port) {
	s.do(
		"unplug "+place(p), "unplug "+place(q),
		"plug "+place(p)+" "+place(q.Remote()), "plug "+place(q)+" "+place(p.Remote()),
	)
}

// pair is an unordered pair of ports, or a node, as text.
func pair(a, b event.End) string {
	x, y := fmt.Sprintf("%s/%d", a.GUID, max(a.Port, 0)), fmt.Sprintf("%s/%d", b.GUID, max(b.Port, 0))
	switch {
	case b.GUID == 0:
		return x
	case x > y:
		x, y = y, x
	}
	return x + "=" + y
}
