package nats

import (
	"fmt"
	"strings"
)

// complaints are words of -ERR, in small letters, and what they mean.
var complaints = []struct {
	words string
	cause error
}{
	{"permissions violation", ErrPermission},
	{"authorization violation", ErrAuthorization},
	{"authentication timeout", ErrAuthorization},
	{"authentication expired", ErrAuthorization},
	{"authentication revoked", ErrAuthorization},
	{"stale connection", ErrStale},
	{"maximum payload", ErrTooLarge},
	{"secure connection", ErrTLS},
}

// longestComplaint bounds what is shown of one.
const longestComplaint = 300

// complaint makes an error of what -ERR says.
func complaint(text []byte) error {
	words := strings.Trim(string(text[:min(len(text), longestComplaint)]), "'")
	lower := strings.ToLower(words)
	for _, c := range complaints {
		if strings.Contains(lower, c.words) {
			return fmt.Errorf("%w: it says %q", c.cause, words)
		}
	}
	return fmt.Errorf("it says %q", words)
}

// subjectOf is the subject that a complaint is about, which is in quotation marks: in
// "Permissions Violation for Publish to "SUBJECT"". It is "" for none.
func subjectOf(text []byte) string {
	_, rest, _ := strings.Cut(string(text), `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	return subject
}
