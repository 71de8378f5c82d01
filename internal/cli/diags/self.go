package diags

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/saclient"
)

// Self asks the port through which a tool looks at the fabric who it is. C reads
// the same from sysfs. The error is that of the request.
func (c *Common) Self(ctx context.Context, client *madrpc.Client) (*resolve.Local, error) {
	self, err := resolve.Self(ctx, client)
	var failed *resolve.Error
	if errors.As(err, &failed) {
		return nil, failed.Err // which says whom it has asked
	}
	return &self, err
}

// Administration is the client of the subnet administration: at the LID that -s
// gives, else where the port's subnet manager is.
func (c *Common) Administration(client *madrpc.Client, s *resolve.Local) (*saclient.Client, error) {
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
