package ibfindnodesusing

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// exitNotFound is the exit code for a switch or port that is not there.
const exitNotFound = 1

const switchNotFound = "Switch \"0x%s\" not found\n   Try running with the \"-R\" or \"-P\" option.\n"

// link is a port of a switch, what is at its other end, and the adapters' ports
// that are reached through it from either end.
type link struct {
	sw     *fabric.Node
	num    int
	remote *fabric.Port // nil for none
	there  []*fabric.Port
	back   []*fabric.Port
	unread bool // a part of a table could not be read
}

func run(ctx context.Context, e *env.Env) error {
	c, operands, err := Tool.ParseScript(e, usage, func(byte, string) {})
	if err != nil {
		return err
	}
	if len(operands) < 2 {
		return Tool.ScriptUsage(e, usage)
	}
	f, err := c.Discover(ctx, &discover.Options{})
	if err != nil {
		return err
	}
	l, err := find(c, e, f, operands[0], operands[1])
	if err != nil {
		return err
	}
	if err := l.follow(ctx, c, f); err != nil {
		return err
	}
	if c.JSON {
		err = c.PrintDocument(l.document())
	} else {
		l.print(e)
	}
	if err == nil && l.unread {
		return &diags.Exit{Code: diags.ExitFatal}
	}
	return err
}

// find finds the link that the operands name.
func find(c *diags.Common, e *env.Env, f *fabric.Fabric, name, port string) (*link, error) {
	sw, err := findSwitch(f, name)
	if err != nil {
		return nil, notFound(c, e, err, fmt.Sprintf(switchNotFound, escape.Text(padded(name))))
	}
	num, err := strconv.ParseUint(port, 10, 8)
	if err != nil || int(num) > sw.NumPorts() {
		err := fmt.Errorf("switch %s has no port %q: expected 0…%d", sw.GUID(), port, sw.NumPorts())
		return nil, notFound(c, e, err, "")
	}
	l := &link{sw: sw, num: int(num)}
	if p := sw.Port(l.num); p != nil {
		l.remote = p.Remote()
	}
	return l, nil
}

// notFound ends the tool with a text in C's words, and why on stderr.
func notFound(c *diags.Common, e *env.Env, err error, text string) error {
	e.Complain("%v", err)
	if c.JSON {
		c.Problem(err)
		if printErr := c.PrintDocument(struct{}{}); printErr != nil {
			return printErr
		}
	} else if text != "" {
		fmt.Fprint(e.Stdout, text)
	}
	return &diags.Exit{Code: exitNotFound}
}

// follow finds who is reached through the link.
func (l *link) follow(ctx context.Context, c *diags.Common, f *fabric.Fabric) error {
	ends := []*fabric.Node{l.sw}
	if l.remote != nil && isSwitch(l.remote.Node()) {
		ends = append(ends, l.remote.Node())
	}
	tables, err := l.read(ctx, c, ends)
	if err != nil {
		return err
	}
	l.there = route.Behind(f, tables, l.sw, uint8(l.num))
	if len(ends) > 1 {
		l.back = route.Behind(f, tables, l.remote.Node(), uint8(l.remote.Num()))
	}
	return nil
}
