package ping

import (
	"bytes"
	"context"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc"
)

// Pong is the answer to a ping.
type Pong struct {
	Host string        // host.domain; text from outside
	RTT  time.Duration // from the first try to the answer
}

// Once sends one ping to the server with that OUI, openib.OUI for that of
// everybody. The errors are those of madrpc.Client.Do.
func Once(ctx context.Context, c *madrpc.Client, to mad.Target, oui uint32) (Pong, error) {
	var v openib.Ping
	start := time.Now()
	err := madrpc.Get(ctx, c, to, 0, &v, func(p *mad.Packet) { p.SetOUI(oui) })
	if err != nil {
		return Pong{}, err
	}
	return Pong{Host: text(v.Data[:]), RTT: time.Since(start)}, nil
}

// text is what stands in front of a NUL.
func text(data []byte) string {
	before, _, _ := bytes.Cut(data, []byte{0})
	return string(before)
}

// Options say how Run pings.
type Options struct {
	OUI   uint32
	Count uint32        // pings to send
	Pause time.Duration // after each ping

	// Each is called with each answer, or with why there is none. Nil is nobody.
	Each func(Pong, error)
}

// Run sends pings one after the other until there have been as many as asked for,
// or the context ends. A ping that is under way then counts as sent, and is
// neither received nor lost.
func Run(ctx context.Context, c *madrpc.Client, to mad.Target, o *Options) Statistics {
	var s Statistics
	start := time.Now()
	for s.Sent < uint64(o.Count) && ctx.Err() == nil {
		s.Sent++
		pong, err := Once(ctx, c, to, o.OUI)
		if err != nil && ctx.Err() != nil {
			break
		}
		s.count(pong, err)
		if o.Each != nil {
			o.Each(pong, err)
		}
		if !wait(ctx, o.Pause) || c.Err() != nil {
			break
		}
	}
	s.Elapsed = time.Since(start)
	return s
}

// wait waits, and reports whether it was not interrupted.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
