package nodes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	models "github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// lister makes the rows of a fabric.
type lister struct {
	*settings
	names    *names.Book
	topology *topology.Topology
}

// wants reports whether a node fits all filters.
func (l *lister) wants(n *fabric.Node) bool {
	fits := func(list []string, word string) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(w, word) })
	}
	return fits(l.types, n.Type().String()) && fits(l.roles, string(l.topology.Place(n).Role)) && l.nodes.Has(n, l.names.All(n))
}

func (l *lister) row(n *fabric.Node) []report.Cell {
	row := make([]report.Cell, numColumns)
	info, place := n.Info(), l.topology.Place(n)
	row[name] = report.Text(l.names.Full(n)).As(l.names.Short(n))
	row[typ] = report.Text(n.Type().String())
	row[role] = report.Text(string(place.Role))
	row[lid] = report.LID(lidOf(n))
	row[portsActive], row[ports] = portCells(n)
	row[model] = report.Text(models.Name(info.VendorID, info.DeviceID))
	row[guid], row[systemImage] = report.GUID(n.GUID()), report.GUID(info.SystemImageGUID)
	if place.Tier > 0 {
		row[tier] = report.Number(place.Tier)
	}
	row[vendorID] = report.Text(fmt.Sprintf("0x%06x", info.VendorID))
	row[deviceID] = report.Text(fmt.Sprintf("0x%04x", info.DeviceID))
	row[revision] = report.Text(fmt.Sprintf("0x%x", info.Revision))
	row[description] = report.Text(n.Description())
	if place.Host > 0 {
		h := &l.topology.Hosts[place.Host-1]
		row[host], row[hostNumber] = report.Text(h.Name), report.Number(h.Number)
	}
	if c := n.Chassis(); c != nil {
		row[chassis], row[slot] = report.Number(c.Number), report.Text(n.Slot().String())
	}
	if f, ok := n.Firmware(); ok && l.settings.firmware {
		row[firmware], row[psid] = report.Text(f.Version), report.Text(f.PSID)
	}
	return row
}

// portCells are how many ports are active, and how many there are, port 0 of a
// switch not counted.
func portCells(n *fabric.Node) (active, all report.Cell) {
	count := 0
	for p := range n.Ports() {
		if p.Num() > 0 && p.State() == ib.PortActive {
			count++
		}
	}
	active = report.Number(count)
	if count == 0 {
		active = active.Marked(report.Warning)
	}
	return active, report.Number(n.NumPorts())
}

// lidOf is the LID of a node's first port that has one.
func lidOf(n *fabric.Node) ib.LID {
	for p := range n.Ports() {
		if l := p.LID(); l != 0 {
			return l
		}
	}
	return 0
}
