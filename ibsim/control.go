package ibsim

import (
	"context"
	"fmt"
	"time"
)

// past is a deadline that wakes whoever waits.
var past = time.Unix(1, 0)

// leaveTimeout is how long to wait for a simulator that need not answer.
const leaveTimeout = 100 * time.Millisecond

// ask sends a control message and waits for its answer, which replaces m, until
// the context ends. An answer of typeError is no error here.
func (s *sockets) ask(ctx context.Context, m *control) error {
	if err := s.send(ctx, m); err != nil {
		return err
	}
	return s.answer(ctx, m)
}

func (s *sockets) send(ctx context.Context, m *control) error {
	defer s.limit(ctx)()
	var b [controlSize]byte
	m.encode(&b)
	_, err := s.ctl.Write(b[:])
	return orContext(ctx, err)
}

func (s *sockets) answer(ctx context.Context, m *control) error {
	defer s.limit(ctx)()
	var b [controlSize + 1]byte // one more than a message, to see a longer one
	n, err := readDatagram(s.ctl, b[:])
	if err != nil {
		return orContext(ctx, err)
	}
	asked := m.typ
	if !m.decode(b[:n]) {
		return fmt.Errorf("%w: control answer of %d bytes, or with another magic", ErrProtocol, n)
	}
	if m.typ != asked && m.typ != typeError {
		return fmt.Errorf("%w: control answer of type %d to %d", ErrProtocol, m.typ, asked)
	}
	return nil
}

// limit lets the control socket wait until the context ends. The function it
// returns ends that.
func (s *sockets) limit(ctx context.Context) (release func()) {
	_ = s.ctl.SetDeadline(time.Time{})
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = s.ctl.SetDeadline(past)
		close(done)
	})
	return func() {
		if !stop() {
			<-done // or it would hit the next user of the socket
		}
	}
}

// orContext prefers the reason for which the context ended.
func orContext(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// join asks for a slot at the node with that id or description.
func (s *sockets) join(ctx context.Context, host string) (h hello, refused bool, err error) {
	m := control{typ: typeConnect, length: helloSize}
	h = hello{id: s.id, node: host}
	h.encode(&m.data)
	if err := s.drained(ctx); err != nil {
		return h, false, orContext(ctx, err)
	}
	if err := s.send(ctx, &m); err != nil {
		return h, false, err
	}
	if err := s.answer(ctx, &m); err != nil {
		s.abandon()
		return h, false, err
	}
	if m.typ == typeError {
		return h, true, nil
	}
	h.decode(&m.data)
	if h.id >= maxSlots {
		return h, false, fmt.Errorf("%w: client slot %d", ErrProtocol, h.id)
	}
	return h, false, nil
}

// abandon gives back the slot that a late answer to join may bring.
func (s *sockets) abandon() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	m := control{typ: typeConnect}
	if err := s.answer(ctx, &m); err != nil || m.typ == typeError {
		return
	}
	var h hello
	h.decode(&m.data)
	_ = s.leave(h.id)
}

// leave gives the slot back. It does not wait long for the confirmation: a
// simulator that finds the client gone frees the slot as well.
func (s *sockets) leave(slot uint32) error {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	return s.ask(ctx, &control{client: slot, typ: typeDisconnect})
}

// get asks for one of the blocks about the attached port.
func (s *sockets) get(ctx context.Context, slot uint32, typ messageType) (*[controlData]byte, error) {
	m := control{client: slot, typ: typ}
	if err := s.ask(ctx, &m); err != nil {
		return nil, err
	}
	if m.typ == typeError {
		return nil, fmt.Errorf("%w: request of type %d refused", ErrProtocol, typ)
	}
	return &m.data, nil
}
