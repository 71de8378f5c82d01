package nats

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"strings"
)

// credentials are what a file of nsc has: who the user is, signed by the account, and the
// key that proves it.
type credentials struct {
	jwt string
	key ed25519.PrivateKey
}

const maxCredentials = 64 << 10 // bytes of a file

// CheckCredentials tells what is wrong with a file of credentials. The error is an *Error
// that is os.ErrInvalid, or what the system says.
func CheckCredentials(path string) error {
	_, err := readCredentials(path)
	return err
}

func readCredentials(path string) (credentials, error) {
	fail := func(err error) (credentials, error) {
		return credentials{}, &Error{Op: "configure", What: path, Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		var of *os.PathError
		if errors.As(err, &of) {
			err = of.Err // the path is in Error
		}
		return fail(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxCredentials+1))
	if err != nil {
		return fail(err)
	}
	if len(text) > maxCredentials {
		return fail(mistakef("more than %d bytes are no credentials", maxCredentials))
	}
	blocks := armoured(text)
	if len(blocks) < 2 {
		return fail(mistake("it has not the token and the seed of a user, as nsc writes them"))
	}
	key, err := parseSeed(blocks[1])
	if err != nil {
		return fail(mistakef("the seed: %v", err))
	}
	return credentials{jwt: blocks[0], key: key}, nil
}

// armoured gives what is between lines of dashes, BEGIN and END.
func armoured(text []byte) []string {
	var blocks []string
	isIn := false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "---"):
			if isIn = strings.Contains(line, "BEGIN"); isIn {
				blocks = append(blocks, "")
			}
		case isIn:
			blocks[len(blocks)-1] += line
		}
	}
	return blocks
}

// sign proves to a server that it speaks to who has the key.
func (c *credentials) sign(nonce string) string {
	return base64.RawURLEncoding.EncodeToString(ed25519.Sign(c.key, []byte(nonce)))
}
