package fabric

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// ProblemKind is the kind of a problem; the constants are the stable names
// that machine-readable outputs use.
type ProblemKind string

// The kinds of problems.
const (
	NoReply       ProblemKind = "no-reply"       // a request got no answer in all its tries
	BadStatus     ProblemKind = "bad-status"     // a request was answered with an error status
	BadReply      ProblemKind = "bad-reply"      // an answer that cannot be true
	DuplicateGUID ProblemKind = "duplicate-guid" // two nodes claim one node GUID
	LinkConflict  ProblemKind = "link-conflict"  // the two ends of a link name different peers
	RateMismatch  ProblemKind = "rate-mismatch"  // the two ends of a link tell different rates
	TooFar        ProblemKind = "too-far"        // beyond the 63 hops of a directed route
	NotFinished   ProblemKind = "not-finished"   // the sweep ended before it came here
	BadChassis    ProblemKind = "bad-chassis"    // a chassis position that cannot be
	BadInput      ProblemKind = "bad-input"      // a file's line that could not be understood
	FilesDisagree ProblemKind = "files-disagree" // two files of one fabric tell different things
)

// Problem is one thing that is wrong or missing, with all that is known about
// where. Zero fields do not apply.
type Problem struct {
	Kind ProblemKind
	// Where.
	Target   mad.Target // whom a request was sent to
	GUID     ib.GUID    // of the node
	Port     int        // of the node; -1 for the node as a whole
	Class    mad.Class  // of the attribute; 0 is subnet management
	Attr     mad.AttrID
	Modifier uint32
	File     string // name and line of a file, "a.topo:17"
	// What.
	Detail string
	Err    error
}

// Error says the problem in one line. Its text is not escaped: Detail may hold
// text from the fabric.
func (p Problem) Error() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File + ": ")
	}
	if p.Kind == NoReply || p.Kind == BadStatus || p.Kind == BadReply || p.Kind == NotFinished || p.Kind == TooFar {
		fmt.Fprintf(&b, "%s: ", p.Target)
	}
	if p.GUID != 0 {
		fmt.Fprintf(&b, "node %s ", p.GUID)
		if p.Port >= 0 {
			fmt.Fprintf(&b, "port %d ", p.Port)
		}
	}
	if p.Detail != "" {
		b.WriteString(p.Detail)
	} else {
		b.WriteString(string(p.Kind))
	}
	if p.Err != nil {
		fmt.Fprintf(&b, ": %v", p.Err)
	}
	return b.String()
}

// Unwrap gives the cause, for errors.Is.
func (p Problem) Unwrap() error { return p.Err }
