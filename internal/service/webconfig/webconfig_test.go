package webconfig

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// certificate writes a certificate and its key, and gives it for a client to trust.
func certificate(t *testing.T, dir, name string) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name+".crt"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, filepath.Join(dir, name+".key"), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: bytes})))
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func hashOf(t *testing.T, password string) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

func open(t *testing.T, path string, log io.Writer) *File {
	t.Helper()
	f, err := Open(path, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var page = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") })

func status(h http.Handler, user, password string) int {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	if user != "" {
		r.SetBasicAuth(user, password)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func TestPasswords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yml")
	write(t, path, "basic_auth_users:\n  anna: "+hashOf(t, "right")+"\n")
	f := open(t, path, io.Discard)
	h := f.Handler(page)
	for range 2 { // the second time from memory
		for _, tt := range []struct {
			user, password string
			want           int
		}{{"", "", 401}, {"anna", "right", 200}, {"anna", "wrong", 401}, {"bert", "right", 401}, {"bert", "", 401}} {
			if got := status(h, tt.user, tt.password); got != tt.want {
				t.Errorf("%q, %q: %d, want %d", tt.user, tt.password, got, tt.want)
			}
		}
	}
	if !f.Passwords() || f.Certificates() || f.TLS() != nil {
		t.Error("a file with passwords has more or less than these")
	}
}

// TestChange makes sure that new passwords hold, and that a mistake leaves the old ones.
func TestChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yml")
	write(t, path, "basic_auth_users:\n  anna: "+hashOf(t, "one")+"\n")
	var log bytes.Buffer
	f := open(t, path, &log)
	h := f.Handler(page)
	later := func(text string) {
		write(t, path, text)
		f.mu.Lock()
		f.looked = time.Time{}
		f.mu.Unlock()
	}
	later("basic_auth_users:\n  anna: " + hashOf(t, "second") + "\n")
	if status(h, "anna", "one") != 401 || status(h, "anna", "second") != 200 {
		t.Error("a new password does not hold")
	}
	later("basic_auth_user: {}\n")
	if status(h, "anna", "second") != 200 || !strings.Contains(log.String(), "basic_auth_user") {
		t.Errorf("after a mistake: %s", log.String())
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	trusted := certificate(t, dir, "service")
	certificate(t, dir, "client")
	path := filepath.Join(dir, "web.yml")
	write(t, path, "tls_server_config:\n  cert_file: service.crt\n  key_file: service.key\n  client_auth_type: RequireAndVerifyClientCert\n"+
		"  client_ca_file: client.crt\n  client_allowed_sans: [client]\n  min_version: TLS13\nhttp_server_config:\n  headers: {X-Frame-Options: deny}\n")
	f := open(t, path, io.Discard)
	server := httptest.NewUnstartedServer(f.Handler(page))
	server.TLS = f.TLS()
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(trusted)
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, "client.crt"), filepath.Join(dir, "client.key"))
	if err != nil {
		t.Fatal(err)
	}
	get := func(c *tls.Config) (*http.Response, error) {
		c.RootCAs, c.ServerName = pool, "service"
		return (&http.Client{Transport: &http.Transport{TLSClientConfig: c}}).Get(server.URL)
	}
	answer, err := get(&tls.Config{Certificates: []tls.Certificate{own}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 200 || answer.Header.Get("X-Frame-Options") != "deny" {
		t.Errorf("with a certificate: %v", answer)
	}
	if _, err := get(&tls.Config{}); err == nil {
		t.Error("without a certificate there was an answer")
	}
	if _, err := get(&tls.Config{Certificates: []tls.Certificate{own}, MaxVersion: tls.VersionTLS12}); err == nil {
		t.Error("an old version of TLS was good enough")
	}
	if !f.Certificates() {
		t.Error("the file does not ask for certificates")
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	certificate(t, dir, "service")
	pair := "tls_server_config:\n  cert_file: service.crt\n  key_file: service.key\n"
	for text, want := range map[string]string{
		"tls_server_config: {cert_file: none.crt, key_file: service.key}": "none.crt",
		"tls_server_config: {cert_file: service.crt}":                     "expected key or key_file",
		pair + "  client_auth_type: Sometimes":                            `"Sometimes" is not known`,
		pair + "  client_ca_file: service.crt":                            "client_ca means nothing",
		pair + "  min_version: TLS9":                                      `found "TLS9"`,
		pair + "  cipher_suites: [ROT13]":                                 `"ROT13" is not known`,
		pair + "  curve_preferences: [Round]":                             `"Round" is not known`,
		"nonsense: 1":                                                     "nonsense",
		"basic_auth_users: {anna: plain}":                                 "expected a bcrypt hash",
		"http_server_config: {headers: {Server: x}}":                      `"Server" cannot be set`,
		"http_server_config: {headers: {X-Frame-Options: allow}}":         `found "allow"`,
		"rate_limit: {interval: often}":                                   `found "often"`,
	} {
		path := filepath.Join(dir, "web.yml")
		write(t, path, text)
		if _, err := Open(path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Open(filepath.Join(dir, "missing"), slog.New(slog.DiscardHandler)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestRateLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yml")
	write(t, path, "rate_limit: {interval: 1h, burst: 2}\n")
	h := open(t, path, io.Discard).Handler(page)
	var got []int
	for range 5 {
		got = append(got, status(h, "", ""))
	}
	if fmt.Sprint(got) != "[200 200 429 429 429]" {
		t.Errorf("five at once: %v", got)
	}
}

// TestNobody makes sure that an unknown user costs as much time as a known one.
func TestNobody(t *testing.T) {
	if err := bcrypt.CompareHashAndPassword([]byte(nobody), []byte("x")); !errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) {
		t.Errorf("the hash of nobody: %v", err)
	}
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yml")
	write(t, path, "")
	f := open(t, path, io.Discard)
	if f.TLS() != nil || f.Passwords() || status(f.Handler(page), "", "") != 200 {
		t.Error("an empty file asks for something")
	}
}
