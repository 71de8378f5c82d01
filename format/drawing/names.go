package drawing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// Label is text from a fabric, with blanks at its ends taken off and what is not
// printable escaped.
func Label(s string) string { return escape.Text(strings.TrimSpace(s)) }

// NameOf is what a node is called: by the function, by its description, or its GUID.
// It is escaped.
func NameOf(n *fabric.Node, name func(*fabric.Node) (string, bool)) string {
	if name != nil {
		if s, ok := name(n); ok && Label(s) != "" {
			return Label(s)
		}
	}
	if s := Label(n.Description()); s != "" {
		return s
	}
	return n.GUID().String()
}

// shortName leaves out of the description of a switch what its vendor puts around its
// name: "MF0;leaf7:MQM8700/U1" is "leaf7", and of a chip of a director "core L03/U1".
// Hardware that has no name yet is told apart by its GUID.
func shortName(n *fabric.Node, s string) string {
	if strings.HasSuffix(s, "Mellanox Technologies") {
		return n.GUID().String()
	}
	rest, ok := strings.CutPrefix(s, "MF0;")
	at := strings.LastIndexByte(rest, ':')
	if !ok || at < 1 {
		return s
	}
	name := rest[:at]
	_, chip, _ := strings.Cut(rest[at:], "/")
	if chip != "" && chip != "U1" {
		name += " " + chip
	}
	return name
}

// PortOf is the number of a port, and its label on the panel where that is another.
func PortOf(p *fabric.Port) string {
	num := strconv.Itoa(p.Num())
	if p.Node().Type() != ib.NodeSwitch {
		return num
	}
	if label := topology.PortLabel(p); label != num {
		return num + " (" + label + ")"
	}
	return num
}

// Shorten leaves out the middle of a text that is longer than n characters: names of
// machines differ at their ends.
func Shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n < 4 {
		return string(r[:max(n, 0)])
	}
	tail := n * 3 / 5
	return string(r[:n-1-tail]) + "…" + string(r[len(r)-tail:])
}

// Caption is what stands in a box: its first line, and the second one of a box that
// stands for many nodes.
func Caption(l *layout.Layout, t *topology.Topology, b *layout.Box, name func(*fabric.Node) (string, bool)) (first, second string) {
	switch b.Kind {
	case layout.SomeHosts:
		if l.Dense {
			return strconv.Itoa(len(b.Nodes)), ""
		}
		return count(len(b.Nodes), "adapter", "s"), ""
	case layout.WholeGroup:
		switches, adapters := 0, 0
		for _, n := range b.Nodes {
			if n.Type() == ib.NodeSwitch {
				switches++
			} else if t.Place(n).Role.IsHost() {
				adapters++
			}
		}
		what := layout.FrameGroup
		if b.Part > 0 && b.Part <= len(t.Parts) && t.Parts[b.Part-1].Kind == topology.FatTree {
			what = layout.FramePod
		}
		return fmt.Sprintf("%s %d", what, b.Group), fmt.Sprintf("%d sw, %d CA", switches, adapters)
	case layout.SomeTier:
		return count(len(b.Nodes), "switch", "es"), fmt.Sprintf("tier %d", b.Tier)
	}
	return shortName(b.Nodes[0], NameOf(b.Nodes[0], name)), ""
}

// FrameCaption is what stands above a frame.
func FrameCaption(f *layout.Frame, t *topology.Topology) string {
	switch f.Kind {
	case layout.FrameAlone:
		return "without a switch"
	case layout.FrameRail:
		if f.Number <= len(t.Rails) && len(t.Rails[f.Number-1].Devices) > 0 {
			devices := t.Rails[f.Number-1].Devices
			return fmt.Sprintf("rail %d: %s", f.Number, Label(strings.Join(devices[:min(len(devices), 3)], ", ")))
		}
	case layout.FramePart:
		return fmt.Sprintf("part %d: %s", f.Number, t.Parts[f.Number-1].Kind)
	}
	return fmt.Sprintf("%s %d", f.Kind, f.Number)
}
