package resolve

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/saclient"
)

// Local is the port by which requests leave.
type Local struct {
	Node smp.NodeInfo
	Port smp.PortInfo
}

// GID is the port's first GID. A port that nobody has brought up has no subnet
// prefix; it counts as the default one.
func (l *Local) GID() ib.GID { return ib.GIDFrom(l.prefix(), l.Node.PortGUID) }

// Num is the number of the port.
func (l *Local) Num() int { return int(l.Node.LocalPort) }

// Target is the port itself, by its LID: how agents of general services are asked.
func (l *Local) Target() mad.Target { return mad.Target{LID: l.Port.LID, SL: l.Port.SMSL} }

func (l *Local) prefix() uint64 {
	if l.Port.GIDPrefix == 0 {
		return ib.DefaultSubnetPrefix
	}
	return l.Port.GIDPrefix
}

func (l *Local) manager() (to mad.Target, ok bool) {
	return mad.Target{LID: l.Port.SMLID, SL: l.Port.SMSL}, l.Port.SMLID.IsUnicast()
}

// Self asks the local port for its addresses.
func Self(ctx context.Context, c *madrpc.Client) (Local, error) {
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, c, mad.Target{}, 0)
	if err != nil {
		return Local{}, &Error{What: "the local port", Err: err}
	}
	num := uint32(node.LocalPort) // of an adapter, the port that was asked by
	if node.NodeType == ib.NodeSwitch {
		num = 0
	}
	port, err := madrpc.GetSMP[smp.PortInfo](ctx, c, mad.Target{}, num)
	if err != nil {
		return Local{}, &Error{What: "the local port", Err: err}
	}
	return Local{Node: node, Port: port}, nil
}

// Manager finds the subnet manager: its LID and service level, as it has told
// them to the local port. Without one the error wraps ErrNoManager.
func Manager(ctx context.Context, c *madrpc.Client) (mad.Target, error) {
	self, err := Self(ctx, c)
	if err != nil {
		return mad.Target{}, err
	}
	to, ok := self.manager()
	if !ok {
		return mad.Target{}, &Error{What: "the subnet manager", Err: ErrNoManager}
	}
	return to, nil
}

// Options tune GUID. Nil options have the defaults.
type Options struct {
	// Manager is the subnet administration to ask; the zero Target is the one
	// that has brought up the local port.
	Manager mad.Target
	SMKey   uint64 // of the query
}

// GUID asks subnet administration for the path to a port with that GUID, in the
// own subnet, and gives its LID and service level.
func GUID(ctx context.Context, c *madrpc.Client, guid ib.GUID, o *Options) (mad.Target, error) {
	if o == nil {
		o = &Options{}
	}
	fail := func(err error) (mad.Target, error) {
		return mad.Target{}, &Error{What: "port GUID " + guid.String(), Err: err}
	}
	self, err := Self(ctx, c)
	if err != nil {
		return fail(err)
	}
	manager := o.Manager
	if manager == (mad.Target{}) {
		var ok bool
		if manager, ok = self.manager(); !ok {
			return fail(ErrNoManager)
		}
	}
	path := sa.PathRecord{SGID: self.GID(), DGID: ib.GIDFrom(self.prefix(), guid), NumPath: 1}
	mask := sa.CompPathRecordSGID | sa.CompPathRecordDGID | sa.CompPathRecordNumPath
	admin := saclient.New(c, manager, &saclient.Options{SMKey: o.SMKey})
	if err := admin.Get(ctx, &path, mask); err != nil {
		return fail(err)
	}
	return mad.Target{LID: path.DLID, SL: path.SL}, nil
}

// Combined targets a node by a directed route that starts at the switch with a
// LID: LID routed up to there, directed behind.
func Combined(ctx context.Context, c *madrpc.Client, lid ib.LID, path ib.DRPath) (mad.Target, error) {
	self, err := Self(ctx, c)
	if err != nil {
		return mad.Target{}, err
	}
	return mad.Target{LID: lid, Path: path, SLID: self.Port.LID, Directed: true}, nil
}
