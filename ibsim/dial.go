package ibsim

import (
	"context"
	"errors"
	"strconv"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// dialTimeout is how long Dial waits when the context has no deadline.
const dialTimeout = 5 * time.Second

// Dial attaches to a simulator; nil options mean the one of the default name,
// at its first node. It waits for the answers until the context ends, or 5
// seconds if the context has no deadline.
//
// The error is an *Error, for which errors.Is finds:
//   - syscall.ECONNREFUSED: nobody listens there;
//   - context.DeadlineExceeded: a simulator is there, but does not answer,
//     because its network is not started or it is busy;
//   - ErrNoSlot, ErrNoNode, ErrRefused: it answers, and refuses;
//   - ErrProtocol: something else answers.
//
// ibsim ends itself when it finds that a client which asked for a slot is gone.
// Dial therefore asks only once it has seen that the simulator reads its socket.
func Dial(ctx context.Context, o *Options) (*Conn, error) {
	if o == nil {
		o = &Options{}
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, dialTimeout)
		defer cancel()
	}
	if len(o.Host) >= nodeIDSize {
		return nil, connectError(o, ErrNoNode, "the protocol carries names of up to 31 bytes")
	}
	s, err := openSockets(ctx, o)
	if err != nil {
		return nil, explain(o, err)
	}
	c, err := attach(ctx, s, o)
	if err != nil {
		s.close()
		return nil, err
	}
	c.log.Debug("attached to ibsim", "server", c.addr, "slot", c.slot, "node", c.nodeID)
	return c, nil
}

// attach takes a slot, connects the data socket to it, and reads what is known
// about the port. The data socket must be bound before: the simulator connects
// to it on the spot, and ends if that fails.
func attach(ctx context.Context, s *sockets, o *Options) (*Conn, error) {
	h, refused, err := s.join(ctx, o.Host)
	if err != nil {
		return nil, explain(o, err)
	}
	if refused {
		return nil, whyRefused(ctx, s, o)
	}
	c := newConn(s, o, h)
	err = s.connect(c.slot)
	if err == nil {
		err = c.describe(ctx)
	}
	if err != nil {
		_ = s.leave(h.id)
		return nil, explain(o, err)
	}
	return c, nil
}

// describe reads the blocks about the attached port. Two fields of NodeInfo are
// left unset by the simulator's control channel, but follow from the rest: its
// CA and router ports have the node GUID plus the port number.
func (c *Conn) describe(ctx context.Context) error {
	b, err := c.s.get(ctx, uint32(c.slot), typeGetVendor)
	if err != nil {
		return err
	}
	c.vendor.decode(b)
	if b, err = c.s.get(ctx, uint32(c.slot), typeGetPortInfo); err != nil {
		return err
	}
	c.portInfo.Decode(b)
	if b, err = c.s.get(ctx, uint32(c.slot), typeGetNodeInfo); err != nil {
		return err
	}
	n := &c.nodeInfo
	n.Decode(b)
	n.LocalPort = c.portInfo.LocalPort
	n.PortGUID = n.NodeGUID
	if n.NodeType != ib.NodeSwitch {
		n.PortGUID += ib.GUID(n.LocalPort)
	}
	return nil
}

// whyRefused tells the two reasons for a refused CONNECT apart, which the
// simulator does not: it tries again for a moment at the first node.
func whyRefused(ctx context.Context, s *sockets, o *Options) error {
	noSlot := connectError(o, ErrNoSlot, "end a client, or free the slot of a dead one with the command X at ibsim's prompt")
	if o.Host == "" {
		return noSlot
	}
	h, refused, err := s.join(ctx, "")
	switch {
	case err != nil:
		return connectError(o, ErrRefused, "node "+strconv.Quote(o.Host))
	case refused:
		return noSlot
	}
	_ = s.leave(h.id)
	return connectError(o, ErrNoNode, strconv.Quote(o.Host)+" is neither the id nor the description of a node in its topology")
}

// explain makes an Error with advice for the causes that have one.
func explain(o *Options, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		err = errno // without the words of package os about the sockets
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return connectError(o, err, "no ibsim listens there; start one with: "+o.startCommand())
	case errors.Is(err, context.DeadlineExceeded):
		return connectError(o, err, "no answer; is its network started (option -s, or Start at its prompt)?")
	}
	return connectError(o, err, "")
}

func connectError(o *Options, err error, hint string) *Error {
	return &Error{Op: "connect", Addr: o.server(), Err: err, hint: hint}
}
