package facts

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/nodenames"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// Node tells of a node's NodeInfo. LocalPort, and the PortGUID of what is no
// switch, depend on the way that a sweep came by: tell them with Guess.
func (f *File) Node(line int, guid ib.GUID, fact *Fact) {
	n := f.node(line, guid)
	if wrong, differs := n.info.tell(f.place(line), fact); differs {
		f.disagree(&n.info, new(smp.NodeInfo).Fields(), fact, &wrong, line, guid, -1)
	}
}

// GuessNode is Node for what holds only where no file tells.
func (f *File) GuessNode(line int, guid ib.GUID, fact *Fact) { f.node(line, guid).info.suppose(fact) }

// Switch tells of a switch's SwitchInfo.
func (f *File) Switch(line int, guid ib.GUID, fact *Fact) {
	n := f.node(line, guid)
	if wrong, differs := n.sw.tell(f.place(line), fact); differs {
		f.disagree(&n.sw, new(smp.SwitchInfo).Fields(), fact, &wrong, line, guid, -1)
	}
}

// Port tells of a port's PortInfo. Port 0 of a switch has its LID.
func (f *File) Port(line int, guid ib.GUID, num int, fact *Fact) {
	p := f.port(line, guid, num)
	if p == nil {
		return
	}
	if wrong, differs := p.info.tell(f.place(line), fact); differs {
		f.disagree(&p.info, new(smp.PortInfo).Fields(), fact, &wrong, line, guid, num)
	}
}

// GuessPort is Port for what holds only where no file tells.
func (f *File) GuessPort(line int, guid ib.GUID, num int, fact *Fact) {
	if p := f.port(line, guid, num); p != nil {
		p.info.suppose(fact)
	}
}

// FDR10 tells that a port runs at FDR10, which PortInfo shows as QDR.
func (f *File) FDR10(line int, guid ib.GUID, num int) {
	if p := f.port(line, guid, num); p != nil {
		p.fdr10 = true
	}
}

// PortGUID tells the GUID of a port.
func (f *File) PortGUID(line int, guid ib.GUID, num int, portGUID ib.GUID) {
	p := f.port(line, guid, num)
	switch {
	case p == nil || portGUID == 0 || p.guid == portGUID:
	case p.guid == 0:
		p.guid, p.guidAt = portGUID, f.place(line)
	default:
		f.Note(fabric.Problem{
			Kind: fabric.FilesDisagree, GUID: guid, Port: num, File: f.At(line),
			Detail: fmt.Sprintf("the port GUID is %s here, but %s at %s, which counts", portGUID, p.guid, f.set.at(p.guidAt)),
		})
	}
}

// Describe tells the NodeDescription. Tools print it with blanks for bytes that
// are not printable and without those at its end, so that such a difference is
// none.
func (f *File) Describe(line int, guid ib.GUID, desc string) {
	n := f.node(line, guid)
	switch {
	case !n.hasDesc:
		n.desc, n.hasDesc, n.descAt = desc, true, f.place(line)
	case plain(n.desc) != plain(desc):
		f.Note(fabric.Problem{
			Kind: fabric.FilesDisagree, GUID: guid, Port: -1, File: f.At(line),
			Detail: fmt.Sprintf("the description is %q here, but %q at %s, which counts", desc, n.desc, f.set.at(n.descAt)),
		})
	}
}

// Firmware tells the version of the firmware of a node.
func (f *File) Firmware(line int, guid ib.GUID, version string) {
	n := f.node(line, guid)
	switch {
	case n.firmware == "":
		n.firmware, n.firmwareAt = version, f.place(line)
	case n.firmware != version:
		f.Note(fabric.Problem{
			Kind: fabric.FilesDisagree, GUID: guid, Port: -1, File: f.At(line),
			Detail: fmt.Sprintf("the firmware is %q here, but %q at %s, which counts", version, n.firmware, f.set.at(n.firmwareAt)),
		})
	}
}

func plain(desc string) string { return strings.TrimRight(nodenames.Clean(desc), " ") }

// Table tells the linear forwarding table of a switch, as fabric.Builder.SetLFT
// wants it. The set keeps the slice.
func (f *File) Table(line int, guid ib.GUID, table []uint8) {
	n := f.node(line, guid)
	if n.lft == nil {
		n.lft, n.lftAt = table, f.place(line)
		return
	}
	const none = 255
	port := func(t []uint8, lid int) uint8 {
		if lid < len(t) {
			return t[lid]
		}
		return none
	}
	differ, first := 0, 0
	for lid := range max(len(n.lft), len(table)) {
		if port(n.lft, lid) != port(table, lid) {
			if differ++; differ == 1 {
				first = lid
			}
		}
	}
	if differ > 0 {
		f.Note(fabric.Problem{
			Kind: fabric.FilesDisagree, GUID: guid, Port: -1, File: f.At(line),
			Detail: fmt.Sprintf("the forwarding table differs in %d LIDs from that at %s, which counts: LID %d goes to port %d here, to %d there",
				differ, f.set.at(n.lftAt), first, port(table, first), port(n.lft, first)),
		})
	}
}

// Link tells that two ports are connected. A port that is connected elsewhere
// keeps that link, and this one is left out.
func (f *File) Link(line int, a, b End) {
	p, q := f.port(line, a.Node, a.Port), f.port(line, b.Node, b.Port)
	if p == nil || q == nil {
		return
	}
	if f.conflicts(line, a, b, p) || f.conflicts(line, b, a, q) {
		return
	}
	if p.far == nil {
		p.far = &far{b, f.place(line)}
	}
	if q.far == nil {
		q.far = &far{a, f.place(line)}
	}
}

func (f *File) conflicts(line int, here, there End, p *port) bool {
	if p.far == nil || p.far.End == there {
		return false
	}
	f.Note(fabric.Problem{
		Kind: fabric.LinkConflict, GUID: here.Node, Port: here.Port, File: f.At(line),
		Detail: fmt.Sprintf("is connected to node %s port %d here, but to node %s port %d at %s, which counts",
			there.Node, there.Port, p.far.Node, p.far.Port, f.set.at(p.far.at)),
	})
	return true
}
