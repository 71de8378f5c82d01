package ibsendtrap

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*diags.Common
	diags.Guard
	env *env.Env
	doc document
}

// document is what ibsendtrap did.
type document struct {
	Trap        string             `json:"trap"`
	Destination *diags.Destination `json:"destination,omitempty"` // the subnet manager
	Sent        *diags.Answer      `json:"sent,omitempty"`
	Planned     []*diags.Plan      `json:"planned,omitempty"`
}

func run(ctx context.Context, e *env.Env) error {
	s := &session{env: e}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, _ string) error {
		s.Take(o)
		return nil
	})
	if err != nil {
		return err
	}
	s.Common = common
	name, port := traps[0].name, uint8(1)
	if len(operands) > 0 {
		name = operands[0]
	}
	if len(operands) > 1 {
		port = uint8(diags.LeadingDecimal(operands[1]))
	}
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	t := findTrap(name)
	if t == nil {
		return Tool.Usage(e)
	}
	s.doc.Trap = t.name
	return s.Finish(s.send(ctx, client, t, port), &s.doc)
}

// send makes the notice and sends it.
func (s *session) send(ctx context.Context, client *madrpc.Client, t *trap, port uint8) error {
	self, err := resolve.Self(ctx, client)
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve self", Cause: err}
	}
	to, err := resolve.Manager(ctx, client)
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve SM destination port", Cause: err}
	}
	node, a := s.describe(ctx, client, &self)
	a.port = port
	notice := t.notice(node, a)
	destination := diags.DestinationOf(to)
	s.doc.Destination = &destination
	if s.DryRun {
		return s.plan(to, notice)
	}
	var p mad.Packet
	p.Init(mad.ClassSubnLID, mad.MethodTrap, notice.AttrID(), 0)
	notice.Encode(p.SMPData())
	if err := client.Send(ctx, to, p); err != nil {
		var request *madrpc.Error
		reason := err
		if errors.As(err, &request) {
			reason = request.Err
		}
		diags.IBWarn(s.env, "mad_send_via", "send failed; %v", reason)
		s.Problem(err)
		return &diags.Exit{Code: diags.ExitFatal}
	}
	sent := s.Answer(mad.ClassSubnLID, notice, 0)
	s.doc.Sent = &sent
	return nil
}

// describe asks the local port by its LID for what traps tell of it. As in C, it
// counts as an adapter without capabilities if it does not answer.
func (s *session) describe(ctx context.Context, client *madrpc.Client, self *resolve.Local) (ib.NodeType, about) {
	a := about{lid: self.Port.LID}
	to := mad.Target{LID: self.Port.LID, SL: self.Port.SMSL}
	kind := ib.NodeCA
	if node, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, to, 0); err == nil {
		kind = node.NodeType
	} else {
		s.Failed(err)
	}
	if info, err := madrpc.GetSMP[smp.PortInfo](ctx, client, to, 0); err == nil {
		a.capMask = info.CapMask
	} else {
		s.Failed(err)
	}
	return kind, a
}

// plan shows the trap that is not sent.
func (s *session) plan(to mad.Target, notice *smp.Notice) error {
	p, err := s.Plan(mad.MethodTrap, mad.ClassSubnLID, to, 0, new(smp.Notice), notice)
	if err != nil {
		return err
	}
	s.doc.Planned = append(s.doc.Planned, p)
	if s.JSON {
		return nil
	}
	return p.Write(s.env.Stdout)
}
