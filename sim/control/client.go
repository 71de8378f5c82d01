package control

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"time"
)

// Conn is a connection to a simulator, for one goroutine.
type Conn struct {
	path  string
	conn  net.Conn
	lines *bufio.Scanner
}

// Dial connects to the socket of a simulator. Errors are *Error:
// syscall.ECONNREFUSED and os.ErrNotExist mean that none runs there.
func Dial(ctx context.Context, path string) (*Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, &Error{Op: "dial", Obj: path, Err: err}
	}
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxReply)
	return &Conn{path, c, lines}, nil
}

// Do sends a command and waits for its reply; once the context has ended the
// Conn is of no more use. What the simulator refuses is in Reply.Error.
func (c *Conn) Do(ctx context.Context, command string) (Reply, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	wrap := func(err error) error {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return &Error{Op: "ask", Obj: c.path, Err: err}
	}
	b, err := json.Marshal(Request{Command: command})
	if err != nil {
		return Reply{}, wrap(err)
	}
	if len(b) >= maxLine {
		return Reply{}, wrap(fmt.Errorf("the command is longer than %d bytes: %w", maxLine, bufio.ErrTooLong))
	}
	if _, err := c.conn.Write(append(b, '\n')); err != nil {
		return Reply{}, wrap(err)
	}
	if !c.lines.Scan() {
		err := c.lines.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return Reply{}, wrap(err)
	}
	var reply struct {
		Reply
		Events json.RawMessage `json:"events"`
	}
	if err := json.Unmarshal(c.lines.Bytes(), &reply); err != nil {
		return Reply{}, wrap(err)
	}
	if len(reply.Events) > 0 {
		reply.Result = reply.Events
	}
	return reply.Reply, nil
}

// Close ends the connection.
func (c *Conn) Close() error { return c.conn.Close() }
