package serve

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHealth asks services that are well, wait, want a password, have a certificate that
// nobody knows, or are something else.
func TestHealth(t *testing.T) {
	mux := http.NewServeMux()
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 503, "/locked": 401, "/moved": 302} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/healthz")
			w.WriteHeader(status)
		})
	}
	plain := httptest.NewServer(mux)
	defer plain.Close()
	secured := httptest.NewUnstartedServer(mux)
	secured.TLS = &tls.Config{MinVersion: tls.VersionTLS13}
	secured.StartTLS()
	defer secured.Close()
	address := strings.TrimPrefix(plain.URL, "http://")
	_, port, _ := strings.Cut(address, ":")
	for url, want := range map[string]string{
		plain.URL: "", plain.URL + "/": "", address: "", ":" + port: "", plain.URL + "/locked": "", secured.URL: "",
		plain.URL + "/readyz": "503", plain.URL + "/nothing": "404", plain.URL + "/moved": "302", "https://" + address: "HTTP response to HTTPS client",
	} {
		err := execute(t.Context(), io.Discard, io.Discard, "--health", url)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}
