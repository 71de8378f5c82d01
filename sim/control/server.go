package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/sim/scenario"
)

// Server answers the requests of control connections.
type Server struct {
	runner *scenario.Runner
	quit   func()

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// New makes a server for what a Runner runs on. The query quit calls quit, once
// its reply is on the way; nil refuses it.
func New(r *scenario.Runner, quit func()) *Server {
	return &Server{runner: r, quit: quit, conns: map[net.Conn]bool{}}
}

// Serve answers who connects until the context ends, then closes the listener
// and all connections, and waits for what they have started.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		l.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		for c := range s.conns {
			c.Close()
		}
	})
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	defer l.Close() // the socket is gone when Serve returns
	defer cancel()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return &Error{Op: "accept", Obj: l.Addr().String(), Err: err}
		}
		running.Go(func() {
			defer c.Close()
			if s.enter(ctx, c) {
				s.converse(ctx, c)
			} else {
				_ = send(c, Reply{Error: fmt.Sprintf("there are %d connections already, or the simulator ends", maxConnections)})
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.conns, c)
		})
	}
}

// enter notes a connection, unless there are too many.
func (s *Server) enter(ctx context.Context, c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || len(s.conns) >= maxConnections {
		return false
	}
	s.conns[c] = true
	return true
}

// converse answers the requests of one connection.
func (s *Server) converse(ctx context.Context, c net.Conn) {
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		reply, quits := s.answer(ctx, lines.Bytes())
		if send(c, reply) != nil {
			return
		}
		if quits {
			s.quit()
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		_ = send(c, Reply{Error: fmt.Sprintf("the line is longer than %d bytes", maxLine)})
	}
}

// send writes a reply as a line.
func send(c net.Conn, reply Reply) error {
	b, err := json.Marshal(reply)
	if err != nil {
		return err // all that a Reply holds can be marshalled
	}
	_, err = c.Write(append(b, '\n'))
	return err
}

// answer carries out the request in a line.
func (s *Server) answer(ctx context.Context, line []byte) (reply Reply, quits bool) {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return Reply{Error: `expected a line as {"command":"list nodes"}: ` + inWords(err)}, false
	}
	reply = s.Do(ctx, r.Command)
	reply.ID = r.ID
	return reply, reply.OK && s.quit != nil && strings.TrimSpace(r.Command) == "quit"
}

// inWords is an error of package json without the names of types of this program.
func inWords(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return strings.TrimSpace(e.Field + " found " + e.Value)
	}
	return err.Error()
}

// Do carries out a command or a query, without a connection.
func (s *Server) Do(ctx context.Context, command string) Reply {
	q, args, isQuery := findQuery(command)
	if !isQuery {
		events, err := s.runner.Do(command)
		reply := Reply{OK: err == nil, Events: events}
		var b strings.Builder
		for _, e := range events {
			b.WriteString(e.String() + "\n")
		}
		reply.Text = b.String()
		if err != nil {
			reply.Error = inOneLine(s.explain(err))
		}
		return reply
	}
	result, text, err := q.answer(ctx, s, args)
	if err == nil {
		var raw []byte
		if raw, err = json.Marshal(result); err == nil {
			return Reply{OK: true, Result: raw, Text: text}
		}
	}
	return Reply{Error: inOneLine(err.Error())}
}

// explain adds the queries to what is said about a command that is none.
func (s *Server) explain(err error) string {
	text := err.Error()
	if strings.Contains(text, "expected a command: ") {
		text += ", or a query: " + queryNames()
	}
	return text
}

func inOneLine(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "; ") }
