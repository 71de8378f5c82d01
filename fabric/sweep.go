package fabric

import "time"

// Sweep tells how a fabric was gathered.
type Sweep struct {
	Source   string        // the URI it came from
	Started  time.Time     // zero when not known
	Duration time.Duration // of the sweep
	SMPs     int           // distinct requests sent
	Resent   int           // retries beyond these
	Timeouts int           // requests that got no answer in all their tries
	MaxHops  int           // length of the longest directed route used
}
