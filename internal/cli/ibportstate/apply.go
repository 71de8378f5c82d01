package ibportstate

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
)

// apply changes the port, or with --dry-run shows how.
func (s *session) apply(ctx context.Context, p *portcontrol.Port) error {
	if s.op.onlyIfOff && p.Info.PhysState != ib.PhysDisabled {
		s.printf("Port is already in enable state\n")
		return nil
	}
	if s.change.TakesLinkDown(&p.Info) {
		if err := s.Protect(ctx, s.client, s.to, p.Node.NodeGUID, p.Num, s.op.name); err != nil {
			return err
		}
	}
	if s.op.isDisabling {
		s.printf("Disable may be irreversible\n")
	}
	if s.DryRun {
		return s.plan(p)
	}
	if s.fdr10 != nil {
		if err := p.SetFDR10(ctx, s.client, *s.fdr10); err != nil {
			return s.failed("smp set MLNX ext portinfo failed", err)
		}
		s.printf("\nAfter MLNXExtendedPortInfo set:\n")
		s.showExtended(p)
	}
	err := p.Set(ctx, s.client, &s.change)
	if err != nil {
		return s.failed("smp set portinfo failed", err)
	}
	s.printf("\nAfter PortInfo set:\n")
	s.showPort(p)
	s.doc.After = s.side(p)
	return nil
}

// plan shows the requests of apply.
func (s *session) plan(p *portcontrol.Port) error {
	if s.fdr10 != nil {
		var have smp.ExtendedPortInfo
		if p.Extended != nil {
			have = *p.Extended
		}
		wanted := p.WithFDR10(*s.fdr10)
		if err := s.planSet(uint32(p.Num), &have, &wanted); err != nil {
			return err
		}
	}
	wanted := p.Wanted(&s.change)
	return s.planSet(p.SetModifier(), &p.Info, &wanted)
}

func (s *session) planSet(modifier uint32, before, after field.Value) error {
	plan, err := s.Plan(mad.MethodSet, mad.ClassSubnLID, s.to, modifier, before, after)
	if err != nil {
		return err
	}
	s.doc.Planned = append(s.doc.Planned, plan)
	return plan.Write(s.out)
}

// failed tells of a request that failed and gives the error in C's words.
func (s *session) failed(text string, err error) error {
	s.Failed(err)
	return &diags.Fatal{Text: text, Cause: err}
}
