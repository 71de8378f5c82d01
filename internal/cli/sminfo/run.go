package sminfo

import (
	"context"
	"errors"
	"fmt"

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

// settings are what the command line says.
type settings struct {
	*diags.Common
	diags.Guard
	info     smp.SMInfo // what the request carries
	to       string     // "" for the manager of the local port
	modifier uint32     // 0 for a Get
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{info: smp.SMInfo{State: ib.SMStandby}}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		if s.Take(o) {
			return nil
		}
		switch n := diags.LeadingInt(value); o.Short {
		case 's':
			s.info.State = ib.SMState(n & 0xf)
		case 'p':
			s.info.Priority = uint8(n & 0xf)
		case 'a':
			s.info.ActCount = uint32(n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	if len(operands) > 0 {
		s.to = operands[0]
	}
	if len(operands) > 1 {
		s.modifier = uint32(diags.LeadingDecimal(operands[1]))
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
	to, err := s.target(ctx, client)
	if err != nil {
		return err
	}
	if s.modifier != 0 && s.DryRun {
		return s.plan(ctx, client, to, e.Stdout)
	}
	if s.modifier != 0 {
		err = madrpc.Set(ctx, client, to, s.modifier, &s.info)
	} else {
		err = madrpc.Get(ctx, client, to, 0, &s.info)
	}
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "query", Cause: err}
	}
	if s.JSON {
		return s.PrintDocument(newDocument(s, to))
	}
	_, err = fmt.Fprintf(e.Stdout, "sminfo: sm lid %d sm guid 0x%x, activity count %d priority %d state %d %s\n",
		to.LID, uint64(s.info.GUID), s.info.ActCount, s.info.Priority, s.info.State, stateName(s.info.State))
	return err
}

// target finds the manager. Where there is none C asks the local node, which
// has none either.
func (s *settings) target(ctx context.Context, client *madrpc.Client) (mad.Target, error) {
	if s.to != "" {
		to, err := s.Resolve(ctx, client, s.to)
		if err != nil {
			s.Failed(err)
			return to, &diags.Fatal{Text: "can't resolve destination port " + s.to, Cause: err}
		}
		return to, nil
	}
	to, err := resolve.Manager(ctx, client)
	switch {
	case errors.Is(err, resolve.ErrNoManager):
		s.Failed(err)
		return mad.Target{}, nil
	case err != nil:
		s.Failed(err)
		return to, &diags.Fatal{Text: "can't resolve sm port (null)", Cause: err}
	}
	return to, nil
}

func stateName(s ib.SMState) string {
	switch s {
	case ib.SMNotActive:
		return "SMINFO_NOTACT"
	case ib.SMDiscovering:
		return "SMINFO_DISCOVER"
	case ib.SMStandby:
		return "SMINFO_STANDBY"
	case ib.SMMaster:
		return "SMINFO_MASTER"
	}
	return "???"
}
