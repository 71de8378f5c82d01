package errors

import (
	"github.com/ibscope/ibscope/counters/change"
	"github.com/ibscope/ibscope/counters/explain"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/report"
)

func (f *finder) row(g *finding) []report.Cell {
	row := make([]report.Cell, numColumns)
	row[severity] = report.Text(g.Severity.String()).Marked(markOf(g.Severity))
	row[counter], row[field], row[unit] = report.Text(g.counter.String()), report.Text(g.counter.Field()), report.Text(g.Unit)
	row[value] = report.Number(g.value())
	if g.isSaturated() {
		row[value] = row[value].As("≥" + row[value].String()).Marked(report.Warning)
	}
	row[saturated] = report.Flag(g.isSaturated())
	if n, ok := f.limits.Of(g.counter); ok {
		row[limit] = report.Number(n)
	}
	row[read] = report.Time(g.sample.After)
	if g.change != nil {
		changeCells(row, g.change)
	}
	n := g.sample.Node
	row[name], row[port] = f.name(n), report.Number(g.sample.Num)
	row[guid], row[typ] = report.GUID(n.GUID()), report.Text(n.Type().String())
	if p := g.sample.Port(); p != nil {
		row[lid], row[portGUID] = report.LID(p.LID()), report.GUID(p.GUID())
		f.peer(row, p.Remote())
	}
	return row
}

func (f *finder) name(n *fabric.Node) report.Cell {
	return report.Text(f.names.Full(n)).As(f.names.Short(n))
}

func (f *finder) peer(row []report.Cell, p *fabric.Port) {
	if p == nil {
		return
	}
	n := p.Node()
	row[peerName], row[peerPort] = f.name(n), report.Number(p.Num())
	row[peerLID], row[peerGUID], row[peerType] = report.LID(p.LID()), report.GUID(n.GUID()), report.Text(n.Type().String())
}

// changeCells tell how fast a counter counts, or why that is not known.
func changeCells(row []report.Cell, c *change.Change) {
	row[rateStatus] = report.Text(string(c.Status))
	row[interval] = report.Decimal(c.Time.Seconds(), 3)
	if c.Status == change.Known || c.Status == change.Saturated {
		row[delta] = report.Number(c.N)
	}
	perSecond, ok := c.PerSecond()
	if !ok {
		row[rate] = report.Cell{}.As(string(c.Status))
		return
	}
	row[rate] = report.Decimal(perSecond, decimals(perSecond))
	if perSecond > 0 {
		row[rate] = row[rate].Marked(report.Bad)
	}
}

// decimals is how many say something about a rate.
func decimals(perSecond float64) int {
	switch {
	case perSecond >= 100:
		return 0
	case perSecond >= 1:
		return 1
	}
	return 4
}

func markOf(s explain.Severity) report.Mark {
	switch s {
	case explain.Fault:
		return report.Bad
	case explain.Loss:
		return report.Warning
	}
	return report.Plain
}
