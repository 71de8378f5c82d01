package nats

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
)

// credentialsFile writes what nsc would, with a key of the real library.
func credentialsFile(t *testing.T, jwt string, seed []byte) string {
	t.Helper()
	text := fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n*** IMPORTANT ***\n\n-----BEGIN USER NKEY SEED-----\r\n%s\r\n------END USER NKEY SEED------\n", jwt, seed)
	path := filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCredentials: what is signed here the real library verifies.
func TestCredentials(t *testing.T) {
	for range 20 {
		user, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := user.Seed()
		if err != nil {
			t.Fatal(err)
		}
		c, err := readCredentials(credentialsFile(t, "a.b.c", seed))
		if err != nil || c.jwt != "a.b.c" {
			t.Fatal(c.jwt, err)
		}
		sum, err := base64.RawURLEncoding.DecodeString(c.sign("nonce"))
		if err != nil || user.Verify([]byte("nonce"), sum) != nil || len(c.key) != ed25519.PrivateKeySize {
			t.Error(err, user.Verify([]byte("nonce"), sum))
		}
	}
}

func TestBadCredentials(t *testing.T) {
	account, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := account.Seed()
	if err != nil {
		t.Fatal(err)
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	changed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	changed[20] = 'A' + (changed[20]-'A'+1)%26
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		path, says string
		want       error
	}{
		"missing":   {filepath.Join(dir, "nothing"), "nothing", fs.ErrNotExist},
		"directory": {dir, dir, nil},
		"empty":     {os.DevNull, "seed of a user", os.ErrInvalid},
		"account's": {credentialsFile(t, "a", seed), "not that of a user", os.ErrInvalid},
		"changed":   {credentialsFile(t, "a", changed), "sum is wrong", os.ErrInvalid},
		"short":     {credentialsFile(t, "a", []byte("SUAB")), "it is none", os.ErrInvalid},
		"large":     {credentialsFile(t, strings.Repeat("a", maxCredentials), changed), "more than", os.ErrInvalid},
	} {
		err := CheckCredentials(tt.path)
		var of *Error
		if !errors.As(err, &of) || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Open(&Options{URL: "nats://127.0.0.1:1", Credentials: tt.path}); err == nil {
			t.Errorf("%s: a client is made", name)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for text, want := range map[string]server{
		"host":                  {address: "host:4222", name: "host"},
		"nats://host:1":         {address: "host:1", name: "host"},
		"tls://[::1]/":          {address: "[::1]:4222", name: "::1", tls: true},
		"nats://u:p@host":       {address: "host:4222", name: "host", user: "u", password: "p"},
		"nats://t@127.0.0.1:80": {address: "127.0.0.1:80", name: "127.0.0.1", token: "t"},
	} {
		got, err := parseServers("other, " + text)
		if err != nil || len(got) != 2 || got[1] != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "a,", "http://host", "ws://host", "nats://", "nats://:4222", "nats://host:0", "nats://host:70000", "nats://host:x",
		"nats://host/path", "nats://u:secret@host?x=secret", "nats://u:secret@ho st", "nats://u:secret%@host", strings.Repeat("a,", maxServers) + "a",
	} {
		var of *Error
		if err := CheckURL(text); !errors.Is(err, os.ErrInvalid) || !errors.As(err, &of) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
