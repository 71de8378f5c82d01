package devices

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
)

// row is a line of the table: a port, or a device without ports (port is nil).
type row struct {
	device *rdma.Device
	port   *rdma.Port
}

// column is one of the table. The text is what stands in it, "" for nothing;
// colour is an ANSI attribute or "".
type column struct {
	title  string
	text   func(r row) string
	colour func(r row) string
}

// ofPort makes a function of a row from one of a port.
func ofPort(text func(p *rdma.Port) string) func(row) string {
	return func(r row) string {
		if r.port == nil {
			return ""
		}
		return text(r.port)
	}
}

func ofDevice(text func(d *rdma.Device) string) func(row) string {
	return func(r row) string { return text(r.device) }
}

// columns are all columns, the most important first.
var columns = []column{
	{title: "DEVICE", text: ofDevice(func(d *rdma.Device) string { return d.Name })},
	{title: "PORT", text: ofPort(func(p *rdma.Port) string { return strconv.Itoa(p.Num) })},
	{title: "LINK", text: ofPort(func(p *rdma.Port) string { return string(p.LinkLayer) })},
	{title: "STATE", text: ofPort(stateText), colour: stateColour},
	{title: "RATE", text: ofPort(rateText), colour: rateColour},
	{title: "LID", text: ofPort(lidText)},
	{title: "GUID OR GID", text: ofPort(addressText)},
	{title: "NETDEV", text: netDevText},
	{title: "NUMA", text: ofDevice(numaText)},
	{title: "FIRMWARE", text: ofDevice(func(d *rdma.Device) string { return d.Firmware })},
	{title: "BOARD", text: ofDevice(func(d *rdma.Device) string { return d.BoardID })},
	{title: "TYPE", text: ofDevice(typeText)},
}

// stateText is "Active", or with the physical state "Down (Polling)".
func stateText(p *rdma.Port) string {
	text := "unknown"
	if p.State != 0 {
		text = p.State.String()
	}
	if p.PhysState != ib.PhysLinkUp && p.PhysState != 0 {
		text += " (" + p.PhysState.String() + ")"
	}
	return text
}

// rateText is "4x EDR 100 Gb/s", or what the kernel says where that cannot be
// taken apart. A port that is down has no rate: the kernel tells a made up one.
func rateText(p *rdma.Port) string {
	switch {
	case p.State == ib.PortDown:
		return ""
	case p.Width == 0 || p.Speed == 0:
		return p.Rate.Text
	}
	return p.Width.String() + " " + p.Speed.String() + " " + strconv.FormatFloat(p.Rate.Gbps, 'f', -1, 64) + " Gb/s"
}

// lidText is the LID; 0 and the permissive one stand for none, as do those of
// ports that are on no fabric.
func lidText(p *rdma.Port) string {
	if p.LID == 0 || p.LID == 0xffff {
		return ""
	}
	return strconv.FormatUint(uint64(p.LID), 10)
}

func addressText(p *rdma.Port) string {
	switch {
	case p.DefaultGID.IsZero():
		return ""
	case p.LinkLayer.IsInfiniBand():
		return p.GUID().String()
	}
	return p.DefaultGID.String()
}

// netDevText is the network device of the port, or those of the device.
func netDevText(r row) string {
	if r.port != nil && r.port.NetDev != "" {
		return r.port.NetDev
	}
	if len(r.device.Ports) <= 1 {
		return strings.Join(r.device.NetDevs, ",")
	}
	return ""
}

func numaText(d *rdma.Device) string {
	if d.NUMANode < 0 {
		return ""
	}
	return strconv.Itoa(d.NUMANode)
}

// typeText is the type of the adapter, or else the driver or kind of the device.
func typeText(d *rdma.Device) string {
	switch {
	case d.HCAType != "":
		return d.HCAType
	case d.RDMADriver != "":
		return d.RDMADriver
	case d.NodeType == rdma.NodeUnknown:
		return ""
	}
	return d.NodeType.String()
}

// ANSI attributes.
const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func stateColour(r row) string {
	switch {
	case r.port == nil || r.port.State == 0:
		return ""
	case r.port.State == ib.PortActive:
		return green
	case r.port.State == ib.PortInitialize || r.port.State == ib.PortArmed:
		return yellow
	}
	return red
}

// rateColour marks an InfiniBand link of one lane: adapters have more, so it has
// lost some.
func rateColour(r row) string {
	if r.port != nil && r.port.LinkLayer.IsInfiniBand() && r.port.State == ib.PortActive && r.port.Width.Lanes() == 1 {
		return yellow
	}
	return ""
}

// cell is the text of a column, safe to print; "-" stands for nothing.
func (c *column) cell(r row) string {
	if text := c.text(r); text != "" {
		return escape.Text(text)
	}
	return "-"
}
