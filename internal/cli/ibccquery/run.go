package ibccquery

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/congestion"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// query is one run of the tool.
type query struct {
	*diags.Common
	agent congestion.Agent
	ctx   context.Context
	out   *bufio.Writer // text
	doc   document

	op      *operation
	opName  string // as it was typed
	to      string
	portnum int32 // 0 when not given
}

// document is what ibccquery found out.
type document struct {
	Operation   string            `json:"operation"`
	Destination diags.Destination `json:"destination"`
	Port        *int32            `json:"port,omitempty"`
	Answers     []diags.Answer    `json:"answers"`
}

func parse(ctx context.Context, e *env.Env) (*query, error) {
	q := &query{ctx: ctx}
	common, operands, err := Tool.Parse(e, func(_ *getopt.Option, value string) error {
		q.agent.Key = diags.LeadingUint(value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	q.Common = common
	if len(operands) < 2 {
		return nil, Tool.Usage(e)
	}
	q.opName, q.to = operands[0], operands[1]
	if q.op = find(q.opName); q.op == nil {
		return nil, &diags.Fatal{Text: "operation '" + q.opName + "' not supported"}
	}
	if len(operands) > 2 {
		q.portnum = int32(diags.LeadingInt(operands[2]))
	}
	// There is no -K: who asks for the key, as text or as data, wants to see it.
	q.ShowKeys = true
	q.out = bufio.NewWriter(e.Stdout)
	if q.JSON {
		q.out = bufio.NewWriter(io.Discard)
	}
	return q, nil
}

func run(ctx context.Context, e *env.Env) error {
	q, err := parse(ctx, e)
	if err != nil {
		return err
	}
	if q.agent.Client, err = q.Client(ctx); err != nil {
		return err
	}
	defer q.agent.Client.Close()
	if q.agent.Target, err = q.Resolve(ctx, q.agent.Client, q.to); err != nil {
		q.Failed(err)
		return &diags.Fatal{Text: "can't resolve destination " + q.to, Cause: err}
	}
	q.doc = document{Operation: q.op.name, Destination: diags.DestinationOf(q.agent.Target), Answers: []diags.Answer{}}
	if q.op.takesPort && q.portnum != 0 {
		q.doc.Port = &q.portnum
	}
	err = q.op.run(q)
	if flushErr := q.out.Flush(); err == nil && flushErr != nil {
		err = &diags.Fatal{Text: flushErr.Error(), Cause: flushErr}
	}
	return q.Finish(q.inWords(err), &q.doc)
}

// failure ends an operation in the words of the C tool.
type failure struct {
	what  string
	cause error
}

func (f *failure) Error() string { return f.what }

// inWords tells of a failure, and names the operation in it as C does.
func (q *query) inWords(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	if f.cause != nil {
		q.Failed(f.cause)
	}
	return &diags.Fatal{Text: "operation " + q.opName + ": " + f.what, Cause: f.cause}
}

// attribute is one that can be read and shown.
type attribute interface {
	madrpc.Attribute
	field.Value
}

// get reads an attribute; what names the failure.
func (q *query) get(v attribute, modifier uint32, what string) error {
	if err := q.agent.Get(q.ctx, v, modifier); err != nil {
		return &failure{what + " query failed", err}
	}
	q.note(v, modifier)
	return nil
}

// note keeps an attribute for the document.
func (q *query) note(v field.Value, modifier uint32) {
	if q.JSON {
		q.doc.Answers = append(q.doc.Answers, q.Answer(mad.ClassCC, v, modifier))
	}
}

func (q *query) printf(format string, args ...any) { fmt.Fprintf(q.out, format, args...) }

// heading is the line above the fields.
func (q *query) heading(name string) { q.printf("# %s: %s\n", name, diags.PortID(q.agent.Target)) }
