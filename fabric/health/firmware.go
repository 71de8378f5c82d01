package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	models "github.com/ibscope/ibscope/fabric/model"
)

// firmware looks for devices of one model that run different firmware.
func (x *examiner) firmware() (looked int, skipped string) {
	if len(x.Firmware) == 0 {
		return 0, "it is not known"
	}
	type key struct {
		vendor uint32
		device uint16
	}
	var g group[key, *fabric.Node]
	for n := range x.f.Nodes() {
		if x.Firmware[n] == "" {
			continue
		}
		looked++
		info := n.Info()
		g.add(key{info.VendorID, info.DeviceID}, n)
	}
	for _, k := range g.order {
		name := cmp.Or(models.Name(k.vendor, k.device), fmt.Sprintf("device 0x%04x", k.device))
		x.mixture(name, g.members[k])
	}
	return looked, ""
}

func (x *examiner) mixture(model string, nodes []*fabric.Node) {
	var g group[string, *fabric.Node]
	for _, n := range nodes {
		g.add(x.Firmware[n], n)
	}
	if len(g.order) < 2 {
		return
	}
	slices.SortStableFunc(g.order, func(a, b string) int { return cmp.Compare(len(g.members[b]), len(g.members[a])) })
	few := g.members[g.order[len(g.order)-1]]
	f := Finding{Kind: Firmware, Severity: Warning, At: End{few[0], -1}, Count: len(nodes) - len(g.members[g.order[0]])}
	f.Text = fmt.Sprintf("%d versions of firmware on %d devices %s", len(g.order), len(nodes), model)
	for i, version := range g.order {
		f.Evidence = listed(f.Evidence, i+1, version+": "+x.some(g.members[version]))
	}
	f.Remedy = []string{"Burn the firmware that most have, or a newer one, into the others."}
	x.add(f)
}

// some names a few nodes, or counts many.
func (x *examiner) some(nodes []*fabric.Node) string {
	if len(nodes) > maxListed {
		return fmt.Sprintf("%d nodes", len(nodes))
	}
	var names []string
	for _, n := range nodes {
		names = append(names, x.Name(n))
	}
	return strings.Join(names, ", ")
}
