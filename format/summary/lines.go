package summary

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
)

// Line is something of a fabric that is counted.
type Line struct {
	Section string // fabric, nodes, topology, tiers, rails, links, problems
	What    string // may be text from the fabric, not escaped
	Count   int
	Detail  string
}

// Lines is the summary of f, with o.Topology if it is there, as a table: what there
// is of each kind, and how many of it. o.Limit does not count.
func Lines(f *fabric.Fabric, o *Options) []Line {
	if o == nil {
		o = &Options{}
	}
	h := header(f)
	lines := []Line{{"fabric", cmp.Or(h.Source, "fabric"), h.Counts.Nodes, sweepText(f)}}
	for _, m := range h.Models {
		lines = append(lines, Line{"nodes", cmp.Or(m.Name, m.VendorID+" "+m.DeviceID), m.Nodes, m.Type + ", " + count(m.Ports, "port")})
	}
	if o.Topology != nil {
		lines = append(lines, topologyLines(o.Topology)...)
	}
	for _, r := range h.Rates {
		what := strings.TrimSpace(r.Width + " " + r.Speed)
		detail := fmt.Sprintf("%d to hosts, %d among switches", r.ToHosts, r.Switches)
		if r.Gbps > 0 {
			detail = trim(r.Gbps) + " Gb/s, " + detail
		}
		lines = append(lines, Line{"links", cmp.Or(what, "rate not known"), r.ToHosts + r.Switches, detail})
	}
	for _, odd := range []Line{
		{"links", "degraded", h.Counts.Degraded, "below what both ends support"},
		{"links", "one-way", h.Counts.OneWay, "known from one end only"},
		{"links", "self", h.Counts.SelfLinks, "from a node to itself"},
	} {
		if odd.Count > 0 {
			lines = append(lines, odd)
		}
	}
	for _, p := range h.Problems {
		detail := ""
		if p.Loss {
			detail = "something could not be read"
		}
		lines = append(lines, Line{"problems", string(p.Kind), p.Count, detail})
	}
	return lines
}

func sweepText(f *fabric.Fabric) string {
	text := "nodes; complete"
	if !f.IsComplete() {
		text = "nodes; INCOMPLETE"
	}
	if s := f.Sweep(); s.SMPs > 0 {
		text += fmt.Sprintf(", %s, %d resent, %s", count(s.SMPs, "SMP"), s.Resent, count(s.Timeouts, "timeout"))
	}
	return text
}

func topologyLines(t *topology.Topology) []Line {
	var lines []Line
	for i := range t.Parts {
		p := &t.Parts[i]
		detail := "switches"
		if p.Misfits > 0 && p.Kind != topology.Irregular {
			detail += ", " + count(p.Misfits, "link") + " where this shape has none"
		}
		lines = append(lines, Line{"topology", shapeText(p), p.Switches, detail})
		for j := range p.Tiers {
			lines = append(lines, tierLine(&p.Tiers[j]))
		}
	}
	if len(t.Parts) == 0 {
		lines = append(lines, Line{"topology", kindNames[t.Kind], 0, ""})
	}
	if t.Planes > 0 {
		lines = append(lines, Line{"topology", "planes", t.Planes, ""})
	}
	counts := map[topology.Role]int{}
	for i := range t.Places {
		counts[t.Places[i].Role]++
	}
	lines = append(lines, Line{"topology", "hosts", len(t.Hosts), ""})
	for _, r := range roleNouns {
		if n := counts[r.role]; n > 0 {
			lines = append(lines, Line{"topology", r.noun + "s", n, ""})
		}
	}
	for i := range t.Rails {
		r := &t.Rails[i]
		lines = append(lines, Line{"rails", fmt.Sprintf("rail %d", r.Number), r.Links, "adapter ports on " + leaves(len(r.Leaves)) + ", " + strings.Join(r.Devices, " ")})
	}
	if n := len(t.Problems); n > 0 {
		lines = append(lines, Line{"topology", "names and GUIDs of hosts disagree", n, ""})
	}
	return lines
}

func tierLine(t *topology.Tier) Line {
	detail := []string{"switches"}
	for _, n := range []struct {
		links int
		text  string
	}{{t.HostLinks, "to hosts"}, {t.DownLinks, "down"}, {t.UpLinks, "up"}} {
		if n.links > 0 {
			detail = append(detail, fmt.Sprintf("%d links %s", n.links, n.text))
		}
	}
	if t.Oversubscription > 0 {
		detail = append(detail, "down : up "+trim2(t.Oversubscription)+" : 1")
	}
	return Line{"tiers", fmt.Sprintf("tier %d %s", t.Tier, t.Role), t.Switches, strings.Join(detail, ", ")}
}
