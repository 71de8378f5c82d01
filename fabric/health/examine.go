package health

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/fabric/topology"
)

// Options are what is known beside the graph. Nil or the zero value is fine: then
// the checks that need more say so.
type Options struct {
	// Name is what to call a node in texts; nil for its description, or its GUID.
	Name func(*fabric.Node) string
	// Topology is that of the fabric; nil has it classified.
	Topology *topology.Topology
	// Counters are those beyond their thresholds, of CountedPorts whose counters were
	// read; 0 if they were not.
	Counters     []Counter
	CountedPorts int
	// Managers are what the subnet managers have told; ManagersAsked that all ports
	// that say that they have one were asked.
	Managers      []Manager
	ManagersAsked bool
	// Firmware is the version that a node runs, as far as it is known.
	Firmware map[*fabric.Node]string
	// Routes is what the forwarding tables do; nil if they are not known.
	Routes *route.Examination
}

// Report is what Examine found.
type Report struct {
	Findings []Finding // the worst first
	Checks   []Check   // all that there are, in their order
}

// Check is one of the checks, and whether it could look.
type Check struct {
	Name     string // a stable word: "links"
	Looked   int    // at how many links, ports, nodes or the like
	What     string // these are
	Skipped  string // why it could not look at all; "" if it did
	Findings int
}

// Worst is the highest severity of all findings, false if there are none.
func (r *Report) Worst() (Severity, bool) {
	if len(r.Findings) == 0 {
		return Note, false
	}
	return r.Findings[0].Severity, true
}

// Verdict sums up the findings.
func (r *Report) Verdict() Verdict {
	switch worst, _ := r.Worst(); {
	case worst >= Critical:
		return Failing
	case worst >= Warning:
		return Degraded
	}
	return Healthy
}

// Count is the number of findings of a severity.
func (r *Report) Count(s Severity) (n int) {
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n++
		}
	}
	return n
}

// examiner holds what the checks share.
type examiner struct {
	*Options
	f        *fabric.Fabric
	findings []Finding
	silent   map[End]bool // ports behind which a node did not answer
	subnets  *subnets
}

// checks are all checks. Each tells how much it looked at, or why it could not.
var checks = []struct {
	name, what string
	run        func(*examiner) (looked int, skipped string)
}{
	{"reading", "nodes", (*examiner).reading},
	{"identifiers", "nodes", (*examiner).identifiers},
	{"managers", "ports", (*examiner).managers},
	{"states", "links", (*examiner).states},
	{"links", "links", (*examiner).links},
	{"mtu", "links", (*examiner).mtu},
	{"ports", "ports", (*examiner).ports},
	{"counters", "ports", (*examiner).counters},
	{"hosts", "hosts", (*examiner).hosts},
	{"uplinks", "switches", (*examiner).uplinks},
	{"shape", "parts", (*examiner).shape},
	{"firmware", "nodes", (*examiner).firmware},
	{"routes", "ways", (*examiner).routes},
}

// Examine looks for all that is wrong with a fabric.
func Examine(f *fabric.Fabric, o *Options) *Report {
	x := &examiner{Options: &Options{}, f: f, silent: map[End]bool{}, subnets: newSubnets(f)}
	if o != nil {
		own := *o
		x.Options = &own
	}
	if x.Name == nil {
		x.Name = nameOf
	}
	if x.Topology == nil {
		x.Topology = topology.Classify(f, nil)
	}
	r := &Report{}
	for _, check := range checks {
		before := len(x.findings)
		looked, skipped := check.run(x)
		r.Checks = append(r.Checks, Check{check.name, looked, check.what, skipped, len(x.findings) - before})
	}
	r.Findings = x.findings
	sort.SliceStable(r.Findings, func(i, j int) bool {
		a, b := r.Findings[i], r.Findings[j]
		return a.compare(&b) < 0
	})
	return r
}

// add adds a finding.
func (x *examiner) add(f Finding) {
	f.Count = max(f.Count, 1)
	x.findings = append(x.findings, f)
}

func nameOf(n *fabric.Node) string {
	if d := n.Description(); d != "" {
		return d
	}
	return "node " + n.GUID().String()
}

// place names a port, or a node as a whole: "leaf01 port 9", and what stands beside
// the port on its box where that is another text.
func (x *examiner) place(e End) string {
	name := x.Name(e.Node)
	if e.Port < 0 {
		return name
	}
	text := fmt.Sprintf("%s port %d", name, e.Port)
	if p := e.PortOf(); p != nil {
		if label := topology.PortLabel(p); label != "" && label != strconv.Itoa(e.Port) {
			text += " (" + label + ")"
		}
	}
	return text
}

// between names both ends of a link.
func (x *examiner) between(l fabric.Link) string {
	return x.place(At(l.A)) + " – " + x.place(At(l.B))
}

// are counts things: "1 port has", "7 ports have".
func are(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
