package survey

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/discover/saview"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// Options tell what to read. Nil or the zero value reads nothing beside the sweep.
type Options struct {
	Routes   bool // linear and multicast forwarding tables
	Counters bool // PortCounters and PortCountersExtended of all ports
	Manager  bool // the subnet manager's records
	SMInfo   bool // what the subnet managers tell of themselves
	Firmware bool // of devices with NVIDIA's vendor class; it goes into the nodes of the fabric

	SMKey uint64 // of the queries to the manager

	MaxOutstanding int // of counters; 0 is that package's choice
	MaxPerTarget   int
}

// Error says why a survey ended early. Unwrap gives the cause: the context's
// error, or what ended the client.
type Error struct {
	Op  string // "read forwarding tables", "ask the subnet manager", …
	Err error
}

func (e *Error) Error() string { return "survey: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Take makes a snapshot of a fabric that was just swept through the client, and
// reads for it what the options ask for. The switches of f get their forwarding
// tables; nobody else may use f meanwhile.
//
// The snapshot is never nil. What could not be read is in its Problems and does
// not cost the rest; the error, an *Error, says why nothing more was asked.
func Take(ctx context.Context, c *madrpc.Client, f *fabric.Fabric, o *Options) (*snapshot.Snapshot, error) {
	if o == nil {
		o = &Options{}
	}
	s := &snapshot.Snapshot{Taken: f.Sweep().Started, Fabric: f}
	if s.Taken.IsZero() {
		s.Taken = time.Now()
	}
	for _, part := range []struct {
		asked bool
		op    string
		read  func(context.Context, *madrpc.Client, *snapshot.Snapshot, *Options) error
	}{
		{o.Counters, "read counters", readCounters}, // first: they change
		{o.Routes, "read forwarding tables", readRoutes},
		{o.Manager, "ask the subnet manager", readManager},
		{o.SMInfo, "ask for SMInfo", readSMInfo},
		{o.Firmware, "ask for firmware", readFirmware},
	} {
		if !part.asked {
			continue
		}
		if err := part.read(ctx, c, s, o); err != nil {
			return s, &Error{Op: part.op, Err: err}
		}
	}
	return s, nil
}

// readManager reads the manager's view. That there is no manager is a problem.
func readManager(ctx context.Context, c *madrpc.Client, s *snapshot.Snapshot, o *Options) error {
	view, err := saview.Read(ctx, c, &saview.Options{SMKey: o.SMKey, Source: s.Fabric.Sweep().Source})
	if view.NumNodes() > 0 {
		s.Manager = view
	}
	if err == nil {
		return nil
	}
	s.Problems = append(s.Problems, fabric.Problem{
		Kind: kindOf(err), Port: -1, Class: mad.ClassSubnAdm, Detail: "the subnet manager's view is missing, or not whole", Err: err,
	})
	return ended(ctx, c)
}

// ended is why no more requests can be made, nil if that is not so.
func ended(ctx context.Context, c *madrpc.Client) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.Err()
}

// target is how to reach a node by subnet management: as the sweep did.
func target(n *fabric.Node) (mad.Target, bool) {
	if path, ok := n.Path(); ok {
		return mad.ByPath(path), true
	}
	for p := range n.Ports() {
		if lid := p.LID(); lid.IsUnicast() {
			return mad.ByLID(lid), true
		}
	}
	return mad.Target{}, false
}
