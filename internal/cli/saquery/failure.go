package saquery

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
)

// failed tells of a failed query in C's words, and of its cause, and gives the
// errno value with which the tool ends.
func (s *session) failed(err error) *diags.Exit {
	s.Problem(err)
	var status mad.Status
	var errno syscall.Errno
	switch {
	case errors.As(err, &status):
		fmt.Fprintf(s.env.Stderr, "ERROR: Query result returned 0x%04x, %s\n", uint16(status), statusText(uint16(status)))
		return &diags.Exit{Code: int(syscall.EIO)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		errno = syscall.ETIMEDOUT
	case !errors.As(err, &errno):
		errno = syscall.EIO
	}
	fmt.Fprintf(s.env.Stderr, "Query SA failed: %s\n", diags.Strerror(errno))
	s.env.Complain("%v", err)
	return &diags.Exit{Code: int(errno)}
}

// statusText is saquery's description of a status.
func statusText(status uint16) string {
	text := ""
	if common := status & 0xff; common != 0 {
		busy, redirect := "", ""
		if common&1 != 0 {
			busy = "BUSY"
		}
		if common&2 != 0 {
			redirect = "Redirection Required"
		}
		text = fmt.Sprintf(" (%s; %s; %s)", busy, redirect, fieldTexts[min(int(common>>2), len(fieldTexts)-1)])
	}
	if special := int(status >> 8); special != 0 {
		text += fmt.Sprintf(" SA(%s)", statusNames[min(special, len(statusNames)-1)])
	}
	return text
}

var fieldTexts = [...]string{
	"MAD No invalid fields", "MAD Bad version", "MAD Method specified is not supported",
	"MAD Method/Attribute combination is not supported", "MAD Reserved", "MAD Reserved", "MAD Reserved",
	"MAD Invalid value in Attribute field(s) or Attribute Modifier", "MAD UNKNOWN ERROR",
}

var statusNames = [...]string{
	"SA_NO_ERROR", "SA_ERR_NO_RESOURCES", "SA_ERR_REQ_INVALID", "SA_ERR_NO_RECORDS", "SA_ERR_TOO_MANY_RECORDS",
	"SA_ERR_REQ_INVALID_GID", "SA_ERR_REQ_INSUFFICIENT_COMPONENTS", "SA_ERR_REQ_DENIED",
	"SA_ERR_STATUS_PRIO_SUGGESTED", "SA_ERR_UNKNOWN",
}
