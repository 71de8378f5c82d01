package perf

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// Counters are the counters of all ports of a fabric. It is a sim.Agent and a
// sim.Monitor, and safe for concurrent use.
type Counters struct {
	model   *fabric.Fabric
	start   time.Time
	first   []int32 // by node index: where its port 0 is
	kinds   []kind  // by node index
	counted []counted
	ledgers []atomic.Pointer[ledger]
	sim     atomic.Pointer[sim.Fabric]
	traffic atomic.Pointer[flowing]
	change  sync.Mutex // of traffic
	pauses  pauses

	layouts []*layout
	byID    [maxAttr]*layout
	rsFEC   *layout // that of ports with Reed-Solomon, in place of the one in byID
}

// maxAttr is beyond the identifiers of all attributes.
const maxAttr = 0x40

// New makes the counters of f, all of them zero, and takes the time from now.
func New(f *fabric.Fabric) *Counters {
	c := &Counters{model: f, start: time.Now(), first: make([]int32, f.NumNodes()), kinds: make([]kind, f.NumNodes())}
	ports := 0
	for n := range f.Nodes() {
		c.first[n.Index()] = int32(ports)
		c.kinds[n.Index()] = kindOfNode(n)
		ports += n.NumPorts() + 1
	}
	c.counted = make([]counted, ports)
	c.ledgers = make([]atomic.Pointer[ledger], ports)
	c.layouts = layouts()
	for _, l := range c.layouts {
		if l.attribute.View {
			c.rsFEC = l
			continue
		}
		c.byID[l.attribute.ID] = l
	}
	return c
}

// Use makes the counters those of s: its agent of performance management and its
// monitor.
func (c *Counters) Use(s *sim.Fabric) error {
	if err := s.Use(mad.ClassPerf, c); err != nil {
		return err
	}
	c.sim.Store(s)
	s.Watch(c)
	return nil
}

// now is the time since New.
func (c *Counters) now() time.Duration { return time.Since(c.start) }

// Error is what this package reports. Err wraps os.ErrNotExist or os.ErrInvalid.
type Error struct {
	Op  string // "get", "set", "count"
	Obj string // the counter, or the port
	Err error
}

func (e *Error) Error() string { return "perf: " + e.Op + " " + e.Obj + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func notExist(op, obj, format string, args ...any) error {
	return &Error{Op: op, Obj: obj, Err: fmt.Errorf(format+": %w", append(args, os.ErrNotExist)...)}
}
