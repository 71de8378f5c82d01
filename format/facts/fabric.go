package facts

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

// Origin is what is known of the file that a fabric was read from.
type Origin struct {
	// Line tells in which line a node stands (port -1) or a port of it; 0 where that
	// is not known.
	Line func(node ib.GUID, port int) int

	// Inferred is true for a text that holds less than attributes do.
	Inferred bool

	// Template is true for a description of what a simulator should make: types,
	// numbers of ports, names and links are told, all else is its templates'.
	Template bool

	// ByPort is true for a text that has port GUIDs and no node GUIDs.
	ByPort bool
}

// Fabric tells all that a fabric holds, which was read from the file. Fields that
// are 0 are not told. Of one that is inferred from a text, only what such a text
// says itself is told: numbers, GUIDs, names, LIDs, links, and what they run at;
// the rest is guessed.
func (f *File) Fabric(fab *fabric.Fabric, o *Origin) {
	itself := func(guid ib.GUID) ib.GUID { return guid }
	if !o.ByPort {
		f.tellFabric(fab, o, itself)
		return
	}
	f.Later(func(find Finder) {
		f.tellFabric(fab, o, func(guid ib.GUID) ib.GUID {
			if end, ok := find(guid); ok {
				return end.Node
			}
			return guid
		})
	})
}

// tellFabric tells a fabric whose nodes have other GUIDs than they seem to.
func (f *File) tellFabric(fab *fabric.Fabric, o *Origin, guid func(ib.GUID) ib.GUID) {
	for n := range fab.Nodes() {
		f.tellNode(n, o.Line(n.GUID(), -1), guid(n.GUID()), o)
		for p := range n.Ports() {
			f.tellPort(p, o.Line(n.GUID(), p.Num()), guid(n.GUID()), o)
		}
	}
	for l := range fab.Links() {
		a, b := l.A.Node().GUID(), l.B.Node().GUID()
		f.Link(o.Line(a, l.A.Num()), End{guid(a), l.A.Num()}, End{guid(b), l.B.Num()})
	}
	for _, p := range fab.Problems() {
		if p.Kind != fabric.RateMismatch && p.Kind != fabric.BadChassis {
			f.Note(p) // those two are found again in what comes of all files
		}
	}
}

func (f *File) tellNode(n *fabric.Node, line int, guid ib.GUID, o *Origin) {
	told, rest := split(n.InfoBytes(), new(smp.NodeInfo).Fields(), func(fld *field.Field) bool {
		if o.Template {
			return fld.Go == "NodeType" || fld.Go == "NumPorts"
		}
		switch fld.Go {
		case "NumPorts":
			// The text says how many, but a node that is told of only by a peer's
			// line, or by a ports report, has as many as were seen.
			return !o.Inferred
		case "NodeGUID":
			return false
		case "BaseVersion", "ClassVersion", "LocalPort":
			return false
		case "PortGUID":
			return n.Type() == ib.NodeSwitch
		}
		return true
	})
	f.Node(line, guid, &told)
	f.GuessNode(line, guid, &rest)
	if n.HasDescription() {
		f.Describe(line, guid, n.Description())
	}
	if info := n.SwitchInfoBytes(); info != nil && o.Template {
		_, guess := split(info, new(smp.SwitchInfo).Fields(), func(*field.Field) bool { return false })
		f.node(line, guid).sw.suppose(&guess)
	} else if info != nil {
		told, _ := split(info, new(smp.SwitchInfo).Fields(), func(*field.Field) bool { return true })
		f.Switch(line, guid, &told)
	}
	if fw, ok := n.Firmware(); ok {
		f.Firmware(line, guid, fw.Version)
	}
	if t := n.LFT(); t != nil {
		f.Table(line, guid, t)
	}
}

func (f *File) tellPort(p *fabric.Port, line int, guid ib.GUID, o *Origin) {
	num := p.Num()
	if q := f.port(line, guid, num); q != nil && o.Template {
		q.guidGuess = p.GUID()
	} else if p.Node().Type() != ib.NodeSwitch {
		f.PortGUID(line, guid, num, p.GUID())
	}
	if b := p.ExtendedInfoBytes(); b != nil && p.Active().Speed == ib.SpeedFDR10 {
		f.FDR10(line, guid, num)
	}
	info := p.InfoBytes()
	if info == nil {
		f.port(line, guid, num)
		return
	}
	told, rest := split(info, new(smp.PortInfo).Fields(), func(fld *field.Field) bool {
		if o.Template {
			return false
		}
		switch fld.Go {
		case "LID", "LMC", "LinkWidthActive", "LinkSpeedExtActive", "LinkSpeedExtActive2":
			return true
		case "LinkSpeedActive":
			return !o.Inferred || p.Active().Speed.Base() != 0
		case "LocalPort":
			return false
		}
		return !o.Inferred
	})
	f.Port(line, guid, num, &told)
	f.GuessPort(line, guid, num, &rest)
}

// split makes two facts of an attribute: the fields for which told is true, and
// the others; fields that are 0 are in neither.
func split(data *[mad.DataSize]byte, t field.Table, told func(*field.Field) bool) (is, rest Fact) {
	for i := range t {
		fld := &t[i]
		v := fld.Uint(data[:])
		switch {
		case v == 0 || fld.Flags&field.Alias != 0 || fld.Count > 0:
		case told(fld):
			is.Set(*fld, v)
		default:
			rest.Set(*fld, v)
		}
	}
	return is, rest
}
