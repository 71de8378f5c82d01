package source

import (
	"cmp"
	"net/url"
	"os"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/scenario"
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
func OpenSimulator(uri string) (*Simulator, error) { return OpenScenario(&scenario.Scenario{}, uri) }

// OpenScenario makes the fabric for a scenario: of a sim: URI, "" for the one
// that the scenario has itself, with the scenario's seed, physics, traffic and
// faults. Its timeline has not begun. Errors are *Error, or those of package
// scenario.
func OpenScenario(sc *scenario.Scenario, uri string) (*Simulator, error) {
	u, err := Parse(cmp.Or(uri, sc.URI))
	if err != nil {
		return nil, err
	}
	if u.Scheme != "sim" {
		return nil, u.expected("scheme", u.Scheme, "sim:")
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
			return nil, u.wrap("argument adapters", err)
		}
		s.HCAs = append(s.HCAs, n)
	}
	return s, port.Close()
}

// make makes the fabric, with all that answers in it.
func (s *Simulator) make(u *URI, sc *scenario.Scenario, own, rest url.Values) error {
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
	if err := sc.Apply(f, options); err != nil {
		return err
	}
	rules, err := sc.Traffic(f)
	if err != nil {
		return err
	}
	if s.Fabric, err = sim.New(f, options); err != nil {
		return u.wrap("arguments", err)
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
