package madrpc

import "time"

// maxBurst is how many packets may follow each other at once below the rate.
const maxBurst = 4

// pacer limits how many packets are sent in a second. It is a token bucket, kept
// as the time at which it would be full again.
type pacer struct {
	every time.Duration // 0: no limit
	full  time.Duration
}

func newPacer(rate float64) pacer {
	if !(rate > 0) {
		return pacer{}
	}
	return pacer{every: max(time.Duration(float64(time.Second)/max(rate, 1e-3)), 1)}
}

// wait is how long the next packet has to wait; 0 or less for not at all.
func (p *pacer) wait(now time.Duration) time.Duration {
	if p.every == 0 {
		return 0
	}
	return p.full - (maxBurst-1)*p.every - now
}

// sent takes the token of a packet.
func (p *pacer) sent(now time.Duration) {
	if p.every > 0 {
		p.full = max(p.full, now) + p.every
	}
}
