package facts

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// Build makes the fabric. Errors are *Error: ErrNothing where no node was told,
// ErrTooLarge beyond all bounds. The set must not be used after it.
func (s *Set) Build() (*fabric.Fabric, error) {
	s.resolve()
	name := ""
	if len(s.files) > 0 {
		name = s.files[0].Name()
	}
	if len(s.order) == 0 {
		return nil, &Error{Op: "build", File: name, Err: ErrNothing}
	}
	m := maker{Set: s, b: fabric.NewBuilder(), nodes: make(map[ib.GUID]*fabric.Node, len(s.order))}
	total := 0
	for _, n := range s.order {
		m.finish(n)
		total += int(fieldNumPorts.Uint(n.info.told.data[:])) + 1
	}
	if s.full || total > lines.MaxPorts {
		return nil, &Error{Op: "build", File: name, Err: ErrTooLarge}
	}
	for _, n := range s.order {
		m.mirror(n)
	}
	for _, n := range s.order {
		m.add(n)
	}
	m.link()
	for _, f := range s.files {
		for _, p := range f.problems.List() {
			m.b.AddProblem(p)
		}
	}
	m.b.SetSweep(fabric.Sweep{Source: "file:" + name})
	return m.b.Build(), nil
}

// maker makes a fabric of a set.
type maker struct {
	*Set
	b     *fabric.Builder
	nodes map[ib.GUID]*fabric.Node
}

// finish settles what NodeInfo must have: type, number of ports, GUIDs.
func (m *maker) finish(n *node) {
	told := &n.info.told
	f := m.files[n.line.file]
	for _, p := range n.ports {
		if p != nil && p.guid == 0 {
			p.guid = p.guidGuess
		}
	}
	highest := max(len(n.ports)-1, 0)
	num := int(fieldNumPorts.Uint(told.data[:]))
	if !told.Has(fieldNumPorts) && n.info.guess != nil { // it may have more than were seen
		num = int(fieldNumPorts.Uint(n.info.guess.data[:]))
	}
	if num < highest {
		if told.Has(fieldNumPorts) {
			f.Note(fabric.Problem{
				Kind: fabric.BadInput, GUID: n.guid, Port: -1, File: m.at(n.info.tellerOf(fieldNumPorts)),
				Detail: "has fewer ports than are told of",
			})
		}
		num = highest
	}
	told.Set(fieldNumPorts, uint64(num))
	var guess Fact
	guess.Set(NodeField("BaseVersion"), 1)
	guess.Set(NodeField("ClassVersion"), 1)
	guess.Set(fieldNodeType, uint64(m.typeOf(n)))
	guess.Set(fieldPortGUID, uint64(n.portGUID()))
	if !n.isSwitch() && ib.NodeType(fieldNodeType.Uint(guess.data[:])) != ib.NodeSwitch {
		guess.Set(fieldArrival, uint64(n.firstPort()))
	}
	n.info.suppose(&guess)
	told.Set(NodeField("NodeGUID"), uint64(n.guid))
}

// mirror supposes that a port runs as its far end says, as far as nothing is told
// of it.
func (m *maker) mirror(n *node) {
	speeds := []field.Field{fieldBase, fieldExt, fieldExt2}
	for _, p := range n.ports {
		if p == nil || p.far == nil {
			continue
		}
		far := &m.Set.nodes[p.far.Node].ports[p.far.Port].info.told
		var guess Fact
		for _, f := range []field.Field{fieldState, fieldPhys, fieldWidth} {
			guess.copy(f, far)
		}
		if !p.info.told.hasAny(speeds) {
			for _, f := range speeds {
				guess.copy(f, far)
			}
			p.fdr10 = p.fdr10 || m.Set.nodes[p.far.Node].ports[p.far.Port].fdr10
		}
		p.info.suppose(&guess)
	}
}

// copy takes a field over from another fact that has it.
func (f *Fact) copy(fld field.Field, from *Fact) {
	if from.Has(fld) {
		f.Set(fld, fld.Uint(from.data[:]))
	}
}

func (f *Fact) hasAny(list []field.Field) bool {
	for i := range list {
		if f.Has(list[i]) {
			return true
		}
	}
	return false
}

// typeOf guesses the type of a node that nobody tells: a switch has many ports, or
// a port 0.
func (m *maker) typeOf(n *node) ib.NodeType {
	const caPorts = 2
	if len(n.ports) > 0 && n.ports[0] != nil || len(n.ports) > caPorts+1 || n.sw.isKnown() || n.lft != nil {
		return ib.NodeSwitch
	}
	return ib.NodeCA
}

func (n *node) isSwitch() bool {
	return ib.NodeType(fieldNodeType.Uint(n.info.told.data[:])) == ib.NodeSwitch
}

// firstPort is the number of the first port that is known, 1 for none.
func (n *node) firstPort() int {
	for num := 1; num < len(n.ports); num++ {
		if n.ports[num] != nil {
			return num
		}
	}
	return 1
}

// portGUID is that of the first port that tells it, else the node's.
func (n *node) portGUID() ib.GUID {
	for _, p := range n.ports {
		if p != nil && p.guid != 0 {
			return p.guid
		}
	}
	return n.guid
}

// add adds a node and its ports.
func (m *maker) add(n *node) {
	info := n.info.bytes()
	built := m.b.AddNode(&info)
	m.nodes[n.guid] = built
	if n.hasDesc {
		var raw [mad.DataSize]byte
		copy(raw[:], n.desc)
		m.b.SetDescription(built, &raw)
	}
	if n.sw.isKnown() {
		raw := n.sw.bytes()
		m.b.SetSwitchInfo(built, &raw)
	}
	if n.lft != nil {
		m.b.SetLFT(built, n.lft)
	}
	if n.firmware != "" {
		m.b.SetFirmware(built, fabric.Firmware{Version: n.firmware})
	}
	fast := n.fastest()
	for num, p := range n.ports {
		if p == nil {
			continue
		}
		port := m.b.Port(built, num)
		if built.Type() != ib.NodeSwitch && p.guid != 0 {
			m.b.SetPortGUID(port, p.guid)
		}
		m.addInfo(built, port, p, fast)
	}
}

// fastest is the fastest speed of a node's ports.
func (n *node) fastest() ib.LinkSpeed {
	var fast ib.LinkSpeed
	for _, p := range n.ports {
		if p == nil {
			continue
		}
		b := p.info.bytes()
		s := ib.SpeedFrom(0, uint8(fieldExt.Uint(b[:])), uint8(fieldExt2.Uint(b[:]))).Max()
		if s.Rank() > fast.Rank() {
			fast = s
		}
	}
	return fast
}

// addInfo sets a port's PortInfo, with the capability bits that make the fields
// of extended speeds count, where no file tells the capabilities.
func (m *maker) addInfo(n *fabric.Node, port *fabric.Port, p *port, fast ib.LinkSpeed) {
	if p.info.isKnown() {
		var caps Fact
		if owner := n.Type() != ib.NodeSwitch || port.Num() == 0; owner && fast != 0 {
			caps.Set(fieldCapMask, uint64(smp.CapExtendedSpeeds))
			if fast.Ext2() != 0 {
				caps.Set(fieldCapMask, uint64(smp.CapExtendedSpeeds|smp.CapCapMask2))
				caps.Set(fieldCapMask2, uint64(smp.Cap2ExtendedSpeeds2))
			}
		}
		if n.Type() != ib.NodeSwitch {
			caps.Set(fieldLocalPort, uint64(port.Num()))
		}
		p.info.suppose(&caps)
		raw := p.info.bytes()
		m.b.SetPortInfo(port, &raw)
	}
	if p.fdr10 {
		raw := smp.ExtendedPortInfo{LinkSpeedActive: smp.FDR10, LinkSpeedEnabled: smp.FDR10, LinkSpeedSupported: smp.FDR10}
		var b [mad.DataSize]byte
		raw.Encode(&b)
		m.b.SetExtendedPortInfo(port, &b)
	}
}

// link connects the ports.
func (m *maker) link() {
	for _, n := range m.order {
		for num, p := range n.ports {
			if p == nil || p.far == nil {
				continue
			}
			here := m.nodes[n.guid].Port(num)
			there := m.nodes[p.far.Node].Port(p.far.Port)
			if here.Remote() == nil {
				m.b.Link(here, there)
			}
		}
	}
}
