package verify

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// FromNames is the wiring of a planned fabric whose GUIDs are invented, as that of
// a .topo file of ibutils: nodes are found by their names, without the "/U1" that
// ibutils adds. Links between the chips of one system, which share the GUID of its
// image, are no cables.
func FromNames(f *fabric.Fabric) *Plan {
	p := &Plan{}
	for l := range f.Links() {
		a, b := l.A.Node().Info(), l.B.Node().Info()
		if l.A.Node() != l.B.Node() && a.SystemImageGUID == b.SystemImageGUID && a.SystemImageGUID != 0 {
			continue
		}
		rate := l.A.Active()
		p.Cables = append(p.Cables, Cable{A: named(l.A), B: named(l.B), Width: rate.Width, Speed: rate.Speed})
	}
	return p
}

func named(p *fabric.Port) End {
	return End{Name: systemName(p.Node().Description()), Port: p.Num()}
}

// systemName leaves out the chip of a system that has one.
func systemName(description string) string {
	return strings.TrimSuffix(description, "/U1")
}
