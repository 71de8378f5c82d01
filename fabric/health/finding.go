package health

import (
	"cmp"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

// Kind is what is wrong; the constants are the stable names of machine-readable
// outputs.
type Kind string

// The kinds of findings.
const (
	NotRead        Kind = "not-read"        // a node or port did not tell all that was asked
	UnknownPeer    Kind = "unknown-peer"    // ports with a link to a node that was not found
	Contradiction  Kind = "contradiction"   // what was read cannot all be true
	DuplicateLID   Kind = "duplicate-lid"   // two ports have one LID
	DuplicateGUID  Kind = "duplicate-guid"  // two nodes or ports have one GUID
	ZeroGUID       Kind = "zero-guid"       // a node without a GUID
	NoLID          Kind = "no-lid"          // the link is active, and the port has no LID
	NoManager      Kind = "no-manager"      // no subnet manager is master
	TwoManagers    Kind = "two-managers"    // several are
	OtherManager   Kind = "other-manager"   // ports follow another one than the rest
	ManagerUnknown Kind = "manager-unknown" // the LID of the subnet manager is nobody's
	ManagerSilent  Kind = "manager-silent"  // a port says that it has one, which does not answer
	NoStandby      Kind = "no-standby"      // nobody would take over
	NotConfigured  Kind = "not-configured"  // most links wait for a subnet manager
	NotActive      Kind = "not-active"      // a link is up, and not active
	StatesDisagree Kind = "states-disagree" // the ends of a link tell different states
	Training       Kind = "training"        // a port cannot bring its link up
	Disabled       Kind = "disabled"        // ports are switched off
	Narrow         Kind = "narrow"          // fewer lanes than both ends support
	Slow           Kind = "slow"            // a lower speed than both ends support
	RatesDisagree  Kind = "rates-disagree"  // the ends of a link tell different rates
	LinkConflict   Kind = "link-conflict"   // the ends of a link name different peers
	MTUMismatch    Kind = "mtu-mismatch"    // the ends of a link use different MTUs
	MTULow         Kind = "mtu-low"         // a smaller MTU than both ends support
	Counted        Kind = "counters"        // counters of errors beyond their thresholds
	FewerLinks     Kind = "fewer-links"     // a host has fewer links than its peers
	FewerUplinks   Kind = "fewer-uplinks"   // a switch has fewer links up than its peers
	Misplaced      Kind = "misplaced-link"  // a link that does not fit the shape of the fabric
	SameHost       Kind = "host-unclear"    // adapters that cannot be in one host as they tell
	Firmware       Kind = "firmware"        // devices of one model with different firmware
	NotDelivered   Kind = "not-delivered"   // forwarding tables lead nowhere, or in a circle
	CreditLoop     Kind = "credit-loop"     // links may wait for each other for ever
)

// End is a port, or a node as a whole.
type End struct {
	Node *fabric.Node // nil for none
	Port int          // -1 for the node as a whole
}

// At is a port as an End, the zero End for nil.
func At(p *fabric.Port) End {
	if p == nil {
		return End{}
	}
	return End{p.Node(), p.Num()}
}

// PortOf is the port; nil for a node as a whole, and for one that is not known.
func (e End) PortOf() *fabric.Port {
	if e.Node == nil || e.Port < 0 {
		return nil
	}
	return e.Node.Port(e.Port)
}

// Finding is one thing that is wrong, or worth a note.
type Finding struct {
	Kind     Kind
	Severity Severity
	Text     string   // one line; it holds names, which are untrusted text
	At       End      // where it is; zero for the fabric as a whole
	To       End      // the other end of a link, or the other of two
	Count    int      // how many places it is about: 1, or more where it sums up
	Evidence []string // what it rests on, line by line; untrusted text as well
	Remedy   []string // what to do, the best first
}

// String is the finding in one line.
func (f *Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Severity, f.Kind, f.Text) }

// compare orders findings: the worst first, then by place. The sort is stable, so
// that those of one place stay in the order of the checks.
func (f *Finding) compare(g *Finding) int {
	return cmp.Or(cmp.Compare(g.Severity, f.Severity), cmp.Compare(g.Count, f.Count), f.At.compare(g.At))
}

func (e End) compare(o End) int {
	return cmp.Or(cmp.Compare(e.index(), o.index()), cmp.Compare(e.Port, o.Port))
}

// index puts the fabric as a whole first.
func (e End) index() int {
	if e.Node == nil {
		return -1
	}
	return e.Node.Index()
}
