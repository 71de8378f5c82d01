package gate

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

const secret = "correct-horse-battery-staple"

func tokens(t *testing.T, text string) *Tokens {
	t.Helper()
	list, err := Read(strings.NewReader(text), "tokens")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// secretly is a handler whose answer must not come to everybody.
var secretly = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "all of it") })

func ask(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	h.ServeHTTP(out, r)
	return out
}

// TestTokens lets in who has a token, and shows nothing to others but what is public.
func TestTokens(t *testing.T) {
	hash := sha256.Sum256([]byte(secret))
	for name, list := range map[string]string{
		"plain":  "# of people\n\nalice 0123456789abcdef\nbob " + secret + "\n",
		"hashed": "bob sha256:" + hex.EncodeToString(hash[:]) + "\n",
	} {
		g := New(secretly, &Options{Tokens: tokens(t, list), Public: []string{"/healthz", "/open/*"}})
		for _, tt := range []struct {
			path          string
			authorization string
			in            bool
		}{
			{"/api/v1/fabrics", "", false},
			{"/", "", false},
			{"/metrics", "", false},
			{"/healthz", "", true},
			{"/healthz/x", "", false},
			{"/open/x", "", true},
			{"/opened", "", false},
			{"/healthz?x=/api", "", true},
			{"/api", "Bearer " + secret, true},
			{"/api", "bearer  " + secret, true},
			{"/api", "Bearer " + secret + "x", false},
			{"/api", "Bearer ", false},
			{"/api", "Bearer", false},
			{"/api", secret, false},
			{"/api", "Basic !", false},
			{"/api", basic("anybody", secret), true},
			{"/api", basic(secret, ""), false},
			{"/api", basic("", ""), false},
		} {
			out := ask(g, tt.path, "Authorization", tt.authorization)
			in := strings.Contains(out.Body.String(), "all of it")
			if in != tt.in || in != (out.Code == http.StatusOK) || !in && out.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s tokens: %s with %q: %d %s", name, tt.path, tt.authorization, out.Code, out.Body)
			}
		}
	}
}

// TestChallenge: a page asks for the token itself, so that its requests must not have the
// browser ask for a password.
func TestChallenge(t *testing.T) {
	g := New(http.NotFoundHandler(), &Options{Tokens: tokens(t, "bob "+strings.Repeat("x", shortestToken)+"\n")})
	for mode, want := range map[string]int{"": 2, "navigate": 2, "cors": 1, "same-origin": 1, "no-cors": 1} {
		got := ask(g, "/api", "Sec-Fetch-Mode", mode).Header().Values("WWW-Authenticate")
		if len(got) != want || !strings.HasPrefix(got[len(got)-1], "Bearer ") {
			t.Errorf("%q: %q", mode, got)
		}
	}
}

func basic(user, password string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(user, password)
	return r.Header.Get("Authorization")
}

func TestTokenFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "tokens: it has no token",
		"# nobody\n":               "tokens: it has no token",
		"bob\n":                    "tokens:1: expected a name and a token",
		"\nbob a b\n":              "tokens:2: expected a name and a token",
		"bob short\n":              "tokens:1: expected a token of 16 to 1000 characters",
		"bob sha256:zz\n":          "tokens:1: expected 64 hexadecimal digits behind sha256:",
		"bob sha256:" + "ab\n":     "tokens:1: expected 64 hexadecimal digits behind sha256:",
		strings.Repeat("x", 1<<17): "tokens: bufio.Scanner: token too long",
	} {
		_, err := Read(strings.NewReader(text), "tokens")
		if err == nil || strings.TrimPrefix(err.Error(), "tokens ") != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
		if strings.Contains(err.Error(), "short") && !strings.Contains(want, "short") {
			t.Errorf("the message shows the token: %v", err)
		}
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if _, err := ReadFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for mode, ok := range map[os.FileMode]bool{0o600: true, 0o640: true, 0o644: false, 0o604: false} {
		if err := os.WriteFile(path, []byte("bob "+secret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); (err == nil) != ok || err != nil && !errors.Is(err, os.ErrInvalid) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("# c\nbob " + secret + "\nalice sha256:" + strings.Repeat("ab", 32))
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Read(strings.NewReader(text), "f")
		if err == nil && list.Admit("") {
			t.Error("nothing lets in")
		}
	})
}

// TestHosts refuses names that another site could have made to lead here.
func TestHosts(t *testing.T) {
	g := New(secretly, &Options{Local: true, Hosts: []string{"Fabric.example"}})
	for host, in := range map[string]bool{
		"localhost:9805": true, "127.0.0.1:9805": true, "[::1]:9805": true, "[::1]": true, "LOCALHOST": true, "localhost.": true,
		"evil.example:9805": false, "evil.example": false, "localhost.evil.example": false, "fabric.example:80": true, "127.0.0.1.evil.example": false,
	} {
		if out := ask(g, "/", "Host", host); (out.Code == http.StatusOK) != in {
			t.Errorf("%s: %d", host, out.Code)
		}
	}
	g.Set(&Options{Tokens: tokens(t, "bob "+secret)})
	if out := ask(g, "/", "Host", "evil.example", "Authorization", "Bearer "+secret); out.Code != http.StatusOK {
		t.Errorf("with a token any name will do: %d", out.Code)
	}
}

// TestLoad has more clients come than there is room for.
func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		g := New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/healthz" {
				<-release
			}
		}), &Options{Total: 3, PerClient: 2, Streams: 1, Probes: []string{"/healthz"}})
		var mu sync.Mutex
		codes := map[string][]int{}
		from := func(client, path string) {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.RemoteAddr = client + ":1234"
			r.Header.Set("X-Forwarded-For", "192.0.2.77") // nobody is believed
			out := httptest.NewRecorder()
			go func() {
				g.ServeHTTP(out, r)
				mu.Lock()
				defer mu.Unlock()
				codes[client+path] = append(codes[client+path], out.Code)
			}()
			synctest.Wait()
		}
		for range 3 {
			from("192.0.2.1", "/a") // the third is one too many of it
		}
		from("192.0.2.2", "/a")
		from("192.0.2.2", "/a") // and this one of all
		from("192.0.2.2", "/events/stream")
		from("192.0.2.2", "/events/stream")
		if got := codes["192.0.2.1/a"]; len(got) != 1 || got[0] != http.StatusTooManyRequests {
			t.Errorf("of one client: %v", got)
		}
		if got := codes["192.0.2.2/a"]; len(got) != 1 || got[0] != http.StatusServiceUnavailable {
			t.Errorf("of all: %v", got)
		}
		if got := codes["192.0.2.2/events/stream"]; len(got) != 1 || got[0] != http.StatusTooManyRequests {
			t.Errorf("streams: %v", got)
		}
		for _, client := range []string{"192.0.2.1", "192.0.2.3"} { // one with too many, one that comes late
			from(client, "/healthz")
			if got := codes[client+"/healthz"]; len(got) != 1 || got[0] != http.StatusOK {
				t.Errorf("a probe of %s: %v", client, got)
			}
		}
		close(release)
		synctest.Wait()
		if len(g.busy.of) != 0 || g.busy.total != 0 {
			t.Errorf("%d clients are remembered, %d requests", len(g.busy.of), g.busy.total)
		}
	})
}

// TestCompression compresses what is worth it, for who accepts it.
func TestCompression(t *testing.T) {
	long := strings.Repeat("much of the same ", 1000)
	g := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", strings.TrimPrefix(r.URL.Path, "/"))
		if r.URL.Query().Has("packed") {
			w.Header().Set("Content-Encoding", "br")
		}
		_, _ = io.WriteString(w, long)
	}), &Options{})
	for _, tt := range []struct {
		path, accept string
		packed       bool
	}{
		{"/application/json", "gzip", true},
		{"/application/json", "br;q=1, gzip;q=0.5", true},
		{"/application/json", "*", true},
		{"/application/json", "gzip;q=0", false},
		{"/application/json", "", false},
		{"/application/json", "br", false},
		{"/text/event-stream", "gzip", false},
		{"/application/gzip", "gzip", false},
		{"/text/html;%20charset=utf-8", "gzip", true},
		{"/application/json?packed", "gzip", false},
	} {
		out := ask(g, tt.path, "Accept-Encoding", tt.accept)
		packed := out.Header().Get("Content-Encoding") == "gzip"
		if packed != tt.packed {
			t.Errorf("%s for %q: packed %v", tt.path, tt.accept, packed)
		}
		var body io.Reader = out.Body
		if packed {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != long {
			t.Errorf("%s for %q: %d bytes, %v", tt.path, tt.accept, len(text), err)
		}
	}
}

// TestPanic makes an answer of a handler that fails, and goes on.
func TestPanic(t *testing.T) {
	var log strings.Builder
	g := New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }), &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for range 20 {
		if out := ask(g, "/"); out.Code != http.StatusInternalServerError || strings.Contains(out.Body.String(), "oh") {
			t.Errorf("%d %s", out.Code, out.Body)
		}
	}
	if !strings.Contains(log.String(), "panic=oh") {
		t.Errorf("the log has %q", log.String())
	}
	if g.busy.total != 0 {
		t.Error("it still counts")
	}
}

// TestPanicWithinAnAnswer cuts the answer off, so that nobody takes it for a whole one.
func TestPanicWithinAnAnswer(t *testing.T) {
	s := httptest.NewServer(New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "[")
		_ = http.NewResponseController(w).Flush()
		panic("oh")
	}), &Options{}))
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("the answer is %q, and complete", text)
	}
}

// TestHeaders keeps other sites out of all answers.
func TestHeaders(t *testing.T) {
	for _, path := range []string{"/healthz", "/refused"} {
		h := ask(New(secretly, &Options{Tokens: tokens(t, "bob "+secret), Public: []string{"/healthz"}}), path).Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Access-Control-Allow-Origin": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
}
