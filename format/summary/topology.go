package summary

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// kindNames are what people call the kinds.
var kindNames = map[topology.Kind]string{
	topology.None: "no switches", topology.SingleSwitch: "one switch", topology.FatTree: "fat tree",
	topology.DragonflyPlus: "dragonfly+", topology.Dragonfly: "dragonfly", topology.Torus: "torus",
	topology.Mesh: "mesh", topology.Hypercube: "hypercube", topology.HyperX: "HyperX", topology.Irregular: "irregular",
}

// topology says how the switches are joined, and what the hosts are.
func (w *writer) topology(f *fabric.Fabric, t *topology.Topology) {
	title := "Topology: " + kindNames[t.Kind]
	if len(t.Parts) > 0 {
		title = "Topology: " + shapeText(&t.Parts[0])
	}
	for _, more := range []struct {
		n    int
		noun string
	}{{t.Planes, "plane"}, {len(t.Rails), "rail"}} {
		if more.n > 0 {
			title += ", " + count(more.n, more.noun)
		}
	}
	w.heading(title)
	w.roles(t)
	for i := range t.Parts[:min(len(t.Parts), w.Limit)] {
		w.part(f, &t.Parts[i], len(t.Parts) > 1)
	}
	w.more(len(t.Parts), "  ")
	w.rails(t)
	w.hostProblems(t)
}

// shapeText is "fat tree of 3 tiers, 8 pods", "torus 8x8x4".
func shapeText(p *topology.Part) string {
	text := kindNames[p.Kind]
	switch {
	case len(p.Dims) == 1:
		row := "line"
		if p.Dims[0].Wrap {
			row = "ring"
		} else if p.Dims[0].Full {
			row = "full mesh"
		}
		text = fmt.Sprintf("%s of %d switches", row, p.Switches)
	case len(p.Dims) > 1:
		for i, d := range p.Dims {
			text += fmt.Sprintf("%s%d", [2]string{"x", " "}[b2i(i == 0)], d.Size)
		}
	case p.Kind == topology.FatTree || p.Kind == topology.Irregular:
		text += " of " + count(len(p.Tiers), "tier")
	}
	if p.Groups > 0 {
		noun := "group"
		if p.Kind == topology.FatTree {
			noun = "pod"
		}
		text += ", " + count(p.Groups, noun)
	}
	if p.Same != "" {
		text += " (wired like a " + p.Same + ")"
	}
	return text
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// roleNouns are the roles of adapters that the summary counts, in its order.
var roleNouns = []struct {
	role topology.Role
	noun string
}{
	{topology.RoleHost, "adapter"},
	{topology.RoleStorage, "storage adapter"},
	{topology.RoleManagement, "management adapter"},
	{topology.RoleGateway, "gateway"},
	{topology.RoleAggregation, "SHARP aggregation node"},
}

// roles counts hosts and what is not in them.
func (w *writer) roles(t *topology.Topology) {
	counts := map[topology.Role]int{}
	for i := range t.Places {
		counts[t.Places[i].Role]++
	}
	list := []string{count(len(t.Hosts), "host")}
	for _, r := range roleNouns {
		if n := counts[r.role]; n > 0 {
			list = append(list, count(n, r.noun))
		}
	}
	line := " "
	for i, text := range list {
		if i < len(list)-1 {
			text += ","
		}
		if len(line)+len(text) > 78 {
			w.printf("%s\n", line)
			line = "   "
		}
		line += " " + text
	}
	w.printf("%s\n", line)
}

// part is the tiers of one part as a table.
func (w *writer) part(f *fabric.Fabric, p *topology.Part, several bool) {
	if several {
		plane := ""
		if p.Plane > 0 {
			plane = fmt.Sprintf(", plane %d", p.Plane)
		}
		w.printf("  Part %d%s: %s\n", p.Number, plane, shapeText(p))
	}
	w.printf("  %-12s %8s %7s %9s %9s %9s  %s\n", "tier", "switches", "roots", "to hosts", "down", "up", "down : up")
	for i := range p.Tiers {
		t := &p.Tiers[i]
		ratio := ""
		if t.Oversubscription > 0 {
			ratio = trim2(t.Oversubscription) + " : 1"
		}
		line := fmt.Sprintf("  %-12s %8d %7s %9d %9d %9d  %s", fmt.Sprintf("%d %s", t.Tier, t.Role), t.Switches,
			dash(t.Roots), t.HostLinks, t.DownLinks, t.UpLinks, ratio)
		w.printf("%s\n", strings.TrimRight(line, " "))
	}
	for _, l := range p.Links {
		if l.Low == l.High && p.Kind != topology.FatTree {
			w.printf("  %s within tier %d\n", count(l.Links, "link"), l.Low)
		}
	}
	w.odd(f, p)
}

// odd lists the links that do not fit.
func (w *writer) odd(f *fabric.Fabric, p *topology.Part) {
	if p.Misfits == 0 || p.Kind == topology.Irregular {
		return
	}
	w.printf("  %s\n", w.paint(yellow, count(p.Misfits, "link")+" where this shape has none:"))
	for i := range p.Odd[:min(len(p.Odd), w.Limit)] {
		o := &p.Odd[i]
		w.oddEnd(f, o.A, o.APort)
		w.oddEnd(f, o.B, o.BPort)
	}
	w.more(p.Misfits, "    ")
}

func (w *writer) oddEnd(f *fabric.Fabric, guid ib.GUID, port int) {
	if n, ok := f.NodeByGUID(guid); ok && n.Port(port) != nil {
		w.end("    ", n.Port(port))
	}
}

// rails lists which adapters are on which rail.
func (w *writer) rails(t *topology.Topology) {
	for i := range t.Rails[:min(len(t.Rails), max(w.Limit, 16))] {
		r := &t.Rails[i]
		name := ""
		if len(r.Devices) > 0 {
			name = escape.Text(strings.Join(r.Devices, " "))
		}
		w.printf("  rail %2d  %s %s, %s\n", r.Number, fit(name, 36), count(r.Links, "adapter port"), leaves(len(r.Leaves)))
	}
}

func leaves(n int) string {
	if n == 1 {
		return "1 leaf"
	}
	return fmt.Sprintf("%d leaves", n)
}

// hostProblems lists where names and GUIDs of hosts disagree.
func (w *writer) hostProblems(t *topology.Topology) {
	if len(t.Problems) == 0 {
		return
	}
	w.printf("  %s\n", w.paint(yellow, fmt.Sprintf("names and GUIDs of hosts disagree: %d", len(t.Problems))))
	for i := range t.Problems[:min(len(t.Problems), w.Limit)] {
		w.printf("    %s\n", escape.Text(t.Problems[i].Detail))
	}
	w.more(len(t.Problems), "    ")
}

// dash is a number, or nothing for none.
func dash(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// trim2 prints a ratio with two decimals at most.
func trim2(v float64) string {
	if v < 0.005 {
		return "<0.01"
	}
	text := strings.TrimRight(fmt.Sprintf("%.2f", v), "0")
	return strings.TrimSuffix(text, ".")
}
