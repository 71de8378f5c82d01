package trace

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// MaxHops is how many steps a way may have.
const MaxHops = ib.MaxHops

// Stop is a node on a way and the port by which the way arrives.
type Stop struct {
	Node        smp.NodeInfo
	Description smp.NodeDescription
	Port        smp.PortInfo // of a switch, that of its port 0
	Num         uint8        // the port that the way arrives at
}

// IsSwitch reports whether the node is a switch.
func (s *Stop) IsSwitch() bool { return s.Node.NodeType == ib.NodeSwitch }

// Tracer asks for the steps of ways. The zero Timeout and Retries are the client's.
type Tracer struct {
	Client  *madrpc.Client
	Timeout time.Duration // of one try

	// Force compares LIDs where the port GUID differs, and goes on although the
	// ends do not answer.
	Force bool

	// Warn, if set, is told of what did not end the way: ends that do not answer
	// (with Force), switches that multicast leaves out.
	Warn func(*Error)
	// Failed, if set, is told of each request that failed, before the error or
	// the warning that follows from it.
	Failed func(error)
}

func (t *Tracer) warn(e *Error) {
	if t.Warn != nil {
		t.Warn(e)
	}
}

// look asks a node for what a Stop holds.
func (t *Tracer) look(ctx context.Context, to mad.Target) (s Stop, err error) {
	if s.Node, err = get[smp.NodeInfo](ctx, t, to, 0); err != nil {
		return s, err
	}
	if s.Description, err = get[smp.NodeDescription](ctx, t, to, 0); err != nil {
		return s, err
	}
	s.Port, err = get[smp.PortInfo](ctx, t, to, 0)
	s.Num = s.Node.LocalPort
	return s, err
}

// get asks for one attribute.
func get[T any, P madrpc.SMPAttribute[T]](ctx context.Context, t *Tracer, to mad.Target, modifier uint32) (T, error) {
	var v T
	r := madrpc.Request{Target: to, Timeout: t.Timeout}
	r.Packet.Init(to.SMPClass(), mad.MethodGet, P(&v).AttrID(), modifier)
	if err := t.Client.Do(ctx, &r); err != nil {
		if t.Failed != nil {
			t.Failed(err)
		}
		return v, err
	}
	P(&v).Decode(r.Packet.SMPData())
	return v, nil
}
