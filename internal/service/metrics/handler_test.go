package metrics

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// get asks a handler and gives the answer with its body, unpacked.
func get(t testing.TB, c *Collector, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	c.Handler().ServeHTTP(rec, r)
	resp := rec.Result()
	body := io.Reader(bytes.NewReader(rec.Body.Bytes()))
	if resp.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false) // what stands behind the first member would be lost to curl
		body = z
	}
	if size, err := strconv.Atoi(resp.Header.Get("Content-Length")); resp.StatusCode == http.StatusOK && (err != nil || size != rec.Body.Len()) {
		t.Errorf("%s: %d bytes announced, %d there, %v", path, size, rec.Body.Len(), err)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

func TestHandler(t *testing.T) {
	c := New(always(newWorld(t, "fattree?levels=2&radix=4").state()), nil, &Options{Sets: []Set{Treydock}})
	plainResp, plain := get(t, c, "/metrics")
	if plainResp.Header.Get("Content-Encoding") != "" || !strings.HasPrefix(plainResp.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("headers of a plain page: %v", plainResp.Header)
	}
	const end = "# HELP ibscope_build_info" // what follows changes with each scrape
	packedResp, packed := get(t, c, "/metrics", "Accept-Encoding", "deflate, gzip;q=0.8")
	if packedResp.Header.Get("Content-Encoding") != "gzip" || cut(packed, end) != cut(plain, end) {
		t.Errorf("a packed page is not the plain one: %d and %d bytes", len(packed), len(plain))
	}
	openResp, open := get(t, c, "/metrics", "Accept", "application/openmetrics-text;version=1.0.0;q=0.9,text/plain;q=0.5,*/*;q=0.1")
	if !strings.HasPrefix(openResp.Header.Get("Content-Type"), "application/openmetrics-text; version=1.0.0") || !strings.HasSuffix(open, "\n# EOF\n") {
		t.Errorf("OpenMetrics: %v … %q", openResp.Header, open[len(open)-20:])
	}
	for _, line := range []string{"# TYPE ibscope_port_symbol_errors counter\n", "\nibscope_port_symbol_errors_total{"} {
		if !strings.Contains(open, line) {
			t.Errorf("OpenMetrics has no %q", line)
		}
	}
}

func cut(text, at string) string {
	before, _, _ := strings.Cut(text, at)
	return before
}

func TestHandlerRefuses(t *testing.T) {
	c := New(always(), nil, &Options{Sets: []Set{Treydock}})
	for path, code := range map[string]int{
		"/metrics": 200, "/metrics/": 200, "/metrics/treydock": 200, "/metrics?compat=treydock": 200, "/metrics?compat=own,treydock": 200,
		"/metrics/guilbaults": 404, "/metrics?compat=node": 404, "/metrics?compat=nonsense": 404,
	} {
		if resp, body := get(t, c, path); resp.StatusCode != code {
			t.Errorf("%s: %d, want %d: %s", path, resp.StatusCode, code, body)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/metrics", nil)
	rec := httptest.NewRecorder()
	c.Handler().ServeHTTP(rec, r)
	if rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", rec.Code)
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]Format{
		"": Text, "*/*": Text, "text/plain": Text, "application/openmetrics-text": OpenMetrics,
		"text/plain;q=0.9, application/openmetrics-text;q=0.5":                                                                        Text,
		"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5": OpenMetrics,
		"application/openmetrics-text;q=0":                                                                                            Text,
	} {
		if got := accepted(header); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	for header, want := range map[string]bool{"": false, "gzip": true, "identity": false, "gzip;q=0": false, "*": true, "*;q=1, gzip;q=0": false, "br, GZIP": true} {
		if got := acceptsGzip(header); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}
