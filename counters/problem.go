package counters

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
	"github.com/ibscope/ibscope/mad/pma"
)

// Why something was not asked for.
var (
	// ErrSilent: the node has left two requests in a row without a reply.
	ErrSilent = errors.New("not asked, because the node did not answer before")
	// ErrNoAnswer: other ports of the node got no reply to this attribute.
	ErrNoAnswer = errors.New("not asked, because the node does not answer to this attribute")
	// ErrNoLID: the port has no LID, by which alone its agent is reached.
	ErrNoLID = errors.New("not asked, because the port has no LID")
	// ErrNotAsked: the pass ended before; the error also wraps what ended it.
	ErrNotAsked = errors.New("not asked in time")
)

// Problem is something that could not be read. Unwrap gives the cause: one of the
// errors above, or a *madrpc.Error.
type Problem struct {
	Node *fabric.Node
	Port int        // the number; pma.AllPorts for the sums over all
	Attr mad.AttrID // 0: the port as a whole
	Err  error
}

// Error names node, port and attribute, and the cause. It has no text from the
// fabric.
func (p *Problem) Error() string {
	what := "counters"
	if p.Attr != 0 {
		what = attr.Name(mad.ClassPerf, p.Attr)
	}
	port := fmt.Sprint(p.Port)
	if p.Port == int(pma.AllPorts) {
		port = "ALL"
	}
	return fmt.Sprintf("%s of node %s port %s: %v", what, p.Node.GUID(), port, p.Err)
}

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Asked reports whether a request was sent, so that Err is a *madrpc.Error.
func (p *Problem) Asked() bool {
	for _, e := range []error{ErrSilent, ErrNoAnswer, ErrNoLID, ErrNotAsked} {
		if errors.Is(p.Err, e) {
			return false
		}
	}
	return true
}
