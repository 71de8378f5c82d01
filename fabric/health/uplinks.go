package health

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// A tier is the switches that are compared with each other.
type tier struct {
	part, tier, plane int
	vendor            uint32
	device            uint16
}

// uplinks looks for switches with fewer links to the next tier than others of their
// tier, in fabrics that have tiers: fat trees, and groups of leaves and spines.
func (x *examiner) uplinks() (looked int, skipped string) {
	tiered := map[int]bool{}
	for i := range x.Topology.Parts {
		p := &x.Topology.Parts[i]
		tiered[p.Number] = p.Kind == topology.FatTree || p.Kind == topology.DragonflyPlus
	}
	var g group[tier, *fabric.Node]
	for sw := range x.f.Switches() {
		p := x.Topology.Place(sw)
		if p.Tier == 0 || p.Root || !tiered[p.Part] {
			continue
		}
		info := sw.Info()
		g.add(tier{p.Part, p.Tier, p.Plane, info.VendorID, info.DeviceID}, sw)
		looked++
	}
	if looked == 0 {
		return 0, "the fabric has no tiers of switches"
	}
	for _, k := range g.order {
		x.switchTier(k, g.members[k])
	}
	return looked, ""
}

// up counts the links of a switch to each switch of a higher tier, without those
// that are known to be down.
func (x *examiner) up(sw *fabric.Node) (total int, to map[*fabric.Node]int) {
	to = map[*fabric.Node]int{}
	own := x.Topology.Place(sw).Tier
	for p := range sw.Ports() {
		r := p.Remote()
		if r == nil || r.Node().Type() != ib.NodeSwitch || p.State() == ib.PortDown {
			continue
		}
		if x.Topology.Place(r.Node()).Tier > own {
			to[r.Node()]++
			total++
		}
	}
	return total, to
}

func (x *examiner) switchTier(k tier, switches []*fabric.Node) {
	totals := make([]int, len(switches))
	ups := make([]map[*fabric.Node]int, len(switches))
	for i, sw := range switches {
		totals[i], ups[i] = x.up(sw)
	}
	most, ok := usual(totals)
	if !ok {
		return
	}
	for i, sw := range switches {
		if totals[i] >= most {
			continue
		}
		f := Finding{Kind: FewerUplinks, Severity: Error, At: End{sw, -1}, Count: most - totals[i]}
		f.Text = fmt.Sprintf("%s has %s up; of its %d peers in tier %d most have %d",
			x.place(f.At), are(totals[i], "link", "links"), len(switches)-1, k.tier, most)
		f.Evidence = append(x.missingUps(switches, ups, i), x.idlePorts(sw)...)
		f.Remedy = []string{"Look at the cables between these switches; ibscope verify compares all with a plan."}
		x.add(f)
	}
}

// missingUps names the switches above to which the others of its group have more
// links than it has.
func (x *examiner) missingUps(switches []*fabric.Node, ups []map[*fabric.Node]int, i int) (lines []string) {
	group := x.Topology.Place(switches[i]).Group
	links := map[*fabric.Node][]int{}
	peers := 0
	for j, sw := range switches {
		if j != i && x.Topology.Place(sw).Group == group {
			peers++
		}
	}
	for j, sw := range switches {
		if j != i && x.Topology.Place(sw).Group == group {
			for above, n := range ups[j] {
				links[above] = append(links[above], n)
			}
		}
	}
	for above := range x.f.Switches() {
		if len(links[above]) < peers { // not all peers have one
			continue
		}
		if n, ok := usual(links[above]); ok && ups[i][above] < n {
			lines = listed(lines, len(lines)+1, fmt.Sprintf("to %s: %d, its peers %d", x.Name(above), ups[i][above], n))
		}
	}
	return lines
}

// idlePorts names the ports of a switch without a link, where its cables may be.
func (x *examiner) idlePorts(sw *fabric.Node) []string {
	var list []string
	n := 0
	for p := range sw.Ports() {
		if p.Num() == 0 || p.Remote() != nil || p.State() != ib.PortDown {
			continue
		}
		label := topology.PortLabel(p)
		if n++; n > maxListed {
			continue
		}
		if label == "" {
			label = fmt.Sprint(p.Num())
		}
		list = append(list, label)
	}
	switch {
	case n == 0:
		return nil
	case n > maxListed:
		list = append(list, "…")
	}
	return []string{"its ports that are down: " + strings.Join(list, ", ")}
}
