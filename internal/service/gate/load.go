package gate

import (
	"net"
	"net/http"
	"strings"
	"sync"
)

// counting counts requests under way.
type counting struct {
	mu    sync.Mutex
	total int
	of    map[string]*load // by address of the client; those without requests are not there
}

// load is what one client has under way.
type load struct{ requests, streams int }

// enter counts a request, if it may be answered now; leave, which is nil if it may not,
// must be called at its end. Streams last, and have a limit of their own.
func (c *counting) enter(r *http.Request, o *Options) (leave func(), status int) {
	client, isStream := clientOf(r), isStream(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.of[client]
	if l == nil {
		l = &load{}
	}
	switch {
	case isStream && l.streams >= o.Streams, !isStream && l.requests >= o.PerClient:
		return nil, http.StatusTooManyRequests
	case !isStream && c.total >= o.Total:
		return nil, http.StatusServiceUnavailable
	}
	c.of[client] = l
	c.count(l, isStream, 1)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.count(l, isStream, -1)
		if *l == (load{}) {
			delete(c.of, client)
		}
	}, 0
}

// isStream reports whether an answer goes on until the client has enough of it.
func isStream(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/stream") }

func (c *counting) count(l *load, isStream bool, by int) {
	if isStream {
		l.streams += by
		return
	}
	l.requests += by
	c.total += by
}

// clientOf is the address of a client. What headers say of it is not believed.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Load is how many requests and streams there are now.
func (g *Gate) Load() (requests, streams int) {
	g.busy.mu.Lock()
	defer g.busy.mu.Unlock()
	for _, l := range g.busy.of {
		streams += l.streams
	}
	return g.busy.total, streams
}
