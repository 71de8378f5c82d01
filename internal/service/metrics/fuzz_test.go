package metrics

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/ibscope/ibscope/watch"
)

// FuzzRequest: whatever is asked for, the answer is a page or a refusal.
func FuzzRequest(f *testing.F) {
	c := New(always(watch.Static("one", "", star([]string{"a"}, counting), nil)), nil, &Options{Sets: []Set{Treydock}})
	f.Add("/metrics/treydock", "compat=own,treydock", "application/openmetrics-text;q=0.5", "gzip;q=0.1")
	f.Add("", "compat=&compat=,,node", "text/plain;q=x;q=2", "*")
	f.Fuzz(func(t *testing.T, path, query, accept, encoding string) {
		r := &http.Request{
			Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: query},
			Header: http.Header{"Accept": {accept}, "Accept-Encoding": {encoding}},
		}
		rec := httptest.NewRecorder()
		c.Handler().ServeHTTP(rec, r)
		size, _ := io.Copy(io.Discard, rec.Body)
		if rec.Code != http.StatusOK && rec.Code != http.StatusNotFound || size == 0 {
			t.Errorf("%d with %d bytes", rec.Code, size)
		}
	})
}
