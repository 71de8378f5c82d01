package verify

import "github.com/ibscope/ibscope/fabric"

// Kind is the kind of a finding. The words are stable names for outputs.
type Kind string

// The kinds.
const (
	Missing     Kind = "missing"      // a planned cable is not there
	Extra       Kind = "extra"        // a cable that the plan does not have
	Swapped     Kind = "swapped"      // two or more cables are in each other's places
	Moved       Kind = "moved"        // one end of a cable is in the wrong port
	WrongRate   Kind = "wrong-rate"   // a cable is in its place and runs narrower or slower
	Replaced    Kind = "replaced"     // another node has all cables of a planned one
	MissingNode Kind = "missing-node" // all of several cables of a node that is not there
	BrokenRule  Kind = "broken-rule"  // a rule is not kept
)

// Finding is one fault of the wiring. What and Do may hold text from the plan and
// from the fabric: escape them.
type Finding struct {
	Kind Kind
	What string   // what is wrong, a sentence
	Do   []string // what to do, a sentence for each step

	Cables []*Cable      // planned cables that it is about
	Links  []fabric.Link // links that are there and that it is about
	Node   *fabric.Node  // of Replaced: the one that is there; of a rule about firmware: the one that breaks it
	Rule   *Rule         // of BrokenRule
}

// Report is the outcome of Check.
type Report struct {
	Findings []Finding
	// Problems are cables of the plan that could not be looked for, as those that
	// name two nodes at once. The result is not complete with them.
	Problems []error
	InPlace  int // planned cables that are where they should be
	Kept     int // rules that are kept
}
