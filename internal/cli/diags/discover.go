package diags

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// Discover sweeps the fabric for a tool. Problems go to stderr and do not fail
// it, as in C; a sweep that did not come to its end is fatal in C's words.
func (c *Common) Discover(ctx context.Context, o *discover.Options) (*fabric.Fabric, error) {
	o.Timeout = c.Timeout
	o.MKey = c.MKey
	o.NoExtendedPortInfo = !c.MLXExtendedPortInfo
	f, err := sweep.Open(ctx, c.env, c.Fabric(), o, c.capturing())
	if f != nil {
		c.FabricProblems(f.Problems())
		sweep.Complain(c.env, f.Problems())
	}
	if err != nil {
		c.env.Complain("%v", err)
		return nil, &Fatal{Text: "discover failed", Blank: true, Cause: err}
	}
	return f, nil
}

// Load reads a stored fabric, of any format, for a tool. What it is for ends up
// in the message: "loading cached fabric failed" for "".
func (c *Common) Load(ctx context.Context, path, purpose string) (*fabric.Fabric, error) {
	f, err := sweep.Open(ctx, c.env, "file:"+path, &discover.Options{}, nil)
	if err != nil {
		c.env.Complain("%v", err)
		return nil, &Fatal{Text: "loading cached fabric" + purpose + " failed", Blank: true, Cause: err}
	}
	return f, nil
}

// Warn prints a warning of a C tool on stderr.
func (c *Common) Warn(format string, args ...any) {
	fmt.Fprintf(c.env.Stderr, "WARNING "+format+"\n", args...)
}
