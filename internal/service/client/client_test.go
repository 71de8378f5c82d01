package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/api"
)

// serve makes a client of a service that answers as a function says.
func serve(t *testing.T, token string, answer http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	c, err := New(s.URL, token)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestErrors(t *testing.T) {
	c := serve(t, "secret", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case api.Prefix + "/missing":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"status":404,"title":"Not Found","detail":"there is no such thing"}`)
		case api.Prefix + "/closed":
			w.WriteHeader(http.StatusUnauthorized)
		case api.Prefix + "/moved":
			http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusFound)
		case api.Prefix + "/broken":
			fmt.Fprint(w, `{"items":`)
		default:
			fmt.Fprintf(w, `{"program":%q}`, r.Header.Get("Authorization"))
		}
	})
	for path, want := range map[string]struct {
		text string
		is   error
	}{
		"/missing": {"there is no such thing", os.ErrNotExist},
		"/closed":  {"wants a token", os.ErrPermission},
		"/moved":   {"it is said to be elsewhere (302 Found)", nil},
		"/broken":  {"could not be read", nil},
	} {
		err := c.Get(t.Context(), path, nil, &api.Fabrics{})
		if err == nil || !strings.Contains(err.Error(), want.text) || want.is != nil && !errors.Is(err, want.is) {
			t.Errorf("%s: %v, want %q", path, err, want.text)
		}
	}
	var got api.Fabrics
	if err := c.Get(t.Context(), "/fabrics", nil, &got); err != nil || got.Program != "Bearer secret" {
		t.Errorf("the token: %q, %v", got.Program, err)
	}
}

func TestNew(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:9805": "http://127.0.0.1:9805", "https://watch/": "https://watch", "http://watch/ibscope": "http://watch/ibscope",
		"ftp://watch": "", "": "", "http://": "", "http://a b": "",
	} {
		c, err := New(text, "")
		if (err == nil) != (want != "") || err == nil && c.String() != want {
			t.Errorf("%q: %v, %v; want %q", text, c, err, want)
		}
	}
}

func TestCached(t *testing.T) {
	tag, asked := `"1"`, 0
	c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprintf(w, `{"program":%q}`, tag)
	})
	q := Cached{Client: c, Path: "/fabrics"}
	var got api.Fabrics
	for i, want := range []bool{true, false, true, false} {
		if i == 2 {
			tag = `"2"`
		}
		changed, err := q.Get(t.Context(), &got)
		if err != nil || changed != want || got.Program != tag {
			t.Errorf("question %d: %v, %v, %q", i, changed, err, got.Program)
		}
	}
}

// TestFollow breaks a stream, and makes sure that nothing is lost or told twice.
func TestFollow(t *testing.T) {
	var starts []string
	c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		starts = append(starts, r.Header.Get("Last-Event-ID")+r.URL.RawQuery)
		switch len(starts) {
		case 1:
			fmt.Fprint(w, ": hello\n\nid: 4\nevent: link-down\ndata: {\"id\":4,\"kind\":\"link-down\"}\n\nevent: state\ndata: {\"fabric\":\"one\"}\n\n")
		case 2:
			fmt.Fprint(w, "event: missed\ndata: {\"missed\":3}\n\nevent: missed\ndata: {}\n\ndata: {\"id\":8,\ndata: \"kind\":\"link-up\"}\n\n")
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	var got []string
	f := &Follower{
		Query:  url.Values{"kind": {"link-up"}},
		After:  3,
		Event:  func(e *event.Event) { got = append(got, fmt.Sprint(e.ID, " ", e.Kind)) },
		Missed: func(n uint64) { got = append(got, fmt.Sprint("missed ", n)) },
		State:  func(name string) { got = append(got, "state "+name) },
		Lost:   func(error) { got = append(got, "lost") },
	}
	if err := c.Follow(t.Context(), f); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a service that refuses: %v", err)
	}
	if want := "4 link-down, state one, lost, missed 3, missed 0, 8 link-up, lost"; strings.Join(got, ", ") != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if want := "[3kind=link-up 4kind=link-up 8kind=link-up]"; fmt.Sprint(starts) != want {
		t.Errorf("streams begin at %v, want %s", starts, want)
	}
}

func TestFollowEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	if err := c.Follow(ctx, &Follower{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the end: %v", err)
	}
}

func TestReadToken(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{"abc\n": "abc", " abc \nrest": "abc", "\n": "", "": "", strings.Repeat("x", maxToken+1): ""} {
		path := filepath.Join(dir, "token")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadToken(path)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%.10q: %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := ReadToken(""); got != "" || err != nil {
		t.Errorf("no file: %q, %v", got, err)
	}
}
