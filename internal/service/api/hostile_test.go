package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestHostileParameters gives each parameter of each endpoint what nobody means: it is an
// answer or a refusal, and never a failure of the service.
func TestHostileParameters(t *testing.T) {
	w := newWorld(t)
	values := []string{
		"99999999999999999999999999", "18446744073709551615", "9223372036854775808", "-1", "-9223372036854775808", "1e308", "NaN", "0x" + strings.Repeat("f", 40),
		"\x00", "a\x00b", "\n", "\xff\xfe", "\u202e", "\U0001F4A9", strings.Repeat("x", 10_000), strings.Repeat("9", 10_000), strings.Repeat("*", 200),
		"(((((", "../..", "' OR 1=1--", "<script>", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "-99999999h", "99999999999999h", "",
	}
	asked := 0
	for _, e := range endpoints() {
		if e.media == streamMedia {
			continue // it has no end
		}
		path := strings.NewReplacer("{fabric}", "main", "{guid}", "0x1").Replace(e.path)
		for _, p := range e.params {
			for _, v := range values {
				query := url.Values{}
				for _, q := range e.params {
					if q.must {
						query.Set(q.name, "1")
					}
				}
				query.Set(p.name, v)
				out := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Prefix+path+"?"+query.Encode(), nil)
				w.api.ServeHTTP(out, r)
				if asked++; out.Code >= http.StatusInternalServerError && !(e.id == "checkRoutes" && out.Code == http.StatusServiceUnavailable) { // there are no tables
					t.Errorf("%s?%s=%.40q: %d %s", path, p.name, v, out.Code, out.Body)
				}
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d were asked", asked)
	}
}
