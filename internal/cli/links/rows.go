package links

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// row is a link, or a port that has none: then b is nil.
func (l *lister) row(link fabric.Link) []report.Cell {
	row := make([]report.Cell, numColumns)
	l.end(row, link.A, aName, aPort, aLID, aLabel, aGUID, aType, aPortGUID, aErrors)
	l.states(row, link)
	if link.B == nil {
		return row
	}
	l.end(row, link.B, bName, bPort, bLID, bLabel, bGUID, bType, bPortGUID, bErrors)
	rates(row, link)
	row[oneWay] = report.Flag(link.OneWay())
	if low, ok := l.places.lower(link); ok {
		row[tier] = report.Number(low)
	}
	return row
}

// end fills in the columns of one end.
func (l *lister) end(row []report.Cell, p *fabric.Port, name, port, lid, label, guid, typ, portGUID, errors int) {
	n := p.Node()
	row[name] = report.Text(l.names.Full(n)).As(l.names.Short(n))
	row[port] = report.Number(p.Num())
	row[lid] = report.LID(p.LID())
	row[label] = report.Text(labelOf(p))
	row[guid], row[portGUID] = report.GUID(n.GUID()), report.GUID(p.GUID())
	row[typ] = report.Text(n.Type().String())
	if sum, ok := l.errorsOf(p); ok {
		row[errors] = report.Number(sum)
		if sum > 0 {
			row[errors] = row[errors].Marked(report.Bad)
		}
	}
}

// labelOf is what stands beside a port on the front panel, where that is known and
// not the port number.
func labelOf(p *fabric.Port) string {
	n := p.Node()
	if num := p.ExternalNum(); num > 0 {
		return strconv.Itoa(num)
	}
	if n.Type() != ib.NodeSwitch {
		return ""
	}
	info := n.Info()
	const whole = 4 // lanes of a port that is not split
	label := model.PortLabel(info.VendorID, info.DeviceID, n.NumPorts(), p.Num(), p.Active().Width.Lanes() >= whole)
	if label == strconv.Itoa(p.Num()) {
		return ""
	}
	return label
}

func (l *lister) states(row []report.Cell, link fabric.Link) {
	if s := stateOf(link); s != ib.PortNoChange {
		row[state] = report.Text(s.String()).Marked(stateMark(s))
	}
	if s := physStateOf(link); s != ib.PhysNoChange {
		row[physState] = report.Text(s.String())
	}
}

func stateMark(s ib.PortState) report.Mark {
	switch s {
	case ib.PortActive:
		return report.Good
	case ib.PortDown:
		return report.Bad
	}
	return report.Warning
}

// rates fills in how the link runs, and how it could.
func rates(row []report.Cell, link fabric.Link) {
	active, most := link.A.Active(), link.Best()
	if active == (fabric.LinkRate{}) {
		active = link.B.Active() // A did not tell
	}
	if stateOf(link) == ib.PortDown {
		return
	}
	narrow, slow := shortfalls(link)
	if active.Width != 0 {
		row[width] = report.Text(active.Width.String()).Marked(warning(narrow))
	}
	if active.Speed != 0 {
		row[speed] = report.Text(active.Speed.String()).Marked(warning(slow))
	}
	if gbps := ib.RateGbps(active.Width, active.Speed); gbps > 0 {
		row[rate] = report.Decimal(gbps, 1)
	}
	if !narrow && !slow {
		return
	}
	row[best] = report.Text(most.Width.String() + " " + most.Speed.String())
	row[degraded] = report.Text(shortfallText(narrow, slow)).Marked(report.Warning)
	if gbps := ib.RateGbps(most.Width, most.Speed); gbps > 0 {
		row[bestRate] = report.Decimal(gbps, 1)
	}
}

func warning(yes bool) report.Mark {
	if yes {
		return report.Warning
	}
	return report.Plain
}

// shortfalls tells in what a link is less than both ends support.
func shortfalls(link fabric.Link) (narrow, slow bool) {
	if link.B == nil || !link.IsDegraded() {
		return false, false
	}
	active, most := link.A.Active(), link.Best()
	return most.Width.Lanes() > active.Width.Lanes(), most.Speed.Rank() > active.Speed.Rank()
}

func shortfallText(narrow, slow bool) string {
	var words []string
	if narrow {
		words = append(words, "width")
	}
	if slow {
		words = append(words, "speed")
	}
	return strings.Join(words, ", ")
}

// stateOf is the state of the end that is less far.
func stateOf(link fabric.Link) ib.PortState {
	a := link.A.State()
	if link.B == nil {
		return a
	}
	b := link.B.State()
	if a == ib.PortNoChange || b != ib.PortNoChange && b < a {
		return b
	}
	return a
}

// physStateOf is the physical state of the same end.
func physStateOf(link fabric.Link) ib.PhysState {
	if link.B != nil && stateOf(link) == link.B.State() && stateOf(link) != link.A.State() {
		return link.B.PhysState()
	}
	return link.A.PhysState()
}
