package ibqueryerrors

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// resets sets to 0 what -k and -K ask for, behind the reading.
type resets struct {
	*counters.Resets
	c   *collection
	ctx context.Context
}

func (s *session) newResets(ctx context.Context, c *collection) *resets {
	r := &resets{c: c, ctx: ctx}
	r.Resets = counters.NewResets(s.client, &counters.ResetOptions{
		Failed:       r.failed,
		ServiceLevel: func(lid ib.LID) uint8 { return s.levels[lid] },
	})
	return r
}

// clear resets counters of a port, or of all ports of a node. A node of which
// nothing could be read is not asked again.
func (r *resets) clear(report *report, num int) {
	errs, counts := r.c.asked["clear-errors"], r.c.asked["clear-counts"]
	if !errs && !counts {
		return
	}
	a := report.agent
	basic, extended := uint64(0), uint64(0)
	if errs {
		basic, extended = errorMasks(a)
	}
	if counts {
		more, moreExtended := dataMasks(a)
		basic, extended = basic|more, extended|moreExtended
	}
	r.set(report, num, pma.AttrPortCounters, basic)
	if errs && r.c.asked["details"] {
		r.set(report, num, pma.AttrPortXmitDiscardDetails, 0xf)
		r.set(report, num, pma.AttrPortRcvErrorDetails, 0x3f)
	}
	r.set(report, num, pma.AttrPortCountersExtended, extended)
}

// errorMasks select the error counters.
func errorMasks(a counters.Agent) (basic, extended uint64) {
	basic = 0xfff
	if a.Additional() {
		extended = 0xfff0000
	}
	if a.CapMask&pma.CapXmitWait != 0 {
		basic |= pma.SelectPortCountersXmitWait
		if a.Additional() {
			extended |= pma.SelectPortCountersExtendedXmitWait
		}
	}
	return basic, extended
}

// dataMasks select the data counters.
func dataMasks(a counters.Agent) (basic, extended uint64) {
	basic = 0xf000
	if a.Extended() {
		extended = 0xf
	}
	if a.CapMask&pma.CapExtendedWidth != 0 {
		extended |= 0xff
	}
	return basic, extended
}

func (r *resets) set(report *report, num int, attr mad.AttrID, mask uint64) {
	reset := counters.Reset{Node: report.node, Num: num, Attr: attr, Mask: mask}
	if report.silent && mask != 0 {
		r.failed(reset, &counters.Problem{Node: report.node, Port: num, Attr: attr, Err: counters.ErrSilent})
		return
	}
	var err error
	switch {
	case mask == 0:
		return
	case r.c.asked[diags.DryRunOption.Long]:
		err = r.c.plan(r.ctx, report, reset)
	default:
		err = r.Add(r.ctx, reset)
	}
	if err != nil {
		r.failed(reset, err)
	}
}

// failed tells of a reset that failed: in C's words, which has none for details,
// and why.
func (r *resets) failed(reset counters.Reset, err error) {
	name := r.c.byNode[reset.Node].name
	switch reset.Attr {
	case pma.AttrPortCounters:
		fmt.Fprintf(r.c.env.Stderr, "Failed to reset errors %s port %d\n", name, reset.Num)
	case pma.AttrPortCountersExtended:
		to := mad.ByLID(lidOf(reset))
		fmt.Fprintf(r.c.env.Stderr, "Failed to reset extended data counters %s, %v port %d\n", name, to, reset.Num)
	}
	err = fmt.Errorf("not reset: %w", err)
	r.c.Problem(err)
	r.c.env.Complain("%v", err)
}

// lidOf is where the agent is that was asked.
func lidOf(reset counters.Reset) ib.LID {
	if p := reset.Node.Port(reset.Num); p != nil {
		return p.LID()
	}
	if p := reset.Node.Port(1); p != nil {
		return p.LID()
	}
	return 0
}
