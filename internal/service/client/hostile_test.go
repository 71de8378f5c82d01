package client

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
)

// TestHostile: whatever a service answers, what comes of it is an error in one line that
// asking again does not change, or does.
func TestHostile(t *testing.T) {
	huge := strings.Repeat(" ", 1<<20)
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string
		final  bool
	}{
		"no JSON":      {say(200, "<html>\x1b[31mhello"), "could not be read", true},
		"half":         {say(200, `{"items":[`), "could not be read", true},
		"wrong type":   {say(200, `{"items":{"a":1}}`), "could not be read", true},
		"not a number": {say(200, `{"items":[{"switches":NaN}]}`), "could not be read", true},
		"too large":    {say(200, `{"items":[{"name":1e999}]}`), "could not be read", true},
		"deep":         {say(200, strings.Repeat("[", 1<<20)), "could not be read", true},
		"many":         {say(200, `{"items":[{}`+strings.Repeat(",{}", maxElements)+`]}`), "elements", true},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, huge); err != nil {
					return
				}
			}
		}, "more than", true},
		"bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 2 * maxAnswer / len(huge) {
				_, _ = io.WriteString(z, huge)
			}
			_ = z.Close()
		}, "more than", true},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}, "EOF", false},
		"headers": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		}, "header", false},
		"words":       {say(404, `{"detail":"a\n\u001b[31mb`+strings.Repeat("c", 5000)+`"}`), "a", true},
		"not allowed": {say(403, ""), "403 Forbidden", true},
		"limit":       {say(429, `{"detail":"too many"}`), "too many", false},
		"failed":      {say(500, "oops"), "500 Internal", false},
		"unknown":     {say(799, ""), "799", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, "secret", tt.answer)
			err := c.Get(t.Context(), "/fabrics", nil, &api.Fabrics{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			if IsFinal(err) != tt.final {
				t.Errorf("%v: final %t", err, !tt.final)
			}
			if text := err.Error(); strings.ContainsAny(text, "\n\x1b") || len(text) > 600 {
				t.Errorf("%d bytes: %.1000q", len(text), text)
			}
		})
	}
}

func say(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// TestElements counts those of lists and of nothing else.
func TestElements(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":1,"b":2}`: 0, `[1,2,3]`: 3, `{"a":[1,{"b":2,"c":[3,4]}],"d":5}`: 4, `["[,\"],",","]`: 2, `]]]`: 0, `"\`: 0, ``: 0,
	} {
		if got := elements([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestTokenStays: a service that sends elsewhere does not get the token sent there.
func TestTokenStays(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	c := serve(t, "secret", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	get := c.Get(t.Context(), "/fabrics", nil, &api.Fabrics{})
	follow := c.Follow(t.Context(), &Follower{})
	for _, err := range []error{get, follow} {
		if err == nil || !strings.Contains(err.Error(), "it is said to be elsewhere") {
			t.Errorf("%v", err)
		}
	}
	if asked {
		t.Error("the other one was asked")
	}
}

// TestUnknownCA is told, and is final.
func TestUnknownCA(t *testing.T) {
	s := httptest.NewUnstartedServer(say(200, "{}"))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	err = c.Get(t.Context(), "/fabrics", nil, &api.Fabrics{})
	if err == nil || !strings.Contains(err.Error(), "unknown authority") || !IsFinal(err) {
		t.Errorf("%v", err)
	}
	plain := strings.Replace(s.URL, "https", "http", 1)
	if c, err = New(plain, ""); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), "/fabrics", nil, &api.Fabrics{}); err == nil || !strings.Contains(err.Error(), "400") || !IsFinal(err) {
		t.Errorf("plain text to TLS: %v", err)
	}
}

// trips answers without a network, so that time can be made up.
type trips func(*http.Request) (*http.Response, error)

func (f trips) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func made(t *testing.T, f trips) *Client {
	t.Helper()
	c, err := New("http://service", "")
	if err != nil {
		t.Fatal(err)
	}
	c.http.Transport = f
	return c
}

// drip is a body of which a byte comes now and then, and that heeds the context as those
// of package http do.
type drip struct {
	ctx   context.Context
	text  string
	every time.Duration
}

func (d *drip) Read(b []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(d.every):
	}
	if d.text == "" {
		return 0, io.EOF
	}
	b[0], d.text = d.text[0], d.text[1:]
	return 1, nil
}

func (d *drip) Close() error { return nil }

// TestSlow: an answer that comes byte by byte is given up, and so is a stream without a
// line.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := made(t, func(r *http.Request) (*http.Response, error) {
			h := http.Header{"Content-Type": {"text/event-stream"}}
			return &http.Response{StatusCode: 200, Header: h, Body: &drip{r.Context(), strings.Repeat(" ", 1000), time.Second}, Request: r}, nil
		})
		began := time.Now()
		err := c.Get(t.Context(), "/fabrics", nil, &api.Fabrics{})
		if took := time.Since(began); !errors.Is(err, errSlow) || IsFinal(err) || took != answerWithin {
			t.Errorf("after %v: %v", took, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		began = time.Now()
		f := &Follower{Lost: func(err error) {
			if took := time.Since(began); !errors.Is(err, errIdle) || took != streamIdle {
				t.Errorf("after %v: %v", took, err)
			}
			cancel()
		}}
		if err := c.Follow(ctx, f); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestFollowTells once that a service is not there, and once that it is back.
func TestFollowTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		c := made(t, func(r *http.Request) (*http.Response, error) {
			answer := func(status int, text string) (*http.Response, error) {
				h := http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}
				return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
			}
			switch tries++; {
			case tries <= 3:
				return nil, errors.New("connection refused")
			case tries == 4:
				return answer(http.StatusTooManyRequests, "")
			case tries == 5:
				return answer(http.StatusOK, "id: 9\nevent: missed\ndata: {\"missed\":3}\n\n")
			case tries == 6:
				return answer(http.StatusOK, strings.Repeat("data: x\n", maxMessage/2))
			}
			return answer(http.StatusNotFound, r.Header.Get("Last-Event-ID"))
		})
		var told []string
		began := time.Now()
		f := &Follower{
			Known: true, Missed: func(n uint64) { told = append(told, fmt.Sprint("missed ", n)) },
			Lost: func(err error) { told = append(told, "lost") }, Back: func() { told = append(told, "back") },
		}
		err := c.Follow(t.Context(), f)
		var e *Error
		if !errors.As(err, &e) || e.Status != http.StatusNotFound || f.After != 9 {
			t.Errorf("%v, after %d", err, f.After)
		}
		if got := strings.Join(told, ", "); got != "lost, back, missed 3, lost, back, lost" {
			t.Errorf("told %s", got)
		}
		if took := time.Since(began); took != (1+2+4+8+1+1)*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestRetry asks until there is an answer.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, lost := 0, 0
		ask := func(context.Context) error {
			if asked++; asked < 10 {
				return &Error{Err: io.EOF}
			}
			return nil
		}
		if err := Retry(t.Context(), func(error) { lost++ }, ask); err != nil || asked != 10 || lost != 1 {
			t.Errorf("%v, asked %d times, told %d times", err, asked, lost)
		}
		final := &Error{Status: http.StatusUnauthorized}
		if err := Retry(t.Context(), func(error) { lost++ }, func(context.Context) error { return final }); !errors.Is(err, final) || lost != 1 {
			t.Errorf("%v, told %d times", err, lost)
		}
	})
}
