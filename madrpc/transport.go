package madrpc

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Transport moves whole MADs. Send does not wait for the peer; Recv blocks
// until a MAD arrives or the transport is closed. Both may be called at once,
// each by one goroutine at a time. Neither keeps the packet it is given.
//
// The timeout of Send is how long the transport should wait for the reply on
// its own account before it may report the request as lost (the kernel does so);
// transports that do not track requests ignore it.
//
// A Recv error that is a *mad.SendError concerns only the request that p then
// holds: it could not be delivered, or the transport's own timeout has passed.
// After any other error the transport is dead; after Close that is os.ErrClosed.
type Transport interface {
	Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error
	Recv(p *mad.Packet) (from mad.Addr, err error)
	Close() error
}
