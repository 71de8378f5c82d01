package nats

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nkeys"
)

// signed makes a token of NATS: who, by whom, and what else is said of them.
func signed(t *testing.T, by, of nkeys.KeyPair, is map[string]any) string {
	t.Helper()
	is["version"] = 2
	claims := map[string]any{"jti": "1", "iat": 1, "iss": publicKey(t, by), "sub": publicKey(t, of), "name": "test", "nats": is}
	text, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	word := base64.RawURLEncoding.EncodeToString
	body := word([]byte(`{"typ":"JWT","alg":"ed25519-nkey"}`)) + "." + word(text)
	sum, err := by.Sign([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return body + "." + word(sum)
}

func publicKey(t *testing.T, of nkeys.KeyPair) string {
	t.Helper()
	key, err := of.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func pair(t *testing.T, create func() (nkeys.KeyPair, error)) nkeys.KeyPair {
	t.Helper()
	k, err := create()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestServerKnowsCredentials: a real server with an operator lets a user in whose file is
// signed by an account, and nobody with another key.
func TestServerKnowsCredentials(t *testing.T) {
	operator, account, user := pair(t, nkeys.CreateOperator), pair(t, nkeys.CreateAccount), pair(t, nkeys.CreateUser)
	unlimited := map[string]any{"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1}
	address := startServer(t, fmt.Sprintf("operator: %q\nresolver: MEMORY\nresolver_preload: { %s: %q }\n",
		signed(t, operator, operator, map[string]any{"type": "operator"}), publicKey(t, account),
		signed(t, operator, account, map[string]any{"type": "account", "limits": unlimited})))
	token := signed(t, account, user, map[string]any{"type": "user", "subs": -1, "data": -1, "payload": -1})
	seed := func(of nkeys.KeyPair) []byte {
		text, err := of.Seed()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	c, _ := open(t, Options{URL: address, Credentials: credentialsFile(t, token, seed(user))})
	ready(t, c)
	if _, err := c.Request(t.Context(), &Message{Subject: "a"}); !errors.Is(err, ErrNoResponders) {
		t.Error(err)
	}
	c.Close()
	_, told := open(t, Options{URL: address, Credentials: credentialsFile(t, token, seed(pair(t, nkeys.CreateUser)))})
	eventually(t, "another key is refused", func() bool { return told.is("failed", ErrAuthorization) })
}
