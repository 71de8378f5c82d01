package umad

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// PortPair is an open Pair. It is a madrpc.Transport: SMPs go by SMI, everything
// else by GSI. Send and Recv may be called at once, each by one goroutine at a
// time; Close ends them.
type PortPair struct {
	SMI *Port // nil without one; the same as GSI but on planarised HCAs
	GSI *Port

	start    sync.Once
	received chan received // by the two readers, when there are two ports
	closed   chan struct{}
	close    sync.Once
	closeErr error
	readers  sync.WaitGroup
}

// received is the result of one Recv.
type received struct {
	packet mad.Packet
	from   mad.Addr
	err    error
}

// OpenPair opens the pair that Host.Pair chooses. The errors are those of Open.
func (h Host) OpenPair(ctx context.Context, ca string, num int) (*PortPair, error) {
	abi, err := h.ABIVersion()
	if err != nil {
		return nil, err
	}
	pair, err := h.Pair(ctx, ca, num)
	if err != nil {
		return nil, err
	}
	gsi, err := openPort(pair.GSI, abi)
	if err != nil {
		return nil, err
	}
	p := &PortPair{GSI: gsi, received: make(chan received), closed: make(chan struct{})}
	switch pair.SMI {
	case nil:
	case pair.GSI:
		p.SMI = gsi
	default:
		if p.SMI, err = openPort(pair.SMI, abi); err != nil {
			gsi.Close()
			return nil, err
		}
	}
	return p, nil
}

// Send implements madrpc.Transport. An SMP without an SMI gives
// unix.EPROTONOSUPPORT.
func (p *PortPair) Send(m *mad.Packet, to mad.Addr, timeout time.Duration) error {
	switch {
	case !m.Class().IsSMP():
		return p.GSI.Send(m, to, timeout)
	case p.SMI == nil:
		return p.GSI.fail("send "+m.Class().String(), unix.EPROTONOSUPPORT, "this port has no subnet management interface")
	}
	return p.SMI.Send(m, to, timeout)
}

// Answer registers the port of general services; see Port.Answer.
func (p *PortPair) Answer(class mad.Class, oui uint32) error { return p.GSI.Answer(class, oui) }

// Recv implements madrpc.Transport: it gives what either port receives.
func (p *PortPair) Recv(m *mad.Packet) (mad.Addr, error) {
	if p.SMI == nil || p.SMI == p.GSI {
		return p.GSI.Recv(m)
	}
	p.start.Do(func() {
		p.readers.Go(func() { p.read(p.SMI) })
		p.readers.Go(func() { p.read(p.GSI) })
	})
	select {
	case r := <-p.received:
		*m = r.packet
		return r.from, r.err
	case <-p.closed:
		return mad.Addr{}, os.ErrClosed
	}
}

// read hands on what a port receives, until the port is dead.
func (p *PortPair) read(port *Port) {
	for {
		var r received
		r.from, r.err = port.Recv(&r.packet)
		select {
		case p.received <- r:
		case <-p.closed:
			return
		}
		var unanswered *mad.SendError
		if r.err != nil && !errors.As(r.err, &unanswered) {
			return
		}
	}
}

// Close closes both ports and waits for the goroutines that read them. A second
// Close gives the result of the first.
func (p *PortPair) Close() error {
	p.close.Do(func() {
		close(p.closed)
		p.closeErr = p.GSI.Close()
		if p.SMI != nil && p.SMI != p.GSI {
			p.closeErr = errors.Join(p.closeErr, p.SMI.Close())
		}
		p.start.Do(func() {}) // no reader starts after this
		p.readers.Wait()
	})
	return p.closeErr
}
