package ibsim

import (
	"context"
	"fmt"
	"time"
)

// past is a deadline that wakes whoever waits.
var past = time.Unix(1, 0)

// ask sends a control message and waits for its answer, which replaces m, until
// the context ends. An answer of typeError is no error here.
func (s *sockets) ask(ctx context.Context, m *control) error {
	s.ctl.SetDeadline(time.Time{})
	stop := context.AfterFunc(ctx, func() { s.ctl.SetDeadline(past) })
	defer stop()

	asked := m.typ
	var out [controlSize]byte
	m.encode(&out)
	if _, err := s.ctl.Write(out[:]); err != nil {
		return orContext(ctx, err)
	}
	var in [controlSize + 1]byte // one more than a message, to see a longer one
	n, err := s.ctl.Read(in[:])
	if err != nil {
		return orContext(ctx, err)
	}
	if !m.decode(in[:n]) {
		return fmt.Errorf("%w: control answer of %d bytes, or with another magic", ErrProtocol, n)
	}
	if m.typ != asked && m.typ != typeError {
		return fmt.Errorf("%w: control answer of type %d to %d", ErrProtocol, m.typ, asked)
	}
	return nil
}

// orContext prefers the reason for which the context ended.
func orContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// join asks for a slot at the node with that id or description.
func (s *sockets) join(ctx context.Context, host string) (h hello, refused bool, err error) {
	m := control{typ: typeConnect, length: helloSize}
	h = hello{id: s.id, node: host}
	h.encode(&m.data)
	if err := s.ask(ctx, &m); err != nil {
		return h, false, err
	}
	if m.typ == typeError {
		return h, true, nil
	}
	h.decode(&m.data)
	if h.id >= slots {
		return h, false, fmt.Errorf("%w: client slot %d", ErrProtocol, h.id)
	}
	return h, false, nil
}

// leave gives the slot back.
func (s *sockets) leave(ctx context.Context, slot uint32) error {
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
