package ibqueryerrors

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// report is what was found at one node.
type report struct {
	node   *fabric.Node
	name   string
	agent  counters.Agent
	sums   *counters.Sample   // beyond their thresholds
	clean  bool               // they are not, and the ports were not read
	ports  []*counters.Sample // to be shown
	plans  []*diags.Plan      // resets that are not sent
	count  int                // ports that were asked for
	done   bool
	silent bool // no counter of it was read

	onlyData bool // --counters: ports are no bad ones
}

// collection turns samples, which come in no order, into reports in the order of
// the nodes.
type collection struct {
	*session
	reports []*report
	byNode  map[*fabric.Node]*report
	shown   int // reports that have been
	resets  *resets
	err     error // of writing
}

// collect reads the counters of the nodes, and shows what is to be shown. The
// error is that of the output.
func (s *session) collect(ctx context.Context, f *fabric.Fabric, nodes []*fabric.Node) error {
	c := &collection{session: s, byNode: make(map[*fabric.Node]*report, len(nodes))}
	for _, n := range nodes {
		r := &report{node: n, name: format.NameOf(s.names, n), silent: true, onlyData: s.asked["counters"]}
		c.reports = append(c.reports, r)
		c.byNode[n] = r
	}
	c.resets = s.newResets(ctx, c)
	defer c.resets.Close()
	pass, err := counters.Collect(ctx, s.client, f, c.options(nodes))
	if waitErr := c.resets.Wait(ctx); err == nil {
		err = waitErr
	}
	switch {
	case err != nil && sweep.IsInterrupted(err):
		s.interrupted = true
		fallthrough
	case err != nil:
		s.Problem(err)
		s.env.Complain("%v", err)
	}
	c.tellUnread(pass.Problems)
	return c.err
}

func (c *collection) options(nodes []*fabric.Node) *counters.Options {
	o := &counters.Options{
		Want: c.wanted(), Nodes: nodes, Each: c.take, Done: c.finish,
		ServiceLevel: func(lid ib.LID) uint8 { return c.levels[lid] },
	}
	if !c.asked["counters"] {
		o.Sum = c.takeSums
	}
	if c.asked["details"] {
		o.Also = c.detailsOf
	}
	return o
}

// takeSums shows sums that are beyond their thresholds; then ports are read too.
func (c *collection) takeSums(s *counters.Sample) bool {
	r := c.byNode[s.Node]
	r.agent, r.silent = s.Agent, false
	if c.beyond(s) == 0 {
		r.clean = true
		return false
	}
	r.sums = s.Clone()
	return true
}

// take keeps the sample of a port if it is to be shown, and has its counters
// reset.
func (c *collection) take(s *counters.Sample) {
	if errors.Is(s.Err, counters.ErrNotAsked) {
		return
	}
	r := c.byNode[s.Node]
	r.agent = s.Agent
	r.count++
	if s.Has != 0 {
		r.silent = false
	}
	if c.asked["counters"] && s.Has&counters.Traffic != 0 || !c.asked["counters"] && c.beyond(s) != 0 {
		r.ports = append(r.ports, s.Clone())
	}
	if !s.Agent.AllPortSelect() {
		c.resets.clear(r, s.Num)
	}
}

// detailsOf are the attributes that divide counters beyond their thresholds by
// cause.
func (c *collection) detailsOf(s *counters.Sample) []mad.AttrID {
	var list []mad.AttrID
	beyond := c.beyond(s)
	if beyond.Has(counters.RcvErrors) {
		list = append(list, pma.AttrPortRcvErrorDetails)
	}
	if beyond.Has(counters.XmitDiscards) {
		list = append(list, pma.AttrPortXmitDiscardDetails)
	}
	return list
}

// finish is told of a node that is done, and shows all whose turn it is.
func (c *collection) finish(n *fabric.Node) {
	r := c.byNode[n]
	r.done = true
	if r.agent.AllPortSelect() {
		c.resets.clear(r, int(pma.AllPorts))
	}
	slices.SortFunc(r.ports, func(a, b *counters.Sample) int { return cmp.Compare(a.Num, b.Num) })
	slices.SortStableFunc(r.plans, func(a, b *diags.Plan) int { return cmp.Compare(*a.Port, *b.Port) })
	for ; c.shown < len(c.reports) && c.reports[c.shown].done; c.shown++ {
		c.show(c.reports[c.shown])
		c.reports[c.shown] = nil // as many as there are need not be kept
	}
}

// show counts a node, and prints it or keeps it for the document.
func (c *collection) show(r *report) {
	c.sum.count(r)
	if c.JSON {
		c.note(r)
		return
	}
	_, err := c.env.Stdout.Write(c.text(r))
	for i := 0; i < len(r.plans) && err == nil; i++ {
		err = r.plans[i].Write(c.env.Stdout)
	}
	if c.err == nil {
		c.err = err
	}
}
