package fabric

import "time"

// Sweep tells how a fabric was gathered.
type Sweep struct {
	Source   string        // the URI it came from
	View     View          // who told
	Started  time.Time     // zero when not known
	Duration time.Duration // of the sweep
	SMPs     int           // distinct requests sent
	Resent   int           // retries beyond these
	Timeouts int           // requests that got no answer in all their tries
	MaxHops  int           // length of the longest directed route used
}

// View is who has told of a fabric. The words are stable names for outputs.
type View string

// The views.
const (
	ByNodes   View = ""                      // the nodes themselves, or a file
	ByManager View = "subnet-administration" // the subnet manager's records; not asked of the nodes
)
