package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzAPI asks for anything: there is an answer, of a bounded size and without text that
// something could act on.
func FuzzAPI(f *testing.F) {
	w := newWorld(f)
	for _, list := range w.questions() {
		for _, path := range list {
			p, query, _ := strings.Cut(path, "?")
			f.Add(p, query, "")
		}
	}
	f.Add("/events", "after=18446744073709551615&since=-1d", "*")
	f.Add("/fabrics/main/trace", "from=lid:&to=guid:", `W/"", "`)
	f.Add("/fabrics/main/nodes/../..", "limit=99999999999999999999", "")
	f.Add("/fabrics/main/rates", "node=1&port=1&since=999999999999999999", "")
	f.Fuzz(func(t *testing.T, path, query, tag string) {
		if strings.HasSuffix(path, "/stream") {
			return // it has no end
		}
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: Prefix + path, RawQuery: query}, Header: http.Header{"If-None-Match": {tag}}, Host: "localhost"}
		out := httptest.NewRecorder()
		w.api.ServeHTTP(out, r.WithContext(t.Context()))
		if out.Code == http.StatusInternalServerError {
			t.Errorf("%s?%s: %s", path, query, out.Body)
		}
		const most = 1 << 20 // this fabric is small
		if out.Body.Len() > most {
			t.Errorf("%s?%s: %d bytes", path, query, out.Body.Len())
		}
		if media := out.Header().Get("Content-Type"); media == jsonMedia || media == problemMedia {
			checkInert(t, path+"?"+query, out.Body.Bytes())
		}
	})
}
