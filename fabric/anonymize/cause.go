package anonymize

import (
	"context"
	"errors"
	"os"

	"github.com/ibscope/ibscope/mad"
)

// cause is what may be told of an error.
func cause(err error) error {
	if err == nil {
		return nil
	}
	var status mad.Status
	if errors.As(err, &status) {
		return status
	}
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errWithheld
}

var errWithheld = errors.New("a cause that was left out")
