package nats

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// startServer starts Debian's nats-server with a configuration, and gives host:port.
func startServer(t *testing.T, config string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return testenv.NATS(t, "-c", path)
}

// TestUsers: a real server knows users by passwords and tokens, and nobody else.
func TestUsers(t *testing.T) {
	for name, tt := range map[string]struct{ config, good, bad string }{
		"password": {"authorization { user: a, password: \"b@c\" }", "a:b%40c@", "a:b@"},
		"token":    {"authorization { token: secret }", "secret@", ""},
	} {
		t.Run(name, func(t *testing.T) {
			address := startServer(t, tt.config)
			c, _ := open(t, Options{URL: "nats://" + tt.good + address})
			ready(t, c)
			if _, err := c.Request(t.Context(), &Message{Subject: "a"}); !errors.Is(err, ErrNoResponders) {
				t.Error(err)
			}
			c.Close()
			_, told := open(t, Options{URL: "nats://" + tt.bad + address})
			eventually(t, "it is refused", func() bool { return told.is("failed", ErrAuthorization) })
		})
	}
}

// TestPermissions: what a user may not do it is told at once.
func TestPermissions(t *testing.T) {
	address := startServer(t, `authorization { users: [ { user: a, password: b, permissions: { publish: "ok", subscribe: "_INBOX.>" } } ] }`)
	c, _ := open(t, Options{URL: "nats://a:b@" + address})
	ready(t, c)
	for subject, want := range map[string]error{"ok": ErrNoResponders, "other": ErrPermission} {
		if _, err := c.Request(t.Context(), &Message{Subject: subject}); !errors.Is(err, want) {
			t.Errorf("%s: %v", subject, err)
		}
	}
}

// TestTLS: a real server that demands TLS, with a certificate of our own.
func TestTLS(t *testing.T) {
	cert, key, roots := certificate(t)
	address := startServer(t, fmt.Sprintf("tls { cert_file: %q, key_file: %q }", cert, key))
	for _, scheme := range []string{"nats", "tls"} {
		t.Run(scheme, func(t *testing.T) {
			c, _ := open(t, Options{URL: scheme + "://" + address, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
			ready(t, c)
			if _, err := c.Request(t.Context(), &Message{Subject: "a", Header: Header{"A": "b"}, Data: make([]byte, 1<<19)}); !errors.Is(err, ErrNoResponders) {
				t.Error(err)
			}
			c.Close()
			_, told := open(t, Options{URL: scheme + "://" + address})
			eventually(t, "an unknown certificate is refused", func() bool {
				told.mu.Lock()
				defer told.mu.Unlock()
				return slices.ContainsFunc(told.errs, func(err error) bool {
					var of *tls.CertificateVerificationError
					return errors.As(err, &of)
				})
			})
		})
	}
}

// certificate makes one of 127.0.0.1 that signs itself.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, of, of, own.Public(), own)
	if err != nil {
		t.Fatal(err)
	}
	rawKey, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key, roots = filepath.Join(dir, "cert"), filepath.Join(dir, "key"), x509.NewCertPool()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	err = errors.Join(os.WriteFile(cert, text, 0o600), os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: rawKey}), 0o600))
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	return cert, key, roots
}
