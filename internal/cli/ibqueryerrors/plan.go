package ibqueryerrors

import (
	"context"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// plan keeps a reset that is not sent, for --dry-run: what the counters are that
// it would set to 0.
func (c *collection) plan(ctx context.Context, r *report, reset counters.Reset) error {
	to := mad.ByLID(lidOf(reset))
	to.SL = c.levels[to.LID]
	port := uint8(reset.Num)
	v := emptyOf(reset.Attr)
	if err := pma.SelectPort(v, port); err != nil {
		return err
	}
	if err := madrpc.Get(ctx, c.client, to, 0, v); err != nil {
		return err
	}
	have, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := pma.Clear(v, reset.Mask); err != nil {
		return err
	}
	p, err := c.PlanFrom(mad.MethodSet, mad.ClassPerf, to, 0, have, v)
	if err != nil {
		return err
	}
	p.Port = &port
	r.plans = append(r.plans, p)
	return nil
}

// attribute is one with counters.
type attribute interface {
	madrpc.Attribute
	field.Value
}

func emptyOf(a mad.AttrID) attribute {
	switch a {
	case pma.AttrPortXmitDiscardDetails:
		return new(pma.PortXmitDiscardDetails)
	case pma.AttrPortRcvErrorDetails:
		return new(pma.PortRcvErrorDetails)
	case pma.AttrPortCountersExtended:
		return new(pma.PortCountersExtended)
	}
	return new(pma.PortCounters)
}
