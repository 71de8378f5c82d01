package ibccconfig

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/congestion"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// session is one run of the tool.
type session struct {
	*diags.Common
	diags.Guard
	agent congestion.Agent
	ctx   context.Context
	out   *bufio.Writer // text
	doc   document

	op     *operation
	opName string // as it was typed
}

// document is what ibccconfig did.
type document struct {
	Operation   string            `json:"operation"`
	Destination diags.Destination `json:"destination"`
	After       *diags.Answer     `json:"after,omitempty"` // as the agent says
	Planned     []*diags.Plan     `json:"planned,omitempty"`
}

func run(ctx context.Context, e *env.Env) error {
	s := &session{ctx: ctx, out: bufio.NewWriter(e.Stdout)}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		if !s.Take(o) {
			s.agent.Key = diags.LeadingUint(value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.Common = common
	if len(operands) < 2 {
		return Tool.Usage(e)
	}
	s.opName = operands[0]
	if s.op = find(s.opName); s.op == nil {
		return &diags.Fatal{Text: "operation '" + s.opName + "' not supported"}
	}
	if s.JSON {
		s.out = bufio.NewWriter(io.Discard)
	}
	if s.agent.Client, err = s.Client(ctx); err != nil {
		return err
	}
	defer s.agent.Client.Close()
	if s.agent.Target, err = s.Resolve(ctx, s.agent.Client, operands[1]); err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination " + operands[1], Cause: err}
	}
	s.doc = document{Operation: s.op.name, Destination: diags.DestinationOf(s.agent.Target)}
	err = s.op.run(s, operands[2:])
	if flushErr := s.out.Flush(); err == nil && flushErr != nil {
		err = &diags.Fatal{Text: flushErr.Error(), Cause: flushErr}
	}
	return s.Finish(s.inWords(err), &s.doc)
}

// failure ends an operation in the words of the C tool.
type failure struct {
	what  string
	cause error
}

func (f *failure) Error() string { return f.what }

func failed(what string) error { return &failure{what: what} }

// inWords tells of a failure, and names the operation in it as C does.
func (s *session) inWords(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	if f.cause != nil {
		s.Failed(f.cause)
	}
	return &diags.Fatal{Text: "operation " + s.opName + ": " + f.what, Cause: f.cause}
}

// attribute is one that can be set and compared.
type attribute interface {
	madrpc.Attribute
	field.Value
}

// set sends an attribute, or with --dry-run shows what it would change: have gets
// the attribute as it is, and after says what the Set makes of that.
func (s *session) set(v, have attribute, modifier uint32, what string, after func() attribute) error {
	if !s.DryRun {
		return s.send(v, modifier, what)
	}
	if err := s.agent.Get(s.ctx, have, modifier); err != nil {
		return &failure{what + " query failed", err}
	}
	return s.plan(have, after(), modifier)
}

// send is the Set itself.
func (s *session) send(v attribute, modifier uint32, what string) error {
	if err := s.agent.Set(s.ctx, v, modifier); err != nil {
		return &failure{what + " config failed", err}
	}
	answer := s.Answer(mad.ClassCC, v, modifier)
	s.doc.After = &answer
	return nil
}

func (s *session) plan(before, after attribute, modifier uint32) error {
	p, err := s.Plan(mad.MethodSet, mad.ClassCC, s.agent.Target, modifier, before, after)
	if err != nil {
		return err
	}
	s.doc.Planned = append(s.doc.Planned, p)
	return p.Write(s.out)
}

// numPorts is the number of ports of the switch that is to be set.
func (s *session) numPorts() (uint8, error) {
	node, err := madrpc.GetSMP[smp.NodeInfo](s.ctx, s.agent.Client, s.agent.Target, 0)
	if err != nil {
		return 0, &failure{"node info config failed", err}
	}
	if node.NodeType != ib.NodeSwitch {
		return 0, failed("destination not a switch")
	}
	return node.NumPorts, nil
}
