package gate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Tokens are the secrets by which clients are let in. They are kept as hashes.
type Tokens struct {
	hashes [][sha256.Size]byte
}

// Bounds of a file of tokens.
const (
	maxTokens     = 10_000
	shortestToken = 16
	longestToken  = 1000
)

// Error is a file of tokens that cannot be used. It is an os.ErrInvalid, or what the
// system says.
type Error struct {
	Op   string // "read"
	File string
	Line int // 0 for the file as a whole
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("tokens %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// invalid is a message that is an os.ErrInvalid.
type invalid string

func (m invalid) Error() string { return string(m) }
func (invalid) Unwrap() error   { return os.ErrInvalid }

// ReadFile reads a file of tokens: on each line a name for people, and the token or its
// hash as "sha256:" and 64 hexadecimal digits. Lines that begin with # are passed over.
// A file that everybody on the machine may read is refused.
func ReadFile(path string) (*Tokens, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{"read", path, 0, cause(err)}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, &Error{"read", path, 0, cause(err)}
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		return nil, &Error{"read", path, 0, invalid("everybody may read it: chmod o= takes that right away")}
	}
	return Read(f, path)
}

// cause is an error without the name of the file, which stands before it.
func cause(err error) error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// Read reads what ReadFile does; name stands for the file in messages.
func Read(r io.Reader, name string) (*Tokens, error) {
	t := &Tokens{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		hash, err := parse(line)
		if err == nil && len(t.hashes) == maxTokens {
			err = invalid(fmt.Sprintf("there are more than %d tokens", maxTokens))
		}
		if err != nil {
			return nil, &Error{"read", name, number, err}
		}
		t.hashes = append(t.hashes, hash)
	}
	if err := lines.Err(); err != nil {
		return nil, &Error{"read", name, 0, err}
	}
	if t.hashes == nil {
		return nil, &Error{"read", name, 0, invalid("it has no token")}
	}
	return t, nil
}

// parse reads one line. What is wrong with it does not show the token.
func parse(line string) (hash [sha256.Size]byte, err error) {
	words := strings.Fields(line)
	if len(words) != 2 {
		return hash, invalid("expected a name and a token")
	}
	text, hashed := strings.CutPrefix(words[1], "sha256:")
	switch {
	case hashed:
		b, err := hex.DecodeString(text)
		if err != nil || len(b) != len(hash) {
			return hash, invalid("expected 64 hexadecimal digits behind sha256:")
		}
		return [sha256.Size]byte(b), nil
	case len(text) < shortestToken || len(text) > longestToken:
		return hash, invalid(fmt.Sprintf("expected a token of %d to %d characters", shortestToken, longestToken))
	}
	return sha256.Sum256([]byte(text)), nil
}

// Admit reports whether a text is one of the tokens. How long it takes does not depend
// on how much of it is right.
func (t *Tokens) Admit(token string) bool {
	hash := sha256.Sum256([]byte(token))
	found := 0
	for i := range t.hashes {
		found |= subtle.ConstantTimeCompare(hash[:], t.hashes[i][:])
	}
	return found == 1
}

// Equal reports whether two sets of tokens are the same.
func (t *Tokens) Equal(u *Tokens) bool {
	if t == nil || u == nil || len(t.hashes) != len(u.hashes) {
		return t == u
	}
	for i := range t.hashes {
		if !bytes.Equal(t.hashes[i][:], u.hashes[i][:]) {
			return false
		}
	}
	return true
}
