package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric/topology"
)

// shape tells of links between switches that are where the shape of the fabric has
// none: mostly cables in a wrong port.
func (x *examiner) shape() (looked int, skipped string) {
	for i := range x.Topology.Parts {
		p := &x.Topology.Parts[i]
		if p.Kind == topology.Irregular || p.Kind == topology.None {
			continue
		}
		looked++
		for _, odd := range p.Odd {
			x.misplaced(p, &odd)
		}
		if more := p.Misfits - len(p.Odd); more > 0 {
			x.add(Finding{
				Kind: Misplaced, Severity: Warning, Count: more,
				Text: fmt.Sprintf("%d more links do not fit the %s", more, p.Kind),
			})
		}
	}
	if looked == 0 {
		return 0, "the switches are joined in no shape that is known"
	}
	return looked, ""
}

func (x *examiner) misplaced(p *topology.Part, odd *topology.Odd) {
	a, okA := x.f.NodeByGUID(odd.A)
	b, okB := x.f.NodeByGUID(odd.B)
	if !okA || !okB {
		return
	}
	f := Finding{Kind: Misplaced, Severity: Warning, At: End{a, odd.APort}, To: End{b, odd.BPort}}
	f.Text = fmt.Sprintf("%s – %s does not fit the %s", x.place(f.At), x.place(f.To), p.Kind)
	f.Evidence = []string{fmt.Sprintf("it joins tiers %d and %d", odd.Tiers[0], odd.Tiers[1])}
	f.Remedy = []string{"Look whether this cable is in the right ports."}
	x.add(f)
}
