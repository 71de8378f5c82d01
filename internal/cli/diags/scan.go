package diags

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/mad"
)

// Scan is a sweep around one node, or of the whole fabric, for tools that look at
// all ports: what could not be read is told on stderr, all of it.
type Scan struct {
	From        mad.Target
	FromGUID    ib.GUID // of a port: start there, which a sweep has to find first
	Partial     bool    // start at From, and go one hop if Hops is 0
	Hops        int     // 0: no limit
	Outstanding int
}

// Scan sweeps the fabric. The error says why a sweep did not come to its end.
func (c *Common) Scan(ctx context.Context, s *Scan) (*fabric.Fabric, error) {
	o := &discover.Options{
		MaxHops: s.Hops, MaxOutstanding: max(s.Outstanding, 0),
		Timeout: c.Timeout, MKey: c.MKey, NoExtendedPortInfo: !c.MLXExtendedPortInfo,
	}
	if s.Partial {
		o.From, o.FromGUID, o.MaxHops = s.From, s.FromGUID, max(s.Hops, 1)
	}
	f, err := sweep.Open(ctx, c.env, c.Fabric(), o, c.capturing())
	if f != nil {
		for _, p := range f.Problems() {
			c.env.Complain("%s: %v", p.Kind, p)
		}
	}
	if err != nil {
		c.env.Complain("%v", err)
		return nil, err
	}
	return f, nil
}

// PathTarget reads a directed route as libibmad does, which takes one that it
// does not understand for the local node beside an error.
func PathTarget(text string) (mad.Target, error) {
	path, err := ib.ParseDRPath(text)
	if err != nil {
		return mad.Target{}, err
	}
	return mad.ByPath(path), nil
}
