package fleet

import (
	"sync"
	"time"
)

// Stats is how this collector stands.
type Stats struct {
	Connected  bool
	Published  uint64 // events, since the start
	Duplicates uint64 // events that another collector had told
	Dropped    uint64 // events that were lost because the queue was full, or the log had gone on
	Snapshots  uint64 // that were published
	Queued     uint64 // events that wait
	Fabrics    []FabricStats
}

// FabricStats is how it stands with one fabric.
type FabricStats struct {
	Fabric  string
	Held    int      // shares, of Shares
	Shares  int      //
	Members []string // collectors, this one included
	Alone   bool     // without the server for so long that it does all by itself
}

// counts are what is counted.
type counts struct {
	mu    sync.Mutex
	stats Stats
}

func (c *counts) change(do func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do(&c.stats)
}

func (c *counts) publish(n uint64) { c.change(func(s *Stats) { s.Published += n }) }
func (c *counts) lose(n uint64)    { c.change(func(s *Stats) { s.Dropped += n }) }
func (c *counts) duplicate()       { c.change(func(s *Stats) { s.Duplicates++ }) }
func (c *counts) snapshot()        { c.change(func(s *Stats) { s.Snapshots++ }) }

// Stats tells how this collector stands now.
func (f *Fleet) Stats() Stats {
	var s Stats
	f.counts.change(func(c *Stats) { s = *c })
	queued, _, dropped := f.queue.Waiting()
	s.Connected, s.Queued = f.conn.IsConnected(), queued
	s.Dropped += dropped
	for _, name := range f.opts.Fabrics {
		s.Fabrics = append(s.Fabrics, f.leases[name].stats())
	}
	return s
}

func (l *leases) stats() FabricStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	s := FabricStats{Fabric: l.fabric, Shares: l.opts.Shares, Members: l.members, Alone: l.isAlone(now)}
	for _, own := range l.held {
		if own.until.After(now) {
			s.Held++
		}
	}
	return s
}
