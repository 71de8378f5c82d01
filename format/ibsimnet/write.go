package ibsimnet

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Write writes a fabric as a topology file for ibsim, which ibsim 0.10 and later
// and Read understand. The node of the start comes first, for ibsim attaches
// clients to it, then the others in canonical order.
//
// What such a file holds: nodes with GUID, system image GUID, vendor and device
// ID and description; LIDs of switches and CA ports; links, with their rates.
// It does not hold port GUIDs (ibsim counts them from the node GUID on), LIDs of
// routers, and links that only one end knows. Ibsim 0.10 does not know NDR and
// XDR, and runs such links at HDR; router links are written as HDR then. Of
// nodes with one GUID only the first is written. The only errors are those of w.
func Write(w io.Writer, f *fabric.Fabric) error {
	b := bufio.NewWriterSize(w, 64<<10)
	x := writer{b, f}
	x.defaults()
	first := (*fabric.Node)(nil)
	if start := f.Start(); start != nil {
		first = start.Node()
		x.node(first)
	}
	for n := range f.Nodes() {
		if n != first && x.has(n) {
			x.node(n)
		}
	}
	return b.Flush()
}

// writer writes a file; bufio keeps the first error.
type writer struct {
	*bufio.Writer
	f *fabric.Fabric
}

// defaults begins the file with the speeds that hold where ibsim does not
// understand the rate of a link. They also tell the file from a printout of
// ibnetdiscover.
func (x *writer) defaults() {
	speed, ext := ib.SpeedSDR, 0
	for l := range x.f.Links() {
		if s := l.A.Active().Speed; s.Rank() > speed.Rank() {
			speed = s
		}
	}
	enabled := commentSpeeds["QDR"].speed
	if speed.Rank() < ib.SpeedQDR.Rank() {
		enabled = commentSpeeds[speed.String()].speed
	}
	if speed.Rank() > ib.SpeedHDR.Rank() {
		ext = ibsimExt
	}
	fmt.Fprintf(x, "# Topology file for ibsim\n\nspeed=%d\nextspeed=%d\n", enabled, ext)
}

// ibsimExt is all the extended speeds that ibsim 0.10 knows.
const ibsimExt = 7

// has is whether the file has the node: not if its GUID is that of another.
func (x *writer) has(n *fabric.Node) bool {
	first, _ := x.f.NodeByGUID(n.GUID())
	return first == n
}

var words = map[ib.NodeType]struct{ header, guid, letter string }{
	ib.NodeSwitch: {"Switch", "switchguid", "S"}, ib.NodeRouter: {"Rt", "rtguid", "R"}, ib.NodeCA: {"Ca", "caguid", "H"},
}

// node writes a node, if it has ports, and is of a type, that ibsim knows.
func (x *writer) node(n *fabric.Node) {
	word, ok := words[n.Type()]
	if !ok || n.NumPorts() == 0 {
		return
	}
	info := n.Info()
	fmt.Fprintf(x, "\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%x\n%s=0x%x\n%s\t%d %s\t\t# %q", info.VendorID, info.DeviceID,
		uint64(info.SystemImageGUID), word.guid, uint64(n.GUID()), word.header, n.NumPorts(), nodeID(n), description(n))
	if n.Type() == ib.NodeSwitch {
		kind := "base"
		if si, _ := n.SwitchInfo(); si.EnhancedPort0 {
			kind = "enhanced"
		}
		x.switchLID(n, kind)
	}
	x.WriteByte('\n')
	for p := range n.Ports() {
		r := p.Remote()
		if p.Num() > 0 && r != nil && r.Remote() == p && x.has(r.Node()) {
			x.port(p, r)
		}
	}
}

func (x *writer) switchLID(n *fabric.Node, kind string) {
	fmt.Fprintf(x, " %s port 0", kind)
	if p := n.Port(0); p != nil {
		fmt.Fprintf(x, " lid %d lmc %d", p.LID(), p.LMC())
	}
}

// port writes the line of a port with a link. The rate is in a comment, as
// ibnetdiscover writes it, for newer speeds have no option; but ibsim reads
// only the options of routers.
func (x *writer) port(p, r *fabric.Port) {
	fmt.Fprintf(x, "[%d]\t%s[%d]", p.Num(), nodeID(r.Node()), r.Num())
	rate := p.Active()
	enabled, known := commentSpeeds[rate.Speed.String()]
	if width := commentWidths[rate.Width.Lanes()]; known && p.Node().Type() == ib.NodeRouter {
		fmt.Fprintf(x, " w=%d s=%d e=%d", width, enabled.speed, min(enabled.ext, ibsimExt))
	}
	x.WriteString("\t# ")
	if p.Node().Type() == ib.NodeCA {
		fmt.Fprintf(x, "lid %d lmc %d ", p.LID(), p.LMC())
	}
	// Ibsim takes "=" anywhere in the line for an option.
	fmt.Fprintf(x, "%q", strings.ReplaceAll(description(r.Node()), "=", "-"))
	if known && rate.Width.Lanes() != 0 {
		fmt.Fprintf(x, " lid %d %s", r.LID(), rate)
	}
	x.WriteByte('\n')
}

func nodeID(n *fabric.Node) string {
	return fmt.Sprintf("%q", fmt.Sprintf("%s-%016x", words[n.Type()].letter, uint64(n.GUID())))
}

// description is the description of a node as a file can hold it: printable
// ASCII without quotes, at most 63 bytes, and as ibsim cannot do without one,
// the node's GUID in place of an empty one.
func description(n *fabric.Node) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '\\':
			return '\''
		case r < ' ' || r > '~':
			return '?'
		}
		return r
	}, n.Description())
	if strings.TrimSpace(text) == "" {
		return n.GUID().String()
	}
	return cut(text)
}
