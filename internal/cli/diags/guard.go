package diags

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/ownpath"
)

// Options of tools that change something in a fabric, which C does not have.
// Those that could cut themselves off have both.
var (
	ForceOption  = getopt.Option{Long: "force", Help: "take down even a port that this session goes through", Extension: true}
	DryRunOption = getopt.Option{Long: "dry-run", Help: "show what would be set, and set nothing", Extension: true}
)

// Guard is what these options say.
type Guard struct{ Force, DryRun bool }

// Take handles one of the options, and reports whether it was one.
func (g *Guard) Take(o *getopt.Option) bool {
	switch *o {
	case ForceOption:
		g.Force = true
	case DryRunOption:
		g.DryRun = true
	default:
		return false
	}
	return true
}

// Protect refuses to take down a port of a node, which is asked at to, if the
// tool's own requests go through it: the error names the port and --force, with
// which everything is allowed. Where it cannot be found out it is refused too.
func (g *Guard) Protect(ctx context.Context, client *madrpc.Client, to mad.Target, node ib.GUID, num int, what string) error {
	if g.Force {
		return nil
	}
	ports, err := ownpath.To(ctx, client, to)
	port, ok := ports.Find(node, num)
	switch {
	case ok:
		return &Fatal{Text: fmt.Sprintf("%s of port %d of %s refused: %s; --force does it all the same",
			what, num, nodeText(ctx, client, to, node), roles[port.Role])}
	case err != nil:
		return &Fatal{
			Text: fmt.Sprintf("%s of port %d of %s refused: it cannot be told whether this session goes through it (%v); --force does it all the same",
				what, num, nodeText(ctx, client, to, node), err),
			Cause: err,
		}
	}
	return nil
}

var roles = map[ownpath.Role]string{
	ownpath.Local:   "it is the local port, which carries this very session",
	ownpath.Peer:    "it is the other end of the local port's link, which carries this very session",
	ownpath.Between: "it is on the way between here and that node, which carries this very session",
}

// nodeText names a node by its description, if it tells it, and its GUID.
func nodeText(ctx context.Context, client *madrpc.Client, to mad.Target, guid ib.GUID) string {
	desc, err := madrpc.GetSMP[smp.NodeDescription](ctx, client, to, 0)
	if err != nil {
		return guid.String()
	}
	return fmt.Sprintf("%q (GUID %s)", escape.Text(desc.String()), guid)
}
