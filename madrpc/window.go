package madrpc

import "time"

// The bounds and defaults of Options.
const (
	defaultTimeout     = time.Second
	maxTimeout         = 365 * 24 * time.Hour // keeps deadlines from overflowing
	defaultRetries     = 3
	defaultOutstanding = 64
	maxOutstanding     = 1 << 16
	defaultPerTarget   = 4

	firstBackoff = 10 * time.Millisecond
)

// policy decides how much may be in flight and how long a try may take. It is
// the only place that does; the rest of the client asks it. All figures are
// fixed here.
type policy struct {
	timeout   time.Duration
	tries     int // of one request
	window    int
	perTarget int // 0: no limit
}

func newPolicy(o *Options) policy {
	p := policy{
		timeout:   o.Timeout,
		tries:     1 + max(o.Retries, 0),
		window:    min(o.MaxOutstanding, maxOutstanding),
		perTarget: max(o.MaxPerTarget, 0),
	}
	if p.timeout <= 0 {
		p.timeout = defaultTimeout
	}
	p.timeout = min(p.timeout, maxTimeout)
	if o.Retries == 0 {
		p.tries = 1 + defaultRetries
	}
	if p.window <= 0 {
		p.window = defaultOutstanding
	}
	if o.MaxPerTarget == 0 {
		p.perTarget = defaultPerTarget
	}
	return p
}

// mayFly reports whether another request may be sent beside inFlight others.
func (p *policy) mayFly(inFlight int) bool { return inFlight < p.window }

func (p *policy) limitsTargets() bool { return p.perTarget > 0 }

// mayAdmit reports whether a target takes another request beside n others.
func (p *policy) mayAdmit(n int) bool { return n < p.perTarget }

// tryTimeout is how long the next try of r waits for a reply.
func (p *policy) tryTimeout(r *Request) time.Duration {
	if r.Timeout > 0 {
		return min(r.Timeout, maxTimeout)
	}
	return p.timeout
}

// mayRetry reports whether r may be sent once more.
func (p *policy) mayRetry(r *Request) bool { return r.Tries < p.tries }

// backoff is how long to leave a busy agent alone before r's next try: 10 ms,
// doubled for each try, at most one timeout.
func (p *policy) backoff(r *Request) time.Duration {
	return min(firstBackoff<<min(r.Tries-1, 10), p.tryTimeout(r))
}
