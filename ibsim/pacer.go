package ibsim

import "time"

// How fast a Server sends to a client of UDP. A client has a receive buffer for
// some 160 datagrams by default, and what does not fit is lost for good; C
// programs that ask faster than they read then wait for ever.
const (
	paceBurst  = 32
	paceEvery  = time.Millisecond // for as many again
	paceUnread = 64 << 10         // bytes in the client's buffer above which it gets no more
)

// pacer lets packets through: a burst, and then as many in each interval; to a
// client of this machine, whose buffer can be looked at, as many as it reads.
// The nil pacer lets all through.
type pacer struct {
	left   int
	filled time.Time

	// unread is how many bytes are in the client's buffer; false if that cannot be
	// known.
	unread func() (bytes uint64, ok bool)
}

func (p *pacer) allow() bool {
	if p == nil {
		return true
	}
	if p.left == 0 && !p.fill() {
		return false
	}
	p.left--
	return true
}

func (p *pacer) fill() bool {
	if bytes, ok := p.unread(); ok {
		if bytes > paceUnread {
			return false
		}
	} else {
		now := time.Now()
		if now.Sub(p.filled) < paceEvery {
			return false
		}
		p.filled = now
	}
	p.left = paceBurst
	return true
}
