package ibsim

import "time"

// How fast a Server sends to a client of UDP. A client has a receive buffer for
// about a hundred datagrams by default, and what does not fit is lost for good;
// C programs that ask faster than they read then wait for ever.
const (
	paceBurst = 32
	paceEvery = time.Millisecond // for as many again
)

// pacer lets packets through: a burst, and then as many in each interval. The
// nil pacer lets all through.
type pacer struct {
	left   int
	filled time.Time
}

func (p *pacer) allow() bool {
	if p == nil {
		return true
	}
	if p.left == 0 {
		now := time.Now()
		if now.Sub(p.filled) < paceEvery {
			return false
		}
		p.left, p.filled = paceBurst, now
	}
	p.left--
	return true
}
