package ibqueryerrors

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// plan shows a reset that is not sent: what the counters are that it would set to 0.
func (r *report) plan(v counters, port uint8, mask uint64) error {
	if err := pma.SelectPort(v, port); err != nil {
		return err
	}
	if err := madrpc.Get(r.ctx, r.client, r.to, 0, v); err != nil {
		r.env.Complain("%v", err)
		return err
	}
	have, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := pma.Clear(v, mask); err != nil {
		return err
	}
	p, err := r.PlanFrom(mad.MethodSet, mad.ClassPerf, r.to, 0, have, v)
	if err != nil {
		return err
	}
	p.Port = &port
	return p.Write(&r.out)
}
