package madrpc

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/attr"
)

// ErrEmpty is returned by Queue.Next when nothing is left to wait for.
var ErrEmpty = errors.New("no request is started in this queue")

// An Error says which request failed and why. Err, which Unwrap gives, is or
// wraps
//
//   - the mad.Status of the reply;
//   - os.ErrDeadlineExceeded: no reply in any try;
//   - a unix.Errno: the transport could not send the request, or returned it
//     (ETIMEDOUT counts as os.ErrDeadlineExceeded too);
//   - the context's error: the caller gave up;
//   - os.ErrClosed, or whatever else ended the transport.
type Error struct {
	Op       string // the method's name, "Get"
	Target   mad.Target
	Class    mad.Class
	Method   mad.Method
	Attr     mad.AttrID
	Modifier uint32
	Tries    int // how often the request was sent
	Err      error
}

// newError describes r, whose packet must still be the request.
func newError(r *Request, err error) *Error {
	p := &r.Packet
	return &Error{
		Op:       p.Method().String(),
		Target:   r.Target,
		Class:    p.Class(),
		Method:   p.Method(),
		Attr:     p.AttrID(),
		Modifier: p.Modifier(),
		Tries:    r.Tries,
		Err:      err,
	}
}

// Error names what was asked of whom, and the cause: "Get PortInfo
// modifier 3 from Lid 7: no reply in 4 tries of 1s".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if !e.Class.IsSMP() {
		fmt.Fprintf(&b, " %v", e.Class)
	}
	fmt.Fprintf(&b, " %s modifier ", attr.Name(e.Class, e.Attr))
	if e.Modifier <= 0xffff {
		fmt.Fprintf(&b, "%d", e.Modifier)
	} else {
		fmt.Fprintf(&b, "%#x", e.Modifier) // parts beside each other, as port and block
	}
	preposition := "from"
	if e.Method == mad.MethodSet {
		preposition = "to"
	}
	fmt.Fprintf(&b, " %s %v: %v", preposition, e.Target, e.Err)
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether the request ended for want of time: no reply in any
// try, or a deadline of the caller's context.
func (e *Error) Timeout() bool {
	var t interface{ Timeout() bool }
	return errors.Is(e.Err, os.ErrDeadlineExceeded) || errors.As(e.Err, &t) && t.Timeout()
}

// noReply is the cause of a request that got no reply. It is an
// os.ErrDeadlineExceeded, and what the transport reported, if anything.
type noReply struct {
	tries   int
	timeout time.Duration // of each try, or of all
	total   bool          // of all
	report  error
}

func (e *noReply) Error() string {
	s := fmt.Sprintf("no reply in %d tries", e.tries)
	if e.tries == 1 {
		s = "no reply in 1 try"
	}
	if e.report != nil {
		return s + ": " + e.report.Error()
	}
	if e.total {
		return s + " within " + e.timeout.Round(time.Millisecond).String()
	}
	return s + " of " + e.timeout.String()
}

func (e *noReply) Unwrap() []error {
	if e.report == nil {
		return []error{os.ErrDeadlineExceeded}
	}
	return []error{os.ErrDeadlineExceeded, e.report}
}

// brokenOff is the cause of a stream that ended in the middle.
type brokenOff struct {
	packets uint32 // that had come
	err     error
}

func (e *brokenOff) Error() string {
	return fmt.Sprintf("the reply broke off after packet %d: %v", e.packets, e.err)
}

func (e *brokenOff) Unwrap() error { return e.err }

// transient reports whether a Send error means that there was no room at the
// moment: the try is lost as if on the wire, and the next one may succeed.
func transient(err error) bool {
	for _, e := range []syscall.Errno{syscall.EAGAIN, syscall.ENOBUFS, syscall.ENOMEM, syscall.EINTR} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// errNoLID is the cause of a request that cannot be addressed.
var errNoLID = errors.New("general services are reached by LID only, and the target has none")
