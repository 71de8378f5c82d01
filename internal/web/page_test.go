package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/web"
)

// get asks a handler.
func get(h http.Handler, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The page names its files by their hashes, which may be kept for ever; itself it is
// asked for again.
func TestPage(t *testing.T) {
	h := web.Handler()
	index := get(h, "/")
	text := body(t, index)
	if index.StatusCode != http.StatusOK || index.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("status %d, %v", index.StatusCode, index.Header)
	}
	policy := index.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
	files := regexp.MustCompile(`"([a-z]+\.(?:js|css|svg)\?v=[0-9a-f]+)"`).FindAllStringSubmatch(text, -1)
	if len(files) < 3 {
		t.Fatalf("the page names %v", files)
	}
	for _, f := range files {
		a := get(h, "/"+f[1])
		if a.StatusCode != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, %v", f[1], a.StatusCode, a.Header)
		}
		if again := get(h, "/"+f[1], "If-None-Match", a.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: status %d", f[1], again.StatusCode)
		}
	}
}

// A browser that can gets files compressed, and they are the same.
func TestCompressed(t *testing.T) {
	h := web.Handler()
	plain, packed := get(h, "/app.js"), get(h, "/app.js", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("header %v", packed.Header)
	}
	z, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil || string(data) != body(t, plain) {
		t.Errorf("%v, %d bytes", err, len(data))
	}
}

func TestRefusals(t *testing.T) {
	h := web.Handler()
	if r := get(h, "/nothing"); r.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", r.StatusCode)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d", w.Code)
	}
}

// What is embedded is small, has no inline script or style, and names no other host.
func TestDist(t *testing.T) {
	entries, err := os.ReadDir("dist")
	if err != nil {
		t.Fatal(err)
	}
	const most = 300_000
	size := 0
	for _, e := range entries {
		data, err := os.ReadFile("dist/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		for _, url := range regexp.MustCompile(`(?:https?:)?//[a-z0-9.-]+\.[a-z]+`).FindAllString(string(data), -1) {
			if !strings.HasSuffix(url, "www.w3.org") && !strings.HasSuffix(e.Name(), ".txt") {
				t.Errorf("%s names %s", e.Name(), url)
			}
		}
		if bytes.Contains(data, []byte("sourceMappingURL")) {
			t.Errorf("%s names a source map", e.Name())
		}
	}
	if size > most {
		t.Errorf("the page has %d bytes, %d are the most", size, most)
	}
	html, err := os.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if inline := regexp.MustCompile(`(?i)<script>|<style|\sstyle=|\son[a-z]+=`).FindString(string(html)); inline != "" {
		t.Errorf("the page has %q", inline)
	}
}
