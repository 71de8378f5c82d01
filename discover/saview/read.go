package saview

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/saclient"
)

// Error says why a fabric could not be read from subnet administration, or not to
// its end. Unwrap gives the cause: resolve.ErrNoManager, a *saclient.Error, the
// context's error, ErrNoNodes.
type Error struct {
	Op  string // "find manager", "read"
	Err error
}

// Error names what was done and the cause.
func (e *Error) Error() string { return "subnet administration's view: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrNoNodes is the cause when the manager has no usable NodeRecord.
var ErrNoNodes = errors.New("it has no records of nodes")

// Options tune Read. Nil or the zero value has the defaults.
type Options struct {
	// Manager is the subnet administration to ask; the zero Target is the one that
	// has brought up the local port.
	Manager mad.Target

	// SMKey is the SM_Key of queries. Managers may hide fields from those who do
	// not know it.
	SMKey uint64

	Timeout time.Duration // longest pause in a table; 0 = that of the client
	Source  string        // recorded in the result: the URI of the transport
}

// Read asks for all NodeRecords, PortInfoRecords, LinkRecords and
// SwitchInfoRecords, and makes a fabric of them.
//
// The fabric is never nil. Nodes come in the order in which a walk along the links
// from the local port meets them, those that it does not meet last, by GUID; the
// walk gives their directed routes. A table that could not be read, or not to its
// end, is in the fabric's Problems, as are records that cannot be true. The error,
// an *Error, is for a manager that is not there or has no nodes, and for a context
// that ended; the fabric then holds what was known.
func Read(ctx context.Context, c *madrpc.Client, o *Options) (*fabric.Fabric, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	began := time.Now()
	self, err := resolve.Self(ctx, c)
	if err != nil {
		return fabric.NewBuilder().Build(), &Error{Op: "find manager", Err: err}
	}
	if opts.Manager == (mad.Target{}) {
		opts.Manager = mad.Target{LID: self.Port.SMLID, SL: self.Port.SMSL}
	}
	if !opts.Manager.LID.IsUnicast() {
		return fabric.NewBuilder().Build(), &Error{Op: "find manager", Err: resolve.ErrNoManager}
	}
	r := newReader(saclient.New(c, opts.Manager, &saclient.Options{SMKey: opts.SMKey, Timeout: opts.Timeout}))
	err = r.read(ctx)
	f := r.build(self.Node.NodeGUID, startPort(&self), fabric.Sweep{
		Source: opts.Source, View: fabric.ByManager, Started: began, Duration: time.Since(began),
	})
	switch {
	case ctx.Err() != nil:
		return f, &Error{Op: "read", Err: ctx.Err()}
	case f.NumNodes() == 0:
		return f, &Error{Op: "read", Err: cmp.Or(err, ErrNoNodes)}
	}
	return f, nil
}

// startPort is the port that the walk begins at; 0 on a switch.
func startPort(self *resolve.Local) int {
	if self.Node.NodeType == ib.NodeSwitch {
		return 0
	}
	return int(self.Node.LocalPort)
}

// tables are what is asked for. Nodes come first: the others mean ports by LIDs,
// which these tell.
var tables = [...]struct {
	attr   madrpc.Attribute
	length int // of a record, in bytes
	take   func(*reader, []byte) bool
}{
	{new(sa.NodeRecord), 108, (*reader).node},
	{new(sa.SwitchInfoRecord), 24, (*reader).switchInfo},
	{new(sa.PortInfoRecord), 68, (*reader).portInfo},
	{new(sa.LinkRecord), 6, (*reader).link},
}

// read reads the tables. It returns why the nodes could not be read.
func (r *reader) read(ctx context.Context) error {
	var first error
	for i, table := range tables {
		err := r.table(ctx, table.attr, table.length, table.take)
		if i == 0 {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return first
}
