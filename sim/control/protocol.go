package control

import (
	"encoding/json"
	"fmt"

	"github.com/ibscope/ibscope/sim/scenario"
)

// Bounds of the protocol.
const (
	maxLine        = 64 << 10  // of a request
	maxReply       = 256 << 20 // of a reply, for the client
	maxConnections = 64
)

// Request is a line that a client sends.
type Request struct {
	// ID comes back in the reply; any JSON, or none.
	ID json.RawMessage `json:"id,omitempty"`
	// Command is a line of text: a command of package scenario, as "link down
	// leaf01/7", or a query.
	Command string `json:"command"`
}

// Reply is the line that answers a Request.
type Reply struct {
	ID json.RawMessage `json:"id,omitempty"`
	OK bool            `json:"ok"`
	// Error is one line that says why not.
	Error string `json:"error,omitempty"`
	// Events are what a command has done, or tried.
	Events []scenario.Event `json:"events,omitempty"`
	// Result is what a query has found.
	Result json.RawMessage `json:"result,omitempty"`
	// Text is events or result for people, with an end of line.
	Text string `json:"text,omitempty"`
}

// Error is what this package reports. Err wraps os.ErrInvalid, os.ErrNotExist or
// an error of the network.
type Error struct {
	Op  string // "listen", "dial", "ask" …
	Obj string // the socket or the command
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("control: %s %s: %v", e.Op, e.Obj, e.Err) }

// mistake is a message that is one of the errors of package os without saying
// so.
type mistake struct {
	text string
	is   error
}

func (m *mistake) Error() string { return m.text }
func (m *mistake) Unwrap() error { return m.is }

// refuse is the error of a command.
func refuse(is error, format string, args ...any) error {
	return &mistake{fmt.Sprintf(format, args...), is}
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
