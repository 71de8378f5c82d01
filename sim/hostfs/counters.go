package hostfs

import (
	"strconv"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/fuse"
)

// counterFile is a file in counters, and the field that it shows: of
// PortCountersExtended for hardware that has it, else of PortCounters.
type counterFile struct {
	name, field string
	onlyWide    bool // there is no such field in PortCounters
	wide        bool // PortCountersExtended is asked
}

// counterFiles are those of the kernel (drivers/infiniband/core/sysfs.c).
var counterFiles = []counterFile{
	{name: "symbol_error", field: "SymbolErrors"},
	{name: "link_error_recovery", field: "LinkErrorRecovery"},
	{name: "link_downed", field: "LinkDowned"},
	{name: "port_rcv_errors", field: "RcvErrors"},
	{name: "port_rcv_remote_physical_errors", field: "RcvRemotePhysErrors"},
	{name: "port_rcv_switch_relay_errors", field: "RcvSwitchRelayErrors"},
	{name: "port_xmit_discards", field: "XmitDiscards"},
	{name: "port_xmit_constraint_errors", field: "XmitConstraintErrors"},
	{name: "port_rcv_constraint_errors", field: "RcvConstraintErrors"},
	{name: "local_link_integrity_errors", field: "LocalLinkIntegrity"},
	{name: "excessive_buffer_overrun_errors", field: "ExcessiveBufferOverrun"},
	{name: "VL15_dropped", field: "VL15Dropped"},
	{name: "port_xmit_data", field: "XmitData", wide: true},
	{name: "port_rcv_data", field: "RcvData", wide: true},
	{name: "port_xmit_packets", field: "XmitPkts", wide: true},
	{name: "port_rcv_packets", field: "RcvPkts", wide: true},
	{name: "port_xmit_wait", field: "XmitWait"},
	{name: "unicast_rcv_packets", field: "UnicastRcvPkts", wide: true, onlyWide: true},
	{name: "unicast_xmit_packets", field: "UnicastXmitPkts", wide: true, onlyWide: true},
	{name: "multicast_rcv_packets", field: "MulticastRcvPkts", wide: true, onlyWide: true},
	{name: "multicast_xmit_packets", field: "MulticastXmitPkts", wide: true, onlyWide: true},
}

// counters is the directory counters of a port; none when the fabric has no
// performance management.
func (p *port) counters() []*fuse.Node {
	data, ok := p.perf(pma.AttrClassPortInfo)
	if !ok {
		return nil
	}
	var info pma.ClassPortInfo
	info.Decode((*[72]byte)(data[:]))
	isWide := info.CapMask&pma.CapExtendedWidth != 0
	var files []*fuse.Node
	for _, c := range counterFiles {
		if c.onlyWide && !isWide {
			continue
		}
		attr, table := pma.AttrPortCounters, (*pma.PortCounters)(nil).Fields()
		if c.wide && isWide {
			attr, table = pma.AttrPortCountersExtended, (*pma.PortCountersExtended)(nil).Fields()
		}
		f := fieldNamed(table, c.field)
		files = append(files, computed(c.name, func() (string, bool) {
			data, ok := p.perf(attr)
			return strconv.FormatUint(f.Uint(data[:]), 10), ok
		}))
	}
	return []*fuse.Node{fuse.Dir("counters", files...)}
}

// fieldNamed finds a field by its name in the struct.
func fieldNamed(t field.Table, name string) field.Field {
	for _, f := range t {
		if f.Go == name {
			return f
		}
	}
	return field.Field{}
}

// perf asks the port's own agent of performance management, as a driver does:
// not over the fabric.
func (p *port) perf(attr mad.AttrID) (data [192]byte, ok bool) {
	s := p.at.Fabric()
	agent := s.Agent(mad.ClassPerf)
	if agent == nil {
		return data, false
	}
	var m mad.Packet
	m.Init(mad.ClassPerf, mad.MethodGet, attr, 0)
	m.Data()[1] = byte(p.num)
	at := sim.Place{Node: p.at.Node(), Port: p.num}
	ok = agent.Answer(sim.Request{Fabric: s, At: at, Sender: p.at}, &m) == sim.Answered && m.Status() == mad.StatusOK
	return [192]byte(m.Data()), ok
}
