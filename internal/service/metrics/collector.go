package metrics

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// A Collector shows fabrics as metrics. It is safe for concurrent use.
type Collector struct {
	states func() []*watch.State
	o      Options
	began  time.Time
	taken  map[string]bool // names of metrics

	mu       sync.Mutex // held while something is rendered
	follower *follower
	packer   *packer
	writer   writer
	shelves  [numSets]*shelf // nil: not served
	seen     []*watch.State  // that are rendered

	current atomic.Pointer[book]
	running atomic.Int32 // calls of Run
	scrapes scrapes
	host    hostReader
}

// book is what scrapes serve. It is immutable.
type book struct {
	pages    [numSets][2]page // by Format
	render   time.Duration    // that it took to make it
	lastID   uint64           // of the events in it
	missed   uint64
	hasLog   bool
	fabrics  []string // their names
	rendered uint64   // how many books there were
}

// New makes a Collector. The function gives the states to show, in order; it is called
// often and must not wait. The log, which may be nil, is that of all fabrics.
func New(states func() []*watch.State, log *event.Log, o *Options) *Collector {
	c := &Collector{states: states, o: o.withDefaults(), follower: newFollower(log), packer: newPacker()}
	c.began = c.o.Now()
	c.taken = map[string]bool{}
	for _, f := range slices.Concat(selfFamilies, requestFamilies) {
		c.taken[f.name] = true
	}
	own := ownFamilies()
	for _, f := range own {
		c.taken[f.name] = true
	}
	c.shelves[Own] = newShelf(own, ownLabels, c.packer)
	for _, set := range c.o.Sets {
		switch set {
		case Treydock:
			c.shelves[set] = newShelf(treydockFamilies(), treydockLabels, c.packer)
		case Guilbaults:
			c.shelves[set] = newShelf(guilbaultsFamilies(), guilbaultsLabels, c.packer)
		}
	}
	return c
}

// ownFamilies are the names of our own, the ones that would be missed most first.
func ownFamilies() families {
	return slices.Concat(serviceFamilies(), eventFamilies(), nodeFamilies(), portFamilies(), fallFamilies(), counterFamilies())
}

// Serves reports whether a set is served.
func (c *Collector) Serves(set Set) bool { return set == Own || slices.Contains(c.o.Sets, set) }

// Run renders each new state soon after it is there, so that no scrape has to. Without
// it the first scrape after a change does. It ends with the context, whose error it
// gives.
func (c *Collector) Run(ctx context.Context) error {
	c.running.Add(1)
	defer c.running.Add(-1)
	c.Refresh()
	tick := time.NewTicker(c.o.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			c.Refresh()
		}
	}
}

// Refresh renders what is new. It costs next to nothing when nothing is.
func (c *Collector) Refresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	states := named(c.states())
	happened := c.follower.follow()
	if !happened && slices.Equal(states, c.seen) && c.current.Load() != nil {
		return
	}
	began := c.o.Now()
	b := &book{lastID: c.follower.after, missed: c.follower.missed, hasLog: c.follower.log != nil}
	if old := c.current.Load(); old != nil {
		b.rendered = old.rendered
	}
	b.rendered++
	for set, s := range c.shelves {
		if s == nil {
			continue
		}
		c.fill(Set(set), s, states)
		b.pages[set] = [2]page{s.page(Text), s.page(OpenMetrics)}
	}
	for _, st := range states {
		b.fabrics = append(b.fabrics, st.Name)
	}
	c.seen = states
	b.render = c.o.Now().Sub(began)
	c.current.Store(b)
}

// Renew has everything rendered at the next Refresh, also what belongs to a state that
// is the same: for when names, or what Hardware gives, have changed.
func (c *Collector) Renew() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
	for _, s := range c.shelves {
		if s != nil {
			clear(s.fabrics)
		}
	}
}

// fill renders all states into a shelf.
func (c *Collector) fill(set Set, s *shelf, states []*watch.State) {
	var order []string
	for i, st := range states {
		src := &source{first: i == 0, name: c.o.Name, about: c.o.Hardware}
		if c.o.RunOnce {
			src.suffix = "-runonce"
		}
		if set != Own {
			src.shown = graphs(states[:i])
		}
		s.put(st, src, c.follower.of(st.Name), c.o.MaxSeries, &c.writer, c.packer)
		order = append(order, st.Name)
	}
	s.keep(order)
}

// named leaves out states that are nil or have the name of one before.
func named(states []*watch.State) []*watch.State {
	var out []*watch.State
	names := map[string]bool{}
	for _, st := range states {
		if st != nil && !names[st.Name] {
			names[st.Name] = true
			out = append(out, st)
		}
	}
	return out
}

// book is what there is to serve: what Run has rendered, or what is rendered now.
func (c *Collector) book() *book {
	if b := c.current.Load(); b != nil && c.running.Load() > 0 {
		return b
	}
	c.Refresh()
	return c.current.Load()
}
