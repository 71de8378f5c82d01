package nats

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const greeting = `INFO {"headers":true,"max_payload":1000,"nonce":"abc"}` + "\r\n"

// fake is a server that does what a test wants, with one connection after another.
type fake struct {
	t       *testing.T
	address string
	listen  net.Listener
	work    sync.WaitGroup
	isOnce  atomic.Bool // listens no more after the first connection
}

func (f *fake) once() { f.isOnce.Store(true) }

// session is a connection to a fake.
type session struct {
	net.Conn
	from *bufio.Reader
}

// newFake has a server speak as script does; it ends with the test.
func newFake(t *testing.T, script func(s *session)) *fake {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, address: l.Addr().String(), listen: l}
	ctx, cancel := context.WithCancel(t.Context())
	f.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if f.isOnce.Load() {
				l.Close()
			}
			f.work.Go(func() {
				defer c.Close()
				defer context.AfterFunc(ctx, func() { c.Close() })()
				script(&session{c, bufio.NewReader(c)})
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		cancel()
		f.work.Wait()
	})
	return f
}

// say sends text; one that has gone away does not hear it.
func (s *session) say(format string, args ...any) { _, _ = fmt.Fprintf(s, format, args...) }

// line reads the next line that is not empty; "" at the end.
func (s *session) line() string {
	for {
		line, err := s.from.ReadString('\n')
		if err != nil {
			return ""
		}
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			return line
		}
	}
}

// greet agrees with a client, and gives the CONNECT that it has sent.
func (s *session) greet() (hello string) {
	s.say("%s", greeting)
	hello = s.line()
	s.line() // SUB
	s.line() // PING
	s.say("PONG\r\n")
	return hello
}

// request reads the next request, and gives where it is to be answered; "" at the end.
func (s *session) request() (reply string) {
	for {
		line := s.line()
		words := strings.Fields(line)
		switch {
		case line == "":
			return ""
		case len(words) > 3 && (words[0] == "PUB" || words[0] == "HPUB"):
			return words[2]
		}
	}
}

// rest reads until the client goes away.
func (s *session) rest() {
	for s.line() != "" {
	}
}

// said keeps what a client tells.
type said struct {
	mu    sync.Mutex
	texts []string
	errs  []error
}

func (s *said) add(text string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts, s.errs = append(s.texts, text), append(s.errs, err)
}

// is reports whether something was told that is an error.
func (s *said) is(kind string, target error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, text := range s.texts {
		if text == kind && errors.Is(s.errs[i], target) {
			return true
		}
	}
	return false
}

func (s *said) count(kind string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.texts {
		if text == kind {
			n++
		}
	}
	return n
}

// open makes a client of a fake server that is in no hurry. It ends with the test, and
// leaves nothing behind.
func open(t *testing.T, o Options) (*Client, *said) {
	t.Helper()
	told := &said{}
	o.Up = func(server string) { told.add("up "+server, nil) }
	o.Down = func(err error) { told.add("down", err) }
	o.Failed = func(err error) { told.add("failed", err) }
	if o.RetryWait == 0 {
		o.RetryWait = time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	c, err := Open(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		eventually(t, "no goroutine is left", func() bool {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			return !strings.Contains(string(stacks), "nats.(*Client).run(") && !strings.Contains(string(stacks), "nats.(*link)")
		})
	})
	return c, told
}

// ready waits for a server.
func ready(t *testing.T, c *Client) {
	t.Helper()
	if err := c.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// eventually waits for what other goroutines do.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to it that %s", what)
		}
	}
}
