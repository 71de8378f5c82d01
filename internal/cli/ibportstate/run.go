package ibportstate

import (
	"bufio"
	"context"
	"io"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*diags.Common
	diags.Guard
	env    *env.Env
	client *madrpc.Client
	out    *bufio.Writer // text
	doc    document

	*request
	to  mad.Target
	num int
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
	if len(operands) < 2 {
		return Tool.Usage(e)
	}
	if s.client, err = s.Client(ctx); err != nil {
		return err
	}
	defer s.client.Close()
	if s.to, err = s.Resolve(ctx, s.client, operands[0]); err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination port " + operands[0], Cause: err}
	}
	s.num = int(int32(diags.LeadingInt(operands[1])))
	if s.request, err = parseRequest(operands[2:], s.newMKey); err != nil {
		return err
	}
	s.out = bufio.NewWriter(e.Stdout)
	if s.JSON {
		s.out = bufio.NewWriter(io.Discard)
	}
	s.doc.Operation, s.doc.Destination = s.op.name, diags.DestinationOf(s.to)
	err = s.work(ctx)
	if flushErr := s.out.Flush(); err == nil && flushErr != nil {
		err = &diags.Fatal{Text: flushErr.Error(), Cause: flushErr}
	}
	return s.Finish(err, &s.doc)
}

// newMKey asks for the M_Key to be set, so that it does not show in the list of
// processes.
func (s *session) newMKey() (uint64, error) {
	secret, err := s.env.ReadPassword("New M_Key: ")
	if err == nil {
		var key uint64
		if key, err = diags.WholeUint(secret); err == nil {
			return key, nil
		}
	}
	return 0, &diags.Fatal{Text: "Bad new M_Key", Blank: true, Cause: err}
}

// work reads the port, and changes it or goes on with the other end.
func (s *session) work(ctx context.Context) error {
	p, err := portcontrol.Read(ctx, s.client, s.to, s.num, s.options())
	if p.Node != (smp.NodeInfo{}) && s.setsOwner() && !p.HasOwner() {
		return fatal("Can't set M_Key fields on switch port != 0")
	}
	s.doc.Initial = s.side(p)
	if err != nil {
		return s.readFailed(p, s.heading(p), err)
	}
	s.printf("%s", s.heading(p))
	s.showPort(p)
	s.showExtended(p)
	if s.changes() {
		return s.apply(ctx, p)
	}
	if p.IsSwitch() && p.Num != 0 && p.Info.State == active {
		return s.showPeer(ctx, p)
	}
	return nil
}

func (s *session) options() *portcontrol.Options {
	return &portcontrol.Options{NoExtendedPortInfo: !s.MLXExtendedPortInfo}
}
