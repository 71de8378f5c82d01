package sm

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// defaultPrefix is the subnet prefix where ports have none.
const defaultPrefix = 0xfe80000000000000

// Values that a manager chooses: timeouts as powers of two of 4.096 µs.
const (
	subnetTimeout = 18
	lifeTime      = 18
)

// sweep looks at all subnets and configures what is new in them. It lists what
// has come and gone since the last time. The caller holds m.mu.
func (m *Manager) sweep() (events []event) {
	before := m.Subnets()
	st := &state{of: make([]int32, m.sim.Model().NumNodes())}
	for i := range st.of {
		st.of[i] = -1
	}
	for i, port := range m.ports {
		at := sim.Place{Node: port.Node(), Port: port.Num()}
		is := m.explore(at, map[sim.Place]bool{})
		s := m.configure(at, is)
		for _, sw := range is.switches {
			st.of[sw.Index()] = int32(i)
		}
		st.subnets = append(st.subnets, s)
	}
	m.state.Store(st)
	m.groups.reset()
	m.restoreAliases()
	for i, s := range st.subnets {
		m.forward(s)
		if i < len(before) {
			events = append(events, compare(before[i], s)...)
		}
	}
	return events
}

// configure gives an island its LIDs and brings its links up.
func (m *Manager) configure(at sim.Place, is island) *Subnet {
	s := &Subnet{SM: at, Switches: is.switches, manager: m}
	infos := m.assign(is.ends)
	own := infos[at]
	s.SMLID, s.Prefix = own.LID, own.GIDPrefix
	if s.Prefix == 0 {
		s.Prefix = defaultPrefix
	}
	top := ib.LID(0)
	for _, end := range is.ends {
		v := infos[end]
		want := *v
		want.SMLID, want.SMSL, want.GIDPrefix = s.SMLID, 0, s.Prefix
		if want.SubnetTimeout == 0 {
			want.SubnetTimeout = subnetTimeout
		}
		if old, ok := m.portInfo(end, end.Port); ok && (old.LID != want.LID || old.SMLID != want.SMLID ||
			old.GIDPrefix != want.GIDPrefix || old.SubnetTimeout != want.SubnetTimeout) {
			m.setPortInfo(end, end.Port, want, ib.PortNoChange)
		}
		m.partition(end)
		s.Ports = append(s.Ports, EndPort{Place: end, GUID: m.portGUID(end), LID: v.LID, LMC: v.LMC})
		top = max(top, v.LID+1<<v.LMC-1)
	}
	sort.SliceStable(s.Ports, func(i, j int) bool {
		a, b := s.Ports[i], s.Ports[j]
		return cmp.Compare(a.LID, b.LID) < 0
	})
	s.index(m)
	m.configureSwitches(is, top)
	m.raise(is)
	return s
}

// assign reads the PortInfo of all ports with LIDs, and gives LIDs to those that
// have none or one that another port has already. The lowest that are free come
// first.
func (m *Manager) assign(ends []sim.Place) map[sim.Place]*smp.PortInfo {
	infos := make(map[sim.Place]*smp.PortInfo, len(ends))
	taken := make([]bool, int(ib.MaxUnicastLID)+2)
	var without []*smp.PortInfo
	first := map[plane]*smp.PortInfo{}
	var others []sim.Place
	for _, end := range ends {
		v, _ := m.portInfo(end, end.Port)
		infos[end] = &v
		if key, ok := planeOf(end); ok {
			if first[key] != nil {
				others = append(others, end)
				continue
			}
			first[key] = &v
		}
		if v.LID.IsUnicast() && take(taken, int(v.LID), 1<<v.LMC) {
			continue
		}
		v.LID, v.LMC = 0, 0
		without = append(without, &v)
	}
	next := 1
	for _, v := range without {
		for next <= int(ib.MaxUnicastLID) && taken[next] {
			next++
		}
		if next <= int(ib.MaxUnicastLID) { // beyond, a port stays without
			v.LID = ib.LID(next)
			taken[next] = true
		}
	}
	for _, end := range others {
		key, _ := planeOf(end)
		infos[end].LID, infos[end].LMC = first[key].LID, first[key].LMC
	}
	return infos
}

// plane is a port GUID of an adapter whose ports are in several planes and have
// it in common: they are one port with one LID.
type plane struct {
	node *fabric.Node
	guid ib.GUID
}

// planeOf is the port GUID of an adapter with more than one port.
func planeOf(at sim.Place) (plane, bool) {
	if isSwitch(at.Node) || at.Node.NumPorts() < 2 || at.Node.Port(at.Port) == nil {
		return plane{}, false
	}
	guid := at.Node.Port(at.Port).GUID()
	return plane{at.Node, guid}, guid != 0
}

// take marks count LIDs; false, and none, if one is taken.
func take(taken []bool, first, count int) bool {
	if first+count > len(taken) || slices.Contains(taken[first:first+count], true) {
		return false
	}
	for i := range count {
		taken[first+i] = true
	}
	return true
}

// portGUID is the GUID of a port with a LID.
func (m *Manager) portGUID(at sim.Place) ib.GUID {
	var data [mad.DataSize]byte
	if m.sim.Direct(at, mad.MethodGet, smp.AttrGUIDInfo, 0, &data) == mad.StatusOK {
		if g := ib.GUID(binary.BigEndian.Uint64(data[:])); g != 0 {
			return g
		}
	}
	var info smp.NodeInfo
	if m.sim.Direct(at, mad.MethodGet, smp.AttrNodeInfo, 0, &data) != mad.StatusOK {
		return 0
	}
	info.Decode(&data)
	return info.PortGUID
}

// configureSwitches makes the tables reach up to the highest LID.
func (m *Manager) configureSwitches(is island, top ib.LID) {
	for _, sw := range is.switches {
		var data [mad.DataSize]byte
		at := sim.Place{Node: sw}
		if m.sim.Direct(at, mad.MethodGet, smp.AttrSwitchInfo, 0, &data) != mad.StatusOK {
			continue
		}
		var v smp.SwitchInfo
		v.Decode(&data)
		if int(v.LinearFDBTop) >= int(top) && !v.PortStateChange {
			continue
		}
		v.LinearFDBTop = max(v.LinearFDBTop, min(uint16(top), v.LinearFDBCap-1))
		if v.LifeTime == 0 {
			v.LifeTime = lifeTime
		}
		v.Encode(&data) // PortStateChange 1 clears it
		_ = m.sim.Direct(at, mad.MethodSet, smp.AttrSwitchInfo, 0, &data)
	}
}

// raise brings the links that are trained to Active. All ports are Armed before
// the first of them is Active, so no packet meets a port in between.
func (m *Manager) raise(is island) {
	var links []sim.Place
	for _, end := range is.ends {
		first, last := end.Port, end.Port
		if isSwitch(end.Node) {
			first, last = 1, end.Node.NumPorts()
		}
		for num := first; num <= last; num++ {
			if at := (sim.Place{Node: end.Node, Port: num}); m.arm(at) {
				links = append(links, at)
			}
		}
	}
	for _, at := range links {
		if v, ok := m.portInfo(at, at.Port); ok && v.State == ib.PortArmed {
			m.setPortInfo(at, at.Port, v, ib.PortActive)
		}
	}
}

// arm brings a port from Initialize to Armed, with what both ends of its link
// can do. It reports false for ports that do not want it.
func (m *Manager) arm(at sim.Place) bool {
	v, ok := m.portInfo(at, at.Port)
	if !ok || v.State != ib.PortInitialize && v.State != ib.PortArmed {
		return false
	}
	peer, ok := m.sim.Peer(at)
	if !ok {
		return false
	}
	far, ok := m.portInfo(peer, peer.Port)
	if ok && v.State == ib.PortInitialize {
		v.NeighborMTU = min(v.MTUCap, far.MTUCap)
		v.OperationalVLs = min(v.VLCap, far.VLCap)
		m.setPortInfo(at, at.Port, v, ib.PortArmed)
	}
	return ok
}
