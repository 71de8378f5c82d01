package ibroute

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Run runs ibroute and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

func run(ctx context.Context, e *env.Env) error {
	s, err := parse(e, &Tool)
	if err != nil {
		return err
	}
	if len(s.operands) == 0 {
		return Tool.Usage(e)
	}
	s.takeRange(s.operands[1:])
	s.namer = s.NodeNames(s.nameMap)
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	to, err := s.Resolve(ctx, client, s.operands[0])
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination port " + s.operands[0], Cause: err}
	}
	sw, err := ask(ctx, client, to, s)
	if err != nil {
		return err
	}
	if s.multicast {
		s.dumpMulticast(ctx, client, sw)
	} else {
		s.dumpUnicast(ctx, client, sw, &asked{ctx: ctx, client: client, settings: s})
	}
	return s.finish()
}

// device is a switch whose tables are shown.
type device struct {
	to    mad.Target
	id    string // the target as C prints it
	guid  ib.GUID
	name  string
	ports uint8
	info  smp.SwitchInfo

	// unread tells of a block that could not be read, and whether the dump goes on.
	unread func(modifier uint32, err error) bool
}

func (d *device) text(mad.Target) string { return d.id }

// ask asks a device whether it is a switch, and for what the heading says of it.
func ask(ctx context.Context, client *madrpc.Client, to mad.Target, s *settings) (*device, error) {
	fail := func(what string, err error) (*device, error) {
		s.Failed(err)
		return nil, &diags.Fatal{Text: "dump tables: " + what, Cause: err}
	}
	node, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, to, 0)
	if err != nil {
		return fail("node info failed: valid addr?", err)
	}
	desc, err := madrpc.GetSMP[smp.NodeDescription](ctx, client, to, 0)
	if err != nil {
		return fail("node desc failed", err)
	}
	if node.NodeType != ib.NodeSwitch {
		return nil, &diags.Fatal{Text: "dump tables: not a switch"}
	}
	info, err := madrpc.GetSMP[smp.SwitchInfo](ctx, client, to, 0)
	if err != nil {
		return fail("switch info failed: is a switch node?", err)
	}
	return &device{
		to: to, id: diags.PortID(to), guid: node.NodeGUID, ports: node.NumPorts, info: info,
		name: diags.NodeName(s.namer, node.NodeGUID, desc.String()),
		unread: func(modifier uint32, err error) bool {
			fmt.Fprintf(s.env.Stderr, "SubnGet() failed; MAD status 0x%x AM 0x%x\n", uint16(status(err)), modifier)
			return false
		},
	}, nil
}

// status is that of the reply to a failed request, 0 if there was none.
func status(err error) (st mad.Status) {
	errors.As(err, &st)
	return st
}
