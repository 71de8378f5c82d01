package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestRequest: answers that come in pieces, late, twice, or from nobody.
func TestRequest(t *testing.T) {
	f := newFake(t, func(s *session) {
		s.greet()
		reply := s.request()
		s.say("PI")
		s.say("NG\r\n")
		if data, got := s.line(), s.line(); data != "x" || got != "PONG" {
			t.Errorf("%q, %q", data, got)
		}
		text := fmt.Sprintf("MSG %sx 1 4\r\nlate\r\nHMSG %s 1 24 29\r\nNATS/1.0 100\r\nA: b:c\r\n\r\nhello\r\nMSG %s 1 2\r\nno\r\n", reply, reply, reply)
		for i := range len(text) {
			s.say("%s", text[i:i+1])
		}
		s.say("HMSG %s 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n", s.request())
		s.say(`-ERR 'Permissions Violation for Publish to "secret"'`+"\r\n%.0s", s.request())
		s.rest()
	})
	c, told := open(t, Options{URL: f.address})
	ready(t, c)
	m, err := c.Request(t.Context(), &Message{Subject: "a", Data: []byte("x")})
	if err != nil || string(m.Data) != "hello" || m.Status != 100 || m.Header["A"] != "b:c" {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, tt := range []struct {
		m    Message
		want error
	}{
		{Message{Subject: "a"}, ErrNoResponders},
		{Message{Subject: "secret"}, ErrPermission},
		{Message{Subject: "a", Data: make([]byte, 1001)}, ErrTooLarge},
		{Message{Subject: "a b"}, os.ErrInvalid},
		{Message{Subject: "a.*"}, os.ErrInvalid},
		{Message{Subject: "a", Header: Header{"A": "b\r\nc"}}, os.ErrInvalid},
		{Message{Subject: "a", Header: Header{"A:": ""}}, os.ErrInvalid},
	} {
		var of *Error
		if _, err := c.Request(t.Context(), &tt.m); !errors.Is(err, tt.want) || !errors.As(err, &of) {
			t.Errorf("%s: %v, want %v", tt.m.Subject, err, tt.want)
		}
	}
	if told.count("down") > 0 {
		t.Error("the server was lost")
	}
	if len(c.asked) > 0 {
		t.Errorf("%d requests are left", len(c.asked))
	}
}

// TestSilence: a server that does not answer is waited for until the context ends; one
// that does not even read holds nobody up either.
func TestSilence(t *testing.T) {
	f := newFake(t, func(s *session) {
		s.greet()
		<-t.Context().Done()
	})
	c, _ := open(t, Options{URL: f.address})
	ready(t, c)
	l := c.link
	l.most.Store(1 << 30)
	silent := func(when string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if _, err := c.Request(ctx, &Message{Subject: "a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", when, err)
		}
	}
	silent("there is room")
	p, err := c.Send(t.Context(), &Message{Subject: "a", Data: make([]byte, 64<<20)}) // more than there is room on the way
	if err != nil {
		t.Fatal(err)
	}
	silent("there is none")
	c.Close()
	if _, err := p.Wait(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := c.Request(t.Context(), &Message{Subject: "a"}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := c.Wait(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestCloseAnswers: what is under way when the client is closed is told so.
func TestCloseAnswers(t *testing.T) {
	f := newFake(t, func(s *session) {
		s.greet()
		s.rest()
	})
	c, _ := open(t, Options{URL: f.address})
	ready(t, c)
	p, err := c.Send(t.Context(), &Message{Subject: "a"})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := p.Wait(t.Context()); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestReconnect: when a server is lost the next one is there, also one that only the
// first has told of; what was under way is told so.
func TestReconnect(t *testing.T) {
	last := newFake(t, func(s *session) {
		s.greet()
		s.say("MSG %s 1 4\r\nlast\r\n", s.request())
		s.rest()
	})
	second := newFake(t, func(s *session) {
		s.greet()
		s.say(`INFO {"headers":true,"max_payload":5,"connect_urls":["%s","nonsense"]}`+"\r\n", last.address)
		s.request() // and is gone
	})
	second.once()
	first := newFake(t, func(s *session) {
		s.greet()
		s.request()
	})
	first.once()
	c, told := open(t, Options{URL: first.address + ", nats://" + second.address})
	for i, server := range []*fake{first, second} {
		eventually(t, "a server is there", func() bool { return told.count("up "+server.address) == 1 })
		if _, err := c.Request(t.Context(), &Message{Subject: "a"}); !errors.Is(err, ErrDisconnected) {
			t.Fatal(i, err)
		}
	}
	eventually(t, "the last one is there", func() bool { return told.count("up "+last.address) == 1 })
	if m, err := c.Request(t.Context(), &Message{Subject: "a"}); err != nil || string(m.Data) != "last" {
		t.Fatal(m, err)
	}
	if told.count("down") != 2 {
		t.Errorf("%d servers were lost", told.count("down"))
	}
}

// TestNotConnected: without a server nobody waits, and why is told once.
func TestNotConnected(t *testing.T) {
	tries := make(chan bool)
	f := newFake(t, func(s *session) {
		s.say("%s", greeting)
		s.line()
		s.say("-ERR 'Authorization Violation'\r\n")
		select {
		case tries <- true:
		case <-t.Context().Done():
		}
	})
	c, told := open(t, Options{URL: "nats://somebody:hunter2@" + f.address})
	for range 5 {
		<-tries
	}
	if !told.is("failed", ErrAuthorization) || told.count("failed") != 1 {
		t.Errorf("told: %v", told.errs)
	}
	if text := told.errs[0].Error(); strings.Contains(text, "hunter2") || !strings.Contains(text, f.address) {
		t.Error(text)
	}
	if _, err := c.Request(t.Context(), &Message{Subject: "a"}); !errors.Is(err, ErrNotConnected) || c.IsConnected() {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestStale: a server that does not answer to pings is given up.
func TestStale(t *testing.T) {
	f := newFake(t, func(s *session) {
		s.greet()
		s.rest()
	})
	_, told := open(t, Options{URL: f.address, PingInterval: time.Millisecond})
	eventually(t, "it is given up", func() bool { return told.is("down", ErrStale) })
}

// TestHostile: what no server sends ends the connection, and nothing else.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"long line":   "INFO " + strings.Repeat("x", maxLine+1) + "\r\n",
		"huge":        "MSG a 1 99999999999\r\n",
		"negative":    "MSG a 1 -1\r\n",
		"words":       "MSG a\r\n",
		"longer":      "MSG a 1 1\r\nabc\r\n",
		"no headers":  "HMSG a 1 4 4\r\nabcd\r\n",
		"beyond":      "HMSG a 1 9 4\r\nabcd\r\n",
		"no end":      "HMSG a 1 10 10\r\nNATS/1.0\r\n\r\n",
		"status":      "HMSG a 1 16 16\r\nNATS/1.0 x03\r\n\r\n\r\n",
		"field":       "HMSG a 1 16 16\r\nNATS/1.0\r\nabc\r\n\r\n\r\n",
		"many fields": "HMSG a 1 1212 1212\r\nNATS/1.0\r\n" + strings.Repeat("a:\r\n", 300) + "\r\n\r\n",
		"bad INFO":    "INFO {\r\n",
		"HTTP":        "HTTP/1.1 400 Bad Request\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(s *session) {
				s.greet()
				s.say("%s", text)
				s.rest()
			})
			_, told := open(t, Options{URL: f.address})
			eventually(t, "it is given up", func() bool { return told.is("down", ErrProtocol) })
		})
	}
	for name, text := range map[string]string{
		"not INFO": "PING\r\n", "no headers": "INFO {}\r\n", "more before TLS": `INFO {"headers":true,"tls_required":true}` + "\r\nPONG\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(s *session) {
				s.say("%s", text)
				s.rest()
			})
			_, told := open(t, Options{URL: f.address})
			eventually(t, "it is given up", func() bool { return told.is("failed", ErrProtocol) })
		})
	}
}

// TestNoTLS: where TLS is demanded nothing is told to a server without it.
func TestNoTLS(t *testing.T) {
	f := newFake(t, func(s *session) {
		s.say("%s", greeting)
		if line := s.line(); line != "" {
			t.Errorf("it says %q", line)
		}
	})
	_, told := open(t, Options{URL: "tls://a:b@" + f.address})
	eventually(t, "it is given up", func() bool { return told.is("failed", ErrTLS) })
}

// TestHello: what a server is told of the client.
func TestHello(t *testing.T) {
	for user, want := range map[string]hello{
		"": {}, "a:b%40@": {User: "a", Password: "b@"}, "secret@": {Token: "secret"},
	} {
		t.Run(user, func(t *testing.T) {
			got := make(chan string, 1)
			f := newFake(t, func(s *session) {
				got <- s.greet()
				s.rest()
			})
			f.once()
			open(t, Options{URL: "nats://" + user + f.address, Name: "me"})
			var h hello
			text, ok := strings.CutPrefix(<-got, "CONNECT ")
			if err := json.Unmarshal([]byte(text), &h); err != nil || !ok {
				t.Fatal(text, err)
			}
			want.Name, want.Lang, want.Version, want.Protocol, want.Headers, want.NoResponders = "me", "go", "1", 1, true, true
			if h != want {
				t.Errorf("%+v, want %+v", h, want)
			}
		})
	}
}
