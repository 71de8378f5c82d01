package scenario

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// fault is a fault by name.
type fault struct {
	at *located // nil for everywhere
	sim.Fault
}

// faultKinds are the values of kind.
var faultKinds = []struct {
	name string
	kind sim.FaultKind
}{
	{"dead-sma", sim.DeadSMA},
	{"dead-node", sim.DeadNode},
	{"dead-port", sim.DeadPort},
	{"wrong-node-guid", sim.WrongNodeGUID},
	{"wrong-port-guid", sim.WrongPortGUID},
	{"wrong-tid", sim.WrongTID},
	{"wrong-class-version", sim.WrongClassVersion},
	{"bad-status", sim.BadStatus},
	{"zero-data", sim.ZeroData},
	{"corrupt", sim.CorruptBytes},
	{"duplicated", sim.Duplicated},
	{"delayed", sim.Delayed},
}

func parseFaultKind(s string) (sim.FaultKind, error) {
	for _, k := range faultKinds {
		if k.name == s {
			return k.kind, nil
		}
	}
	return 0, invalid("no such kind")
}

func faultKindNames() string {
	var names []string
	for _, k := range faultKinds {
		names = append(names, k.name)
	}
	return "one of " + strings.Join(names, ", ")
}

// faults reads the section.
func (f *file) faults(n *yaml.Node) []fault {
	var all []fault
	for _, item := range f.list(n, "mappings") {
		own := fault{}
		f.fields(item, []field{
			{"kind", to(f, &own.Kind, faultKindNames(), parseFaultKind)},
			{"at", func(n *yaml.Node) { own.at = f.nameAt(n, (*words).place) }},
			{"attr", to(f, &own.Attr, "the name or number of an attribute", parseAttribute)},
			{"after", to(f, &own.After, "a number of requests", parseCount)},
			{"times", to(f, &own.Times, "a number of requests", parseCount)},
			{"probability", to(f, &own.Probability, aShare, parseShare)},
			{"guid", to(f, &own.GUID, "a GUID", parseGUID)},
			{"status", to(f, &own.Status, "a MAD status, as 0x1", parseStatus)},
			{"delay", to(f, &own.Delay, aDuration, parseDuration)},
		})
		if own.Kind == 0 && len(f.errs) == 0 {
			f.failAt(item, expected("", "kind: "+faultKindNames()))
		}
		if own.Kind == sim.DeadPort && (own.at == nil || own.at.port == noPort || own.at.port == 0) && len(f.errs) == 0 {
			f.failAt(item, expected("", "at: "+aPort))
		}
		all = append(all, own)
	}
	return all
}

func parseStatus(s string) (mad.Status, error) {
	v, err := parseUint64(s)
	if err == nil && (v == 0 || v > 0xffff) {
		err = invalid("it is no status")
	}
	return mad.Status(v), err
}

// makeFaults finds out where the faults are.
func (s *Scenario) makeFaults(names *sim.Fabric) ([]sim.Fault, error) {
	var all []sim.Fault
	var errs []error
	for _, f := range s.faults {
		if f.at == nil {
			all = append(all, f.Fault)
			continue
		}
		errs = append(errs, f.at.everywhere(names, func(guid ib.GUID, port int) {
			own := f.Fault
			own.Node, own.Port = guid, port
			all = append(all, own)
		}))
	}
	return all, errors.Join(errs...)
}
