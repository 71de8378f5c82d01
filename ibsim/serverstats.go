package ibsim

import "sync/atomic"

// ServerStats count what a Server has done.
type ServerStats struct {
	Clients     int    // attached now
	Attached    uint64 // clients, ever
	Refused     uint64 // clients: no slot, no such node, a second subnet manager
	Vanished    uint64 // clients that went without a word
	Requests    uint64 // packets from clients
	Delivered   uint64 // packets to clients, answers and others
	Undelivered uint64 // of these, requests that came back
	Dropped     uint64 // packets for clients that did not read theirs
	Strays      uint64 // packets from the fabric that no client was to have
	Malformed   uint64 // datagrams of another size or shape
}

type counters struct {
	attached, refused, vanished, requests, delivered, undelivered, dropped, strays, malformed atomic.Uint64
}

// Stats gives the counts up to now.
func (s *Server) Stats() ServerStats {
	st := ServerStats{
		Attached:    s.stats.attached.Load(),
		Refused:     s.stats.refused.Load(),
		Vanished:    s.stats.vanished.Load(),
		Requests:    s.stats.requests.Load(),
		Delivered:   s.stats.delivered.Load(),
		Undelivered: s.stats.undelivered.Load(),
		Dropped:     s.stats.dropped.Load(),
		Strays:      s.stats.strays.Load(),
		Malformed:   s.stats.malformed.Load(),
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, c := range s.clients {
		if c != nil {
			st.Clients++
		}
	}
	return st
}
