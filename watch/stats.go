package watch

import "github.com/ibscope/ibscope/madrpc"

// Stats counts what has been sent and received since New, through all the ports that
// were opened one after the other. What is now (InFlight, Waiting, Window) is 0 while
// there is no port.
func (w *Watcher) Stats() madrpc.Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.client == nil {
		return w.past
	}
	return w.past.Plus(w.client.Stats())
}

// use counts a client from now on.
func (w *Watcher) use(c *madrpc.Client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client = c
}

// retire counts a client that is closed for the last time.
func (w *Watcher) retire(c *madrpc.Client) {
	last := c.Stats()
	last.InFlight, last.Waiting, last.Window = 0, 0, 0
	w.mu.Lock()
	defer w.mu.Unlock()
	w.client, w.past = nil, w.past.Plus(last)
}
