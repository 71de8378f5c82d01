package smpquery

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// settings are what the command line says.
type settings struct {
	*diags.Common
	combined, extended bool
	nameMap            string

	op      *operation
	opName  string   // as it was typed
	to      []string // one operand, with -c two
	portnum int32    // 0 when not given
}

func parse(e *env.Env) (*settings, error) {
	s := &settings{}
	common, operands, err := Tool.Parse(e, func(o *getopt.Option, value string) error {
		switch o.Long {
		case "combined":
			s.combined = true
		case "extended":
			s.extended = true
		case "node-name-map":
			s.nameMap = value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Common = common
	addresses := 1
	if s.combined {
		addresses = 2 // C prints "(null)" for the second when it is missing
	}
	if len(operands) < 1+addresses {
		return nil, Tool.Usage(e)
	}
	s.opName, s.to = operands[0], operands[1:1+addresses]
	if s.op = find(s.opName); s.op == nil {
		return nil, &diags.Fatal{Text: "operation '" + s.opName + "' not supported"}
	}
	if rest := operands[1+addresses:]; len(rest) > 0 {
		s.portnum = int32(diags.LeadingInt(rest[0]))
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
	namer := s.NodeNames(s.nameMap)
	to, err := s.target(ctx, client)
	if err != nil {
		s.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination port " + strings.Join(s.to, " "), Cause: err}
	}
	q := &query{ctx: ctx, env: e, client: client, to: to, settings: s, namer: namer}
	err = q.run()
	var failure *failure
	if errors.As(err, &failure) {
		if failure.cause != nil {
			s.Failed(failure.cause)
		}
		err = &diags.Fatal{Text: "operation " + s.opName + ": " + failure.what, Cause: failure.cause}
	}
	return s.Finish(err, q.document())
}

// target finds the device. The LID of a combined route may have anything behind
// its number, as in C.
func (s *settings) target(ctx context.Context, client *madrpc.Client) (mad.Target, error) {
	if !s.combined {
		return s.Resolve(ctx, client, s.to[0])
	}
	lid := diags.LeadingInt(s.to[0])
	if lid < 1 || lid > int64(ib.MaxUnicastLID) {
		return mad.Target{}, &ib.ParseError{Kind: "unicast LID, 1…49151", Text: s.to[0]}
	}
	path, err := ib.ParseDRPath(s.to[1])
	if err != nil {
		return mad.Target{}, err
	}
	return resolve.Combined(ctx, client, ib.LID(lid), path)
}

// run prints what the operation finds out.
func (q *query) run() error {
	out := q.env.Stdout
	if q.JSON {
		out = io.Discard
	}
	q.out = bufio.NewWriter(out)
	err := q.op.run(q)
	if flushErr := q.out.Flush(); err == nil && flushErr != nil {
		return &diags.Fatal{Text: flushErr.Error(), Cause: flushErr}
	}
	return err
}

// query is one run of an operation.
type query struct {
	ctx    context.Context
	env    *env.Env
	client *madrpc.Client
	to     mad.Target
	*settings
	namer ibnetdiscover.Namer
	out   *bufio.Writer

	answers  []diags.Answer
	capacity *int // of a table
}

// failure ends an operation in the words of the C tool.
type failure struct {
	what  string
	cause error
}

func (f *failure) Error() string { return f.what }
