package anonymize

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Places in attributes of what is replaced, in bytes. Everything else stays as it
// is, reserved bits included.
const (
	nodeSystemGUID = 4
	nodeGUID       = 12
	nodePortGUID   = 20
	nodeDevice     = 30
	nodeRevision   = 32
	nodeVendor     = 37 // 3 bytes

	portMKey   = 0
	portPrefix = 8
	portLID    = 16
	portSMLID  = 18

	switchTop = 6 // LinearFDBTop
)

var be = binary.BigEndian

// Fabric is f with everything replaced. It has the nodes in the same order. Where
// and from whom f was read is left out, and so are the texts of its problems.
func (m *Mapping) Fabric(f *fabric.Fabric) *fabric.Fabric {
	b := fabric.NewBuilder()
	nodes := make([]*fabric.Node, 0, f.NumNodes())
	for n := range f.Nodes() {
		nodes = append(nodes, m.node(b, n))
	}
	for p := range f.Ports() {
		if r := p.Remote(); r != nil {
			b.LinkOneWay(nodes[p.Node().Index()].Port(p.Num()), nodes[r.Node().Index()].Port(r.Num()))
		}
	}
	if p := f.Start(); p != nil {
		b.SetStart(nodes[p.Node().Index()].Port(p.Num()))
	}
	for _, p := range f.Problems() {
		switch p.Kind {
		case fabric.DuplicateGUID, fabric.RateMismatch, fabric.BadChassis: // Build finds them
		default:
			b.AddProblem(m.Problem(p))
		}
	}
	sweep := f.Sweep()
	sweep.Source = ""
	b.SetSweep(sweep)
	return b.Build()
}

func (m *Mapping) node(b *fabric.Builder, n *fabric.Node) *fabric.Node {
	info := n.RawInfo()
	for _, at := range []int{nodeSystemGUID, nodeGUID, nodePortGUID} {
		be.PutUint64(info[at:], uint64(m.GUID(ib.GUID(be.Uint64(info[at:])))))
	}
	if m.opts.HideVendors {
		was := n.Info()
		be.PutUint16(info[nodeDevice:], uint16(m.devices.of(was.DeviceID)))
		be.PutUint32(info[nodeRevision:], 0)
		vendor := hiddenVendor + uint32(m.vendors.of(was.VendorID))
		info[nodeVendor] = byte(vendor >> 16)
		be.PutUint16(info[nodeVendor+1:], uint16(vendor))
	}
	made := b.AddNode(&info)
	if n.HasDescription() {
		var desc [mad.DataSize]byte
		copy(desc[:len(desc)-1], m.Description(n.Description()))
		b.SetDescription(made, &desc)
	}
	if path, ok := n.Path(); ok {
		b.SetPath(made, path)
	}
	if f, ok := n.Firmware(); ok && !m.opts.HideVendors {
		b.SetFirmware(made, f)
	}
	m.setTables(b, n, made)
	for p := range n.Ports() {
		m.port(b, made, p)
	}
	return made
}

func (m *Mapping) setTables(b *fabric.Builder, n, made *fabric.Node) {
	if info, ok := n.RawSwitchInfo(); ok {
		top := m.top(ib.LID(be.Uint16(info[switchTop:])))
		be.PutUint16(info[switchTop:], uint16(top))
		b.SetSwitchInfo(made, &info)
	}
	old := activeTable(n)
	if n.LFT() == nil {
		return
	}
	table := make([]uint8, int(m.top(ib.LID(max(len(old), 1)-1)))+1)
	for i := range table {
		table[i] = smp.NoPort
	}
	for lid, port := range old {
		to := m.LID(ib.LID(lid))
		if to != 0 || lid == 0 {
			table[to] = port
		}
	}
	b.SetLFT(made, table)
}

func (m *Mapping) port(b *fabric.Builder, made *fabric.Node, p *fabric.Port) {
	q := b.Port(made, p.Num())
	b.SetPortGUID(q, m.GUID(p.GUID()))
	b.SetInfoOrder(q, p.InfoOrder())
	if ext, ok := p.RawExtendedInfo(); ok {
		b.SetExtendedPortInfo(q, &ext)
	}
	info, ok := p.RawInfo()
	if !ok {
		return
	}
	clear(info[portMKey : portMKey+8])
	be.PutUint64(info[portPrefix:], m.prefix(be.Uint64(info[portPrefix:])))
	for _, at := range []int{portLID, portSMLID} {
		be.PutUint16(info[at:], uint16(m.LID(ib.LID(be.Uint16(info[at:])))))
	}
	b.SetPortInfo(q, &info)
}

// Problem is a problem with its GUID and LIDs replaced, and without its texts,
// which name files, nodes and LIDs. Of its cause a mad.Status remains.
func (m *Mapping) Problem(p fabric.Problem) fabric.Problem {
	p.GUID = m.GUID(p.GUID)
	p.Target.LID, p.Target.SLID = m.LID(p.Target.LID), m.LID(p.Target.SLID)
	p.Target.QKey = 0
	p.Detail, p.File = "", ""
	p.Err = cause(p.Err)
	return p
}
