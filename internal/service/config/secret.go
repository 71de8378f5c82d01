package config

import (
	"io"
	"os"
	"strings"
)

// maxSecret is how long a secret may be.
const maxSecret = 4096

// ReadSecret reads a secret from a file: its text without blanks around it. A file that
// everybody on the machine may read is refused.
func ReadSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		return "", &Error{Op: "read", File: path, Err: mistake("everybody may read it: chmod o= takes that right away")}
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" || len(text) > maxSecret {
		return "", &Error{Op: "read", File: path, Err: mistakef("expected a secret of up to %d bytes", maxSecret)}
	}
	return secret, nil
}
