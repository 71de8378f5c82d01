package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/service/history"
)

// opened is a history, and a fabric in it as it was at the end of the time that is asked
// for.
type opened struct {
	db     *history.DB
	fabric *fabric.Fabric
	name   string
	book   *names.Book
}

// open opens the history. Errors are *env.ExitError.
func (s *settings) open(ctx context.Context, e *env.Env) (*opened, error) {
	nameMap, err := names.Load(e, s.nameMap)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	db, err := s.from.Open(ctx)
	if err != nil {
		return nil, err
	}
	f, snap, err := db.FabricAt(ctx, s.from.Fabric, s.span.To)
	if err != nil {
		db.Close()
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	}
	return &opened{db: db, fabric: f, name: snap.Fabric, book: names.In(f, nameMap)}, nil
}

// port prints the rates of a port.
func (s *settings) port(ctx context.Context, e *env.Env, node, port string) error {
	if err := s.check(ctx, e, portColumns); err != nil {
		return err
	}
	num, err := strconv.ParseUint(port, 10, 8)
	if err != nil {
		return env.Exitf(env.Usage, "port %q: expected a number from 0 to 255", port)
	}
	o, err := s.open(ctx, e)
	if err != nil {
		return err
	}
	defer o.db.Close()
	guid, n, err := past.FindNode(o.fabric, o.book, node)
	if err != nil {
		return err
	}
	points, err := o.db.Series(ctx, o.name, guid, int(num), s.span.From, s.span.To)
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	label := guid.String()
	if n != nil {
		label = o.book.Short(n)
	}
	r := &report.Report{
		Name: "history.port", Title: fmt.Sprintf("%s port %d", label, num), Source: o.db.Status().Path,
		Table:   report.Table{Name: "rates", Columns: portColumns},
		Counts:  []report.Count{{Name: "intervals", N: len(points)}},
		Summary: fmt.Sprintf("%s port %d (%s): %s", label, num, guid, several(len(points), "interval")),
	}
	for i := range points {
		r.Table.Rows = append(r.Table.Rows, pointRow(&points[i]))
	}
	return s.print.Print(e, r)
}

func pointRow(p *history.Point) []report.Cell {
	row := make([]report.Cell, numPort)
	row[portFrom], row[portTo] = second(p.From), second(p.To)
	row[portXmit], row[portXmitMax], row[portXmitMin] = rate(p.XmitBytes.Mean), rate(p.XmitBytes.Max), rate(p.XmitBytes.Min)
	row[portRcv], row[portRcvMax], row[portRcvMin] = rate(p.RcvBytes.Mean), rate(p.RcvBytes.Max), rate(p.RcvBytes.Min)
	row[portXmitPackets], row[portRcvPackets] = rate(p.XmitPackets.Mean), rate(p.RcvPackets.Mean)
	row[portCongestion], row[portCongestionMax] = share(p.Congestion.Mean), share(p.Congestion.Max)
	row[portErrors] = errorsCell(p.Errors)
	row[portKnown] = report.Decimal(p.Known.Seconds(), 0)
	return row
}

// rate is so much a second; what is not known is nothing.
func rate(v float64) report.Cell {
	if v < 0 {
		return report.Cell{}
	}
	return report.Decimal(v, 3).As(strings.TrimSpace(scaled(v)))
}

func share(v float64) report.Cell {
	if v < 0 {
		return report.Cell{}
	}
	return report.Decimal(v, 3)
}

func errorsCell(v float64) report.Cell {
	switch {
	case v < 0:
		return report.Cell{}
	case v > 0:
		return report.Decimal(v, 0).Marked(report.Warning)
	}
	return report.Decimal(v, 0)
}

// node prints the ports of a node, and its events.
func (s *settings) node(ctx context.Context, e *env.Env, node string) error {
	if err := s.check(ctx, e, nodeColumns); err != nil {
		return err
	}
	o, err := s.open(ctx, e)
	if err != nil {
		return err
	}
	defer o.db.Close()
	guid, n, err := past.FindNode(o.fabric, o.book, node)
	if err != nil {
		return err
	}
	r := &report.Report{
		Name: "history.node", Title: guid.String(), Source: o.db.Status().Path,
		Table: report.Table{Name: "ports", Columns: nodeColumns},
	}
	if n != nil {
		r.Title = o.book.Short(n)
		for p := range n.Ports() {
			points, err := o.db.Series(ctx, o.name, guid, p.Num(), s.span.From, s.span.To)
			if err != nil {
				return &env.ExitError{Code: env.Failed, Err: err}
			}
			r.Table.Rows = append(r.Table.Rows, o.nodeRow(p, points))
		}
	}
	events, err := o.db.Events(ctx, &history.Filter{Fabric: o.name, GUID: guid, Since: s.span.From, Until: s.span.To, Newest: true})
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	list := report.Table{Name: "events", Title: "Events", Columns: eventColumns}
	for i := range events {
		v := &events[i]
		list.Rows = append(list.Rows, []report.Cell{report.Text(v.String()), report.Time(v.Time), report.Text(string(v.Severity)), report.Text(string(v.Kind)), report.Number(v.ID)})
	}
	if len(list.Rows) > 0 {
		r.Details = []report.Table{list}
	}
	r.Counts = []report.Count{{Name: "ports", N: len(r.Table.Rows)}, {Name: "events", N: len(events)}}
	r.Summary = fmt.Sprintf("%s (%s): %s, %s", r.Title, guid, several(len(r.Table.Rows), "port"), several(len(events), "event"))
	return s.print.Print(e, r)
}

// nodeRow puts the rates of a port together.
func (o *opened) nodeRow(p *fabric.Port, points []history.Point) []report.Cell {
	row := make([]report.Cell, numNode)
	row[nodePort] = report.Number(p.Num())
	if peer := p.Remote(); peer != nil {
		row[nodePeer], row[nodePeerPort], row[nodePeerGUID] = report.Text(o.book.Short(peer.Node())), report.Number(peer.Num()), report.GUID(peer.Node().GUID())
	}
	if info, ok := p.Info(); ok {
		row[nodeState] = report.Text(info.State.String())
	}
	var known time.Duration
	xmit, rcv := mean{most: -1}, mean{most: -1}
	congestion, errors := -1.0, -1.0
	for i := range points {
		v := &points[i]
		known += v.Known
		xmit.add(v.XmitBytes, v.Known)
		rcv.add(v.RcvBytes, v.Known)
		congestion = max(congestion, v.Congestion.Max)
		if v.Errors >= 0 {
			errors = max(errors, 0) + v.Errors
		}
	}
	row[nodeXmit], row[nodeXmitMax] = rate(xmit.value()), rate(xmit.most)
	row[nodeRcv], row[nodeRcvMax] = rate(rcv.value()), rate(rcv.most)
	row[nodeCongestionMax], row[nodeErrors] = share(congestion), errorsCell(errors)
	if known > 0 {
		row[nodeKnown] = report.Decimal(known.Seconds(), 0)
	}
	return row
}

// mean is the mean and the most of several intervals.
type mean struct {
	sum, seconds, most float64
}

func (m *mean) add(r history.Range, d time.Duration) {
	if r.IsKnown() {
		m.sum += r.Mean * d.Seconds()
		m.seconds += d.Seconds()
		m.most = max(m.most, r.Max)
	}
}

func (m *mean) value() float64 {
	if m.seconds == 0 {
		return -1
	}
	return m.sum / m.seconds
}
