package source

import (
	"net/url"
	"os"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/traffic"
)

// Simulator is the simulated fabric of a sim: URI, for programs that stand in
// for a machine on it rather than for its management software.
type Simulator struct {
	Fabric *sim.Fabric
	Agents *agents.Agents // performance management and others, plugged in
	At     *fabric.Node   // the node that node= or host= names, or the default
	Exact  bool           // node= named it: that node and no other
	HCAs   []*fabric.Node // the nodes that adapters= lists, GUIDs or descriptions joined by commas
}

// OpenSimulator makes the fabric of a sim: URI. Errors are *Error.
func OpenSimulator(uri string) (*Simulator, error) { return OpenScenario(nil, uri) }

// Scenario is what a *scenario.Scenario says of a fabric before its timeline begins.
// That package is not named here: whoever opens a fabric would read YAML then.
type Scenario interface {
	// Apply sets the seed, the physics and the faults.
	Apply(f *fabric.Fabric, o *sim.Options) error
	// Traffic is what the counters count.
	Traffic(f *fabric.Fabric) ([]traffic.Rule, error)
}

// OpenScenario makes the fabric of a sim: URI for a scenario, which may be nil. Errors
// are *Error, or those of the scenario.
func OpenScenario(sc Scenario, uri string) (*Simulator, error) {
	u, err := Parse(uri)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "sim" {
		return nil, u.Expected("scheme", u.Scheme, "sim:")
	}
	own, rest := splitSimArguments(u.Query)
	s := &Simulator{Exact: own.Get("node") != ""}
	if err := s.make(u, sc, own, rest); err != nil {
		return nil, err
	}
	port, err := attach(u, s.Fabric, own)
	if err != nil {
		return nil, err
	}
	s.At = port.Node()
	for name := range strings.SplitSeq(own.Get("adapters"), ",") {
		if name == "" {
			continue
		}
		n, err := s.Node(name)
		if err != nil {
			return nil, u.Wrap("argument adapters", err)
		}
		s.HCAs = append(s.HCAs, n)
	}
	return s, port.Close()
}

// make makes the fabric, with all that answers in it.
func (s *Simulator) make(u *URI, sc Scenario, own, rest url.Values) error {
	options, err := simOptions(u, own)
	if err != nil {
		return err
	}
	d, err := simModel(u, rest)
	if err != nil {
		return err
	}
	f := d.Fabric
	if err := simPhysics(u, own, f, options); err != nil {
		return err
	}
	var rules []traffic.Rule
	if sc != nil {
		if err := sc.Apply(f, options); err != nil {
			return err
		}
		if rules, err = sc.Traffic(f); err != nil {
			return err
		}
	}
	if s.Fabric, err = sim.New(f, options); err != nil {
		return u.Wrap("arguments", err)
	}
	if s.Agents, err = useAgents(u, s.Fabric, own, &agents.Options{Seed: options.Seed, Traffic: rules}); err != nil {
		return err
	}
	if !options.Fresh {
		restore(s.Fabric, s.Agents, d.Snapshot)
	}
	return manage(u, s.Fabric, own)
}

// Node finds a node by its GUID or description; else the error wraps
// os.ErrNotExist.
func (s *Simulator) Node(name string) (*fabric.Node, error) {
	if name == "" {
		return nil, &sim.Error{Op: "find", Obj: "node without a name", Err: os.ErrNotExist}
	}
	port, err := s.Fabric.AttachAt(name, 0)
	if err != nil {
		return nil, err
	}
	return port.Node(), port.Close()
}
