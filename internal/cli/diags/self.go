package diags

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/saclient"
)

// Self is the port through which a tool looks at the fabric.
type Self struct {
	Node smp.NodeInfo
	Port smp.PortInfo
}

// Self asks the own port who it is. C reads the same from sysfs.
func (c *Common) Self(ctx context.Context, client *madrpc.Client) (*Self, error) {
	var s Self
	var err error
	if s.Node, err = madrpc.GetSMP[smp.NodeInfo](ctx, client, mad.Target{}, 0); err != nil {
		return nil, err
	}
	s.Port, err = madrpc.GetSMP[smp.PortInfo](ctx, client, mad.Target{}, uint32(s.Node.LocalPort))
	return &s, err
}

// Num is the number of the port.
func (s *Self) Num() int { return int(s.Node.LocalPort) }

// GID is the default GID of the port.
func (s *Self) GID() ib.GID { return ib.GIDFrom(s.Port.GIDPrefix, s.Node.PortGUID) }

// Target is the port itself, by its LID: how agents of general services are asked.
func (s *Self) Target() mad.Target { return mad.Target{LID: s.Port.LID, SL: s.Port.SMSL} }

// Administration is the client of the subnet administration: at the LID that -s
// gives, else where the port's subnet manager is.
func (c *Common) Administration(client *madrpc.Client, s *Self) (*saclient.Client, error) {
	to := mad.Target{LID: s.Port.SMLID, SL: s.Port.SMSL}
	if c.SMLID != 0 {
		to = mad.ByLID(ib.LID(c.SMLID))
	}
	if to.LID == 0 {
		return nil, errors.New("no subnet manager has given this port a LID for it; is one running?")
	}
	return saclient.New(client, to, &saclient.Options{SMKey: c.SAKey}), nil
}

// Resolve is Target for destinations that may be given by GUID, with -G: the
// subnet administration is asked for the path to the port with that GUID.
func (c *Common) Resolve(ctx context.Context, client *madrpc.Client, operand string) (mad.Target, error) {
	if c.Address != ByGUID {
		return c.Target(operand)
	}
	guid := ib.GUID(leadingNumber(operand))
	if guid == 0 {
		return mad.Target{}, &ib.ParseError{Kind: "GUID", Text: operand}
	}
	o := resolve.Options{SMKey: c.SAKey}
	if c.SMLID != 0 {
		o.Manager = mad.ByLID(ib.LID(c.SMLID))
	}
	to, err := resolve.GUID(ctx, client, guid, &o)
	if err != nil {
		if errors.Is(err, resolve.ErrNoManager) {
			IBWarn(c.env, "sa_rpc_call", "only lid routes are supported")
		}
		IBWarn(c.env, "ib_path_query_via", "sa call path_query failed")
	}
	return to, err
}
