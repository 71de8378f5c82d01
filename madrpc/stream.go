package madrpc

import (
	"context"
	"io"

	"github.com/ibscope/ibscope/mad"
)

// A Stream is the reply to one request, which may be longer than a packet: agents
// send it by the reliable multi-packet protocol, RMPP (IBA vol. 1, 13.6). It
// gives the data as it comes, so a reply of any length takes little memory: an
// agent that is more than maxAhead packets ahead of the reader has to wait.
//
// A Stream belongs to one goroutine. It ends with Close.
type Stream struct {
	c     *Client
	q     *Queue
	r     *Request
	t     transfer
	spare []byte
	done  bool
}

// Stream sends r and gives the stream of its reply; it does not wait. The request
// belongs to the client until the stream is closed. Tries, time-outs and windows
// are those of Queue.Start; in a reply of several packets the time-out counts
// from one packet to the next.
func (c *Client) Stream(r *Request) *Stream {
	s := &Stream{c: c, q: c.NewQueue(), r: r}
	c.mu.Lock()
	r.transfer = &s.t // the sender may still have r in its list of a stream before
	c.mu.Unlock()
	s.q.Start(r)
	return s
}

// Next waits for more data and returns it: data areas of packets, as
// mad.Packet.Data has them, one behind the other, without what pads the last
// one. A reply of one packet that does not use RMPP is a whole data area, because
// nothing says how much of it counts. The bytes are valid until the next call.
//
// At the end of the reply the error is io.EOF. Others are those of Client.Do, and
// the mad.RMPPStatus with which the agent gave up.
func (s *Stream) Next(ctx context.Context) ([]byte, error) {
	for {
		data, err := s.poll()
		if len(data) > 0 || err != nil {
			return data, err
		}
		select {
		case <-s.q.wake:
		case <-ctx.Done():
			return nil, s.error(ctx.Err())
		}
	}
}

// poll takes what has arrived, or finds out how the request ended.
func (s *Stream) poll() ([]byte, error) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(s.t.pending) > 0 {
		data := s.t.pending
		s.t.pending, s.spare = s.spare[:0], data
		c.taken(s.r)
		return data, nil
	}
	if s.q.done.n > 0 {
		s.q.done.pop()
		s.r.state = stateIdle
		s.done = true
	}
	switch {
	case s.done && s.r.Err != nil:
		return nil, s.r.Err
	case s.done:
		return nil, io.EOF
	}
	s.q.waiting = true
	return nil, nil
}

// Header waits for the first packet of the reply, whose header counts for all of
// it: class, attribute, AttributeOffset. The errors are those of Next, without
// io.EOF.
func (s *Stream) Header(ctx context.Context) (*mad.Packet, error) {
	for {
		switch ok, err := s.started(); {
		case err != nil:
			return nil, err
		case ok:
			return &s.t.first, nil
		}
		select {
		case <-s.q.wake:
		case <-ctx.Done():
			return nil, s.error(ctx.Err())
		}
	}
}

func (s *Stream) started() (bool, error) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if s.t.hasFirst {
		return true, nil
	}
	if s.r.state == stateDone || s.done {
		return false, s.r.Err
	}
	s.q.waiting = true
	return false, nil
}

// Close gives up what has not been read and frees the request. An agent that is
// still sending is told to stop.
func (s *Stream) Close() {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if !s.done && s.r.state != stateDone {
		if s.t.isActive() {
			c.stop(s.r)
		}
		c.stats.Cancelled++
		c.finish(s.r, newError(s.r, context.Canceled))
	}
	if s.q.done.n > 0 {
		s.q.done.pop()
		s.r.state = stateIdle
	}
	s.done = true
	s.t.pending = nil
	s.r.transfer = nil
}

// error describes the request while it belongs to the client.
func (s *Stream) error(err error) *Error {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return newError(s.r, err)
}
