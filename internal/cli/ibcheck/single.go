package ibcheck

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// toolOf is for the tables.
type toolOf = diags.Tool

// document is what is found out.
type document struct {
	Nodes      *int       `json:"nodes,omitempty"` // these are of a fabric
	BadNodes   *int       `json:"nodes_bad,omitempty"`
	Ports      *int       `json:"ports,omitempty"`
	BadPorts   *int       `json:"ports_bad,omitempty"`
	ErrorPorts *int       `json:"ports_with_errors,omitempty"`
	Checks     []*outcome `json:"checks"`
}

// run runs the tool and gives its exit code.
func (p *program) run(ctx context.Context, e *env.Env) int {
	a, err := p.parse(e)
	if a != nil && a.env != nil {
		e = a.env
	}
	if err == nil {
		if p.walk != nil {
			err = p.runWalk(ctx, a)
		} else {
			err = p.runOne(ctx, a)
		}
	}
	return diags.Code(e, err)
}

// runOne checks one node or port.
func (p *program) runOne(ctx context.Context, a *arguments) error {
	if !a.flags['S'] {
		instead := ""
		if p.instead != "" {
			instead = fmt.Sprintf("; Please use %q", p.instead)
		}
		fmt.Fprintf(a.env.Stderr, "*** WARNING ***: this command is deprecated%s\n\n\n", instead)
	}
	client, err := a.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	k := &checker{client: client, limits: a.limits}
	num := allPorts
	if len(a.operands) > 1 && p.port != noPort {
		n, _ := strconv.ParseUint(a.operands[1], 0, 8) // as checkOperands has seen
		num = int(n)
	}
	at, o := k.locate(ctx, a)
	if o == nil {
		o = p.check(k, ctx, at, num)
	}
	if o.err != nil {
		a.Failed(o.err)
	}
	if a.JSON {
		err = a.PrintDocument(document{Checks: []*outcome{o}})
	} else {
		a.style().print(a.env.Stdout, o)
	}
	if err == nil && !o.Passed {
		return &diags.Exit{Code: diags.ExitFatal}
	}
	return err
}

// style has colours where a person looks: the scripts have them also in files.
func (a *arguments) style() style {
	return style{mono: a.flags['N'] || !a.env.Colour(a.env.Stdout), verbose: a.flags['v'], brief: a.flags['b']}
}

// locate finds the node that the operand names, or gives the outcome that says that
// it is not there. A node has to answer to be there.
func (k *checker) locate(ctx context.Context, a *arguments) (place, *outcome) {
	operand, kind := a.operands[0], "lid"
	if a.flags['G'] {
		a.Address, kind = diags.ByGUID, "guid"
	}
	to, err := a.Resolve(ctx, k.client, operand)
	at := place{to: to, lid: operand}
	if err == nil && kind == "guid" {
		at.lid = fmt.Sprint(uint16(to.LID))
		at.to = mad.ByLID(to.LID)
	}
	if err == nil {
		_, err = madrpc.GetSMP[smp.NodeInfo](ctx, k.client, at.to, 0)
	}
	if err != nil {
		return at, &outcome{Check: "address", LID: operand, err: err, head: fmt.Sprintf("%s %s address resolution", kind, operand)}
	}
	return at, nil
}
