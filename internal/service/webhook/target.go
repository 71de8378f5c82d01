package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
)

// Target is where events are sent, and which ones. All that is not set is good.
type Target struct {
	Name   string // a word [a-z0-9_-]{1,63}; of its queue, in logs and metrics
	URL    string // http or https
	Secret string // key of the signature; "" for none
	Header http.Header

	// What is sent. Empty lists are everything.
	Fabrics  []string
	Kinds    []event.Kind
	Severity event.Severity // the mildest; "" stands for Info

	// Consequences has events sent that have a Cause, as those of each host behind a dead
	// switch; Duplicates those that another collector has told already.
	Consequences bool
	Duplicates   bool

	Timeout  time.Duration // of a request; 0 = 10 s
	MaxBatch int           // events in a request; 0 = 100, at most 1000

	// Transport is what requests go through; nil for one that verifies certificates
	// by those of the system, and uses no proxy.
	Transport http.RoundTripper
}

const (
	defaultTimeout = 10 * time.Second
	maxTimeout     = 10 * time.Minute
	defaultBatch   = 100
	maxBatch       = 1000
)

// maxName is the longest name.
const maxName = 63

// isName tells a word that may be a name.
func isName(text string) bool {
	return text != "" && len(text) <= maxName && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// withDefaults fills in what is not set. The error is an *Error that wraps
// os.ErrInvalid.
func (t Target) withDefaults() (Target, error) {
	fail := func(format string, args ...any) (Target, error) {
		return t, &Error{"configure", t.Name, fmt.Errorf("%w: %s", os.ErrInvalid, fmt.Sprintf(format, args...))}
	}
	u, err := url.Parse(t.URL)
	switch {
	case !isName(t.Name):
		return fail("the name %q is no word of a-z, 0-9, _ and -", t.Name)
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fail("the URL is none of http or https with a host")
	case t.Severity != "" && t.Severity.Rank() < 0:
		return fail("there is no severity %q", t.Severity)
	case t.Timeout < 0 || t.Timeout > maxTimeout:
		return fail("a timeout of %v is not between 0 and %v", t.Timeout, maxTimeout)
	case t.MaxBatch < 0 || t.MaxBatch > maxBatch:
		return fail("a batch of %d events is not between 0 and %d", t.MaxBatch, maxBatch)
	}
	for _, k := range t.Kinds {
		if !slices.Contains(event.Kinds(), k) {
			return fail("there is no kind of events %q", k)
		}
	}
	if t.Severity == "" {
		t.Severity = event.Info
	}
	if t.Timeout == 0 {
		t.Timeout = defaultTimeout
	}
	if t.MaxBatch == 0 {
		t.MaxBatch = defaultBatch
	}
	return t, nil
}

// wants reports whether an event is to be sent.
func (t *Target) wants(e *event.Event) bool {
	switch {
	case e.Cause != 0 && !t.Consequences, e.Duplicate && !t.Duplicates:
		return false
	case len(t.Fabrics) > 0 && !slices.Contains(t.Fabrics, e.Fabric):
		return false
	case len(t.Kinds) > 0 && !slices.Contains(t.Kinds, e.Kind):
		return false
	}
	return e.Severity.Rank() >= t.Severity.Rank()
}

// errRedirected is why an answer that leads elsewhere is not followed: the events, and
// what signs them, are for the host that was configured.
var errRedirected = errors.New("the answer is a redirect, which is not followed")
