package ibaddr

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	gid, lid, decimal bool

	to   string // "" for the local port
	port uint32
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, _ string) error {
		switch o.Short {
		case 'g':
			s.gid = true
		case 'l':
			s.lid = true
		case 'L':
			s.lid, s.decimal = true, true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if !s.gid && !s.lid {
		s.gid, s.lid = true, true
	}
	if len(operands) > 0 {
		s.to = operands[0]
	}
	if len(operands) > 1 {
		s.port = uint32(diags.LeadingInt(operands[1]))
	}
	return s, nil
}

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	var to mad.Target // the local node
	if s.to != "" {
		if to, err = s.Resolve(ctx, client, s.to); err != nil {
			e.Complain("%v", err)
			return &diags.Fatal{Text: "can't resolve destination port " + s.to, Cause: err}
		}
	}
	a, err := ask(ctx, client, to, s)
	if err != nil {
		e.Complain("%v", err)
		return &diags.Fatal{Text: "can't resolve requested address", Cause: err}
	}
	if s.JSON {
		return s.PrintDocument(newDocument(to, a))
	}
	if _, err := fmt.Fprintln(e.Stdout, a.text(s)); err != nil {
		return &diags.Fatal{Text: err.Error(), Cause: err}
	}
	return nil
}

// addresses are those of a port.
type addresses struct {
	gid         ib.GID
	first, last int // LIDs
}

// ask asks the target for the addresses of one of its ports. Without an operand
// that is the port by which the local node is asked.
func ask(ctx context.Context, c *madrpc.Client, to mad.Target, s *settings) (*addresses, error) {
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, c, to, 0)
	if err != nil {
		return nil, err
	}
	port := s.port
	if s.to == "" {
		port = uint32(node.LocalPort)
	}
	info, err := madrpc.GetSMP[smp.PortInfo](ctx, c, to, port)
	if err != nil {
		return nil, err
	}
	return &addresses{
		gid:   ib.GIDFrom(info.GIDPrefix, node.PortGUID),
		first: int(info.LID), last: int(info.LID) + 1<<info.LMC - 1,
	}, nil
}

// text is the line that is printed. Without a LID range a blank stays at its end.
func (a *addresses) text(s *settings) string {
	line := ""
	if s.gid {
		line = "GID " + a.gid.String() + " "
	}
	switch {
	case s.lid && s.decimal:
		line += fmt.Sprintf("LID start %d end %d", a.first, a.last)
	case s.lid:
		line += fmt.Sprintf("LID start 0x%x end 0x%x", a.first, a.last)
	}
	return line
}
