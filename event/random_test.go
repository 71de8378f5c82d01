package event_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/scenario"
	"github.com/ibscope/ibscope/watch"
)

// TestRandomTimes is TestDay in small, with other things at other times for each seed: so
// close together, and so close to sweeps and passes, that all orders come about.
// IBSCOPE_SEEDS=N has it try more of them.
func TestRandomTimes(t *testing.T) {
	model, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8, Hosts: 128})
	if err != nil {
		t.Fatal(err)
	}
	seeds := 2
	if n, err := strconv.Atoi(os.Getenv("IBSCOPE_SEEDS")); err == nil {
		seeds = n
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := randomScript(model, uint64(seed))
				l := open(t, model, watch.Options{}, nil)
				timeline, err := scenario.Load(strings.NewReader(s.yaml()), "random.yaml")
				if err != nil {
					t.Fatal(err)
				}
				if l.runner, err = timeline.Start(t.Context(), l.sim); err != nil {
					t.Fatal(err)
				}
				defer l.runner.Close()
				time.Sleep(s.at + 3*time.Hour)
				synctest.Wait()
				l.close()
				told, events := newTally(), l.take()
				for i := range events {
					told.tell(&events[i])
				}
				compareTallies(t, s.expected(l.runner.Log()), told)
				if t.Failed() {
					for i := range events {
						t.Log(events[i].String())
					}
					for _, e := range l.runner.Log() {
						t.Log(e.String())
					}
				}
			})
		})
	}
}

// randomScript chooses what happens, where, and when.
func randomScript(model *fabric.Fabric, seed uint64) *script {
	r := rand.New(rand.NewPCG(seed, 1))
	s := &script{model: model, at: 5 * time.Minute}
	for n := range model.CAs() {
		if n.Index() > 10 {
			s.hosts = append(s.hosts, n)
		}
	}
	for l := range model.Links() {
		if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			s.links = append(s.links, l)
		}
	}
	r.Shuffle(len(s.hosts), func(i, j int) { s.hosts[i], s.hosts[j] = s.hosts[j], s.hosts[i] })
	r.Shuffle(len(s.links), func(i, j int) { s.links[i], s.links[j] = s.links[j], s.links[i] })
	for i := range 60 {
		s.gap = time.Duration(r.IntN(180)) * time.Second
		s.random(r, i)
	}
	return s
}

// random adds one thing.
func (s *script) random(r *rand.Rand, i int) {
	switch r.IntN(10) {
	case 0:
		s.do(fmt.Sprintf("flap %s times=1 period=%ds", s.port(), 2+r.IntN(60)))
	case 1:
		s.do(fmt.Sprintf("flap %s/1 times=1 period=%ds", s.host(), 2+r.IntN(60)))
	case 2:
		s.do(fmt.Sprintf("flap %s times=%d period=%ds", s.port(), 2+r.IntN(8), 2+r.IntN(90)))
	case 3:
		p := s.port()
		s.do("link down " + p)
		s.do("link up " + p)
	case 4:
		host := s.host()
		s.gap = max(s.gap, 35*time.Second) // else it may be a reboot, or not
		s.do("kill " + host)
		s.do("revive " + host)
	case 5:
		host := s.host()
		s.do("kill "+host, "revive "+host)
	case 6:
		s.do("speed " + s.port() + " 1x")
	case 7:
		s.do("burst " + s.port() + " SymbolErrorCounter=5000 over=30s")
	case 8:
		s.swap(s.hosts[0].Port(1), s.hosts[1].Port(1))
		s.hosts = s.hosts[2:]
	case 9:
		s.do(fmt.Sprintf("rename %s renamed%d", s.host(), i))
	}
}
