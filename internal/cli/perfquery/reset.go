package perfquery

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// set resets the counters of a port that mask selects, or with --dry-run shows
// what they are.
func (q *query) set(ctx context.Context, empty func() counters, port uint8, mask uint64, failed string) error {
	v := empty()
	if err := pma.SelectCounters(v, port, mask); err != nil {
		return err
	}
	if q.asked[diags.DryRunOption.Long] {
		return q.plan(ctx, empty, port, mask, failed)
	}
	if err := madrpc.Set(ctx, q.client, q.to, 0, v); err != nil {
		return q.fail(failed, err)
	}
	q.noteReset(v, port, mask)
	return nil
}

// plan shows a reset that is not sent.
func (q *query) plan(ctx context.Context, empty func() counters, port uint8, mask uint64, failed string) error {
	v := empty()
	if err := q.getSpecial(ctx, v, port, failed); err != nil {
		return err
	}
	have, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := pma.Clear(v, mask); err != nil {
		return err
	}
	p, err := q.PlanFrom(mad.MethodSet, mad.ClassPerf, q.to, 0, have, v)
	if err != nil {
		return err
	}
	p.Port = &port
	q.planned = append(q.planned, p)
	if q.JSON {
		return nil
	}
	return p.Write(q.env.Stdout)
}
