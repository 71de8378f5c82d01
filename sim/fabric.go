package sim

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// Options tell how a simulated fabric behaves. The zero Options are a perfect
// fabric that answers at once.
type Options struct {
	Latency    time.Duration // from a request to its reply, however near
	HopLatency time.Duration // added for each cable crossed, there and back
	Loss       float64       // probability that a request, or a reply, is lost: 0…1
	Seed       uint64        // of everything that is random
	Faults     []Fault       // what is broken
	Physics    *Physics      // what takes time, nil for nothing

	// Fresh starts the fabric as after power-on: no LIDs, links in state
	// Initialize, forwarding tables empty. It waits for a subnet manager. Else
	// it is as a subnet manager has left it.
	Fresh bool

	// NoTraps keeps the agents from sending traps.
	NoTraps bool
}

// Fabric is a simulated fabric. It is safe for concurrent use.
type Fabric struct {
	model   *fabric.Fabric
	opts    Options
	faults  *faultPlan // nil when nothing is broken
	physics *physics   // nil without Options.Physics
	routes  *routes
	topLID  ib.LID // the highest LID in use
	nodes   []node // by index

	mu     sync.Mutex // held by whoever changes nodes or ports
	leases map[*port]time.Time
	limits map[*port]fabric.LinkRate // of cables that are bad

	disturbed    disturbances
	disturbances uint64 // how many there have been; under mu

	traps   traps
	clients clients
	ports   atomic.Uint64

	agents  classAgents
	manager managerPointer
	monitor atomic.Pointer[Monitor]
	packets sync.Pool // of *carrier
}

// New makes a simulated fabric of f. Options nil are the zero Options. Bad
// Options are an Error that wraps os.ErrInvalid.
func New(f *fabric.Fabric, o *Options) (*Fabric, error) {
	s := &Fabric{model: f, leases: map[*port]time.Time{}}
	s.traps.sim = s
	s.packets.New = func() any { return new(carrier) }
	if o != nil {
		s.opts = *o
	}
	if l := s.opts.Loss; !(l >= 0 && l <= 1) {
		return nil, invalid("loss", "%v is not a probability from 0 to 1", l)
	}
	if s.opts.Latency < 0 || s.opts.HopLatency < 0 {
		return nil, invalid("latency", "%v is negative", min(s.opts.Latency, s.opts.HopLatency))
	}
	var err error
	if s.faults, err = newFaultPlan(f, s.opts.Faults, s.opts.Seed); err != nil {
		return nil, err
	}
	s.topLID = highestLID(f)
	s.routes = newRoutes(f, &s.manager)
	s.nodes = newNodes(f)
	if s.physics, err = newPhysics(s, s.opts.Physics); err != nil {
		return nil, err
	}
	if s.opts.Fresh {
		s.resetAll()
	}
	return s, nil
}

// Close ends what the fabric does by itself: traps are no longer repeated. It
// does not close the Ports.
func (s *Fabric) Close() error {
	s.traps.end()
	return nil
}

// Model is the fabric that is simulated.
func (s *Fabric) Model() *fabric.Fabric { return s.model }

func highestLID(f *fabric.Fabric) ib.LID {
	var top ib.LID
	for p := range f.Ports() {
		raw := p.InfoBytes()
		if raw == nil {
			continue
		}
		var info smp.PortInfo
		info.Decode(raw)
		if last := int(info.LID) + 1<<info.LMC - 1; info.LID.IsUnicast() && last <= int(ib.MaxUnicastLID) {
			top = max(top, ib.LID(last))
		}
	}
	return top
}

func invalid(obj, format string, args ...any) error {
	return &Error{Op: "new", Obj: obj, Err: fmt.Errorf(format+": %w", append(args, os.ErrInvalid)...)}
}
