package madrpc

// Stats counts what a client has done since New.
type Stats struct {
	Sent      uint64 // requests sent for the first time
	Resent    uint64 // further tries
	Replies   uint64 // requests ended by a reply, whatever its status
	TimedOut  uint64 // requests ended because no try got a reply
	Cancelled uint64 // requests given up by their caller

	Segments uint64 // packets of replies to streams, repeated ones too

	Busy     uint64 // replies with the busy status
	Returned uint64 // tries that the transport reported as undeliverable or unanswered
	Unsent   uint64 // tries that the transport refused to send

	Late       uint64 // first replies to requests that had ended without one
	Duplicates uint64 // further replies to a request
	Spurious   uint64 // replies to a try after which another one was sent for nothing
	Unmatched  uint64 // replies to nothing known, or unlike what was asked
	Malformed  uint64 // packets that are no datagram of base version 1
	Foreign    uint64 // requests of others

	InFlight int // requests sent and not done, now
	Waiting  int // requests started and not yet sent, now
	Window   int // requests that may be in flight, as far as the fabric takes them, now
}

// Plus adds the counts of another client. What is now is the sum, too.
func (s Stats) Plus(o Stats) Stats {
	s.Sent += o.Sent
	s.Resent += o.Resent
	s.Replies += o.Replies
	s.TimedOut += o.TimedOut
	s.Cancelled += o.Cancelled
	s.Segments += o.Segments
	s.Busy += o.Busy
	s.Returned += o.Returned
	s.Unsent += o.Unsent
	s.Late += o.Late
	s.Duplicates += o.Duplicates
	s.Spurious += o.Spurious
	s.Unmatched += o.Unmatched
	s.Malformed += o.Malformed
	s.Foreign += o.Foreign
	s.InFlight += o.InFlight
	s.Waiting += o.Waiting
	s.Window += o.Window
	return s
}

// Stats returns the counts as of now.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.InFlight = c.inFlight
	s.Waiting = c.unfinished - c.inFlight
	s.Window = c.policy.limit()
	return s
}
