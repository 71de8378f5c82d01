package sim

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
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
}

// Fabric is a simulated fabric. It is safe for concurrent use.
type Fabric struct {
	model  *fabric.Fabric
	opts   Options
	faults *faultPlan // nil when nothing is broken
	routes *routes
	topLID ib.LID // the highest LID in use
	ports  atomic.Uint64

	agents  classAgents
	monitor atomic.Pointer[Monitor]
	packets sync.Pool // of *mad.Packet, so that agents cost no allocation
}

// New makes a simulated fabric of f. Options nil are the zero Options. Bad
// Options are an Error that wraps os.ErrInvalid.
func New(f *fabric.Fabric, o *Options) (*Fabric, error) {
	s := &Fabric{model: f}
	s.packets.New = func() any { return new(mad.Packet) }
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
	s.routes = newRoutes(f)
	return s, nil
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
