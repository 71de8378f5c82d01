package metrics

import "github.com/ibscope/ibscope/madrpc"

// requestFamilies are what the clients of the fabrics have done, as of the scrape.
var requestFamilies = []selfFamily{
	ofRequests("ibscope_requests_total", counter, "Requests sent for the first time.", func(s *madrpc.Stats) uint64 { return s.Sent }),
	ofRequests("ibscope_requests_resent_total", counter, "Repetitions of requests.", func(s *madrpc.Stats) uint64 { return s.Resent }),
	ofRequests("ibscope_requests_answered_total", counter, "Requests that got a reply, whatever its status.", func(s *madrpc.Stats) uint64 { return s.Replies }),
	ofRequests("ibscope_requests_timed_out_total", counter, "Requests without a reply in all their tries.", func(s *madrpc.Stats) uint64 { return s.TimedOut }),
	ofRequests("ibscope_requests_undeliverable_total", counter, "Tries that the port refused to send, or reported as undeliverable.", func(s *madrpc.Stats) uint64 { return s.Unsent + s.Returned }),
	ofRequests("ibscope_replies_busy_total", counter, "Replies that asked for patience.", func(s *madrpc.Stats) uint64 { return s.Busy }),
	{
		family{name: "ibscope_replies_dropped_total", kind: counter, labels: "fabric,reason", help: "Packets received that were of no use, by the reason."},
		perClient(func(w *writer, fabric string, s *madrpc.Stats) {
			for _, r := range []struct {
				reason string
				n      uint64
			}{
				{"late", s.Late},
				{"duplicate", s.Duplicates},
				{"spurious", s.Spurious},
				{"unmatched", s.Unmatched},
				{"malformed", s.Malformed},
				{"foreign", s.Foreign},
			} {
				w.uint(labels("fabric", fabric, "reason", r.reason), r.n)
			}
		}),
	},
	ofRequests("ibscope_requests_in_flight", gauge, "Requests that are sent and not done.", func(s *madrpc.Stats) uint64 { return uint64(max(0, s.InFlight)) }),
	ofRequests("ibscope_requests_waiting", gauge, "Requests that wait until they may be sent: the window is full.", func(s *madrpc.Stats) uint64 { return uint64(max(0, s.Waiting)) }),
	ofRequests("ibscope_requests_window", gauge, "Requests that may be in flight, as far as the fabric takes them.", func(s *madrpc.Stats) uint64 { return uint64(max(0, s.Window)) }),
}

// ofRequests declares a metric of each client.
func ofRequests(name string, k kind, help string, value func(*madrpc.Stats) uint64) selfFamily {
	return selfFamily{
		family{name: name, kind: k, labels: "fabric", help: help},
		perClient(func(w *writer, fabric string, s *madrpc.Stats) { w.uint(labels("fabric", fabric), value(s)) }),
	}
}

// perClient writes for each fabric whose client is known.
func perClient(write func(*writer, string, *madrpc.Stats)) func(*writer, *Collector, *book) {
	return func(w *writer, c *Collector, b *book) {
		if c.o.Requests == nil {
			return
		}
		for _, fabric := range b.fabrics {
			if s, ok := c.o.Requests(fabric); ok {
				write(w, fabric, &s)
			}
		}
	}
}
