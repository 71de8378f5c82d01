// Package agents plugs everything into a simulated fabric that answers for
// hardware and programs beside subnet management: performance management with
// its counters, congestion control, baseboard management, NVIDIA's class, and
// the servers of ibping and ibsysstat.
package agents

import (
	"errors"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/baseboard"
	"github.com/ibscope/ibscope/sim/congestion"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/sim/traffic"
	"github.com/ibscope/ibscope/sim/vendors"
)

// Options tell what goes on in a fabric.
type Options struct {
	Traffic []traffic.Rule // none: only packets that really pass move the counters
	Seed    uint64         // of the traffic

	// Servers tells where ibping and ibsysstat are answered without a program
	// that does; nil is nowhere.
	Servers func(*fabric.Node) bool
}

// Agents are those that can be told more.
type Agents struct {
	Counters   *perf.Counters
	Congestion *congestion.Agent
}

// Use plugs the agents in. Options nil are the zero Options. Rules that do not
// fit the fabric are a *traffic.Error.
func Use(s *sim.Fabric, o *Options) (*Agents, error) {
	if o == nil {
		o = &Options{}
	}
	a := &Agents{Counters: perf.New(s.Model()), Congestion: congestion.New()}
	if len(o.Traffic) > 0 {
		m, err := traffic.New(s.Model(), o.Seed, o.Traffic)
		if err != nil {
			return nil, err
		}
		a.Counters.SetTraffic(m)
	}
	errs := []error{
		a.Counters.Use(s),
		s.Use(mad.ClassCC, a.Congestion),
		s.Use(mad.ClassBM, baseboard.New()),
		s.Use(vendors.ClassMLNX, vendors.NewMLNX()),
	}
	if o.Servers != nil {
		servers := &vendors.Servers{Runs: o.Servers}
		errs = append(errs, s.Use(openib.ClassPing, servers), s.Use(openib.ClassSysstat, servers))
	}
	return a, errors.Join(errs...)
}
