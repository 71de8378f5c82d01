package health

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// links looks at links that are narrower or slower than they could be.
func (x *examiner) links() (looked int, skipped string) {
	for l := range x.f.Links() {
		a, b := l.A.Active(), l.B.Active()
		if a.Width == 0 || b.Width == 0 || l.A.State() == ib.PortDown {
			continue
		}
		looked++
		switch {
		case l.Disagrees():
			x.ratesDisagree(l, a, b)
		case l.IsDegraded():
			x.degraded(l, a)
		}
	}
	if looked == 0 {
		return 0, "no rates of links are known"
	}
	return looked, ""
}

func (x *examiner) ratesDisagree(l fabric.Link, a, b fabric.LinkRate) {
	x.add(Finding{
		Kind: RatesDisagree, Severity: Error, At: At(l.A), To: At(l.B),
		Text:   fmt.Sprintf("%s: one end tells %s, the other %s", x.between(l), a, b),
		Remedy: []string{"Sweep again: it may have been changing. If it stays, take the link down and up: ibportstate … reset."},
	})
}

func (x *examiner) degraded(l fabric.Link, active fabric.LinkRate) {
	best := l.Best()
	f := Finding{Kind: Slow, Severity: Warning, At: At(l.A), To: At(l.B)}
	f.Text = fmt.Sprintf("%s runs at %s and could at %s", x.between(l), rate(active), rate(best))
	if active.Width != best.Width {
		f.Kind, f.Severity = Narrow, Error
		f.Remedy = []string{
			"Lanes are lost: plug the cable anew at both ends, then try another one.",
			"If another cable does not help, a port is bad.",
		}
	} else {
		f.Remedy = []string{
			"Compare the speeds that both ends have enabled: ibportstate shows and sets them.",
			"Try a cable that is made for the higher speed.",
		}
	}
	for _, p := range []*fabric.Port{l.A, l.B} {
		f.Evidence = append(f.Evidence, x.place(At(p))+": "+abilities(p))
	}
	x.add(f)
}

// abilities is what a port runs at, and the most that it could.
func abilities(p *fabric.Port) string {
	can, may := most(p.Supported()), most(p.Enabled())
	text := fmt.Sprintf("runs at %s, supports %s", rate(p.Active()), rate(can))
	if may != can && may != (fabric.LinkRate{}) {
		text += fmt.Sprintf(", has no more than %s enabled", rate(may))
	}
	return text
}

func most(r fabric.LinkRate) fabric.LinkRate {
	return fabric.LinkRate{Width: r.Width.Max(), Speed: r.Speed.Max()}
}

func rate(r fabric.LinkRate) string { return r.Width.String() + " " + r.Speed.String() }

// mtu looks at links whose ends use different MTUs, or smaller ones than they could.
func (x *examiner) mtu() (looked int, skipped string) {
	low := Finding{Kind: MTULow, Severity: Note}
	for l := range x.f.Links() {
		a, okA := l.A.Info()
		b, okB := l.B.Info()
		if !okA || !okB || a.State != ib.PortActive || b.State != ib.PortActive || a.NeighborMTU == 0 || b.NeighborMTU == 0 {
			continue
		}
		looked++
		text := fmt.Sprintf("%s: MTU %d and %d", x.between(l), a.NeighborMTU.Bytes(), b.NeighborMTU.Bytes())
		switch limit := min(a.MTUCap, b.MTUCap); {
		case a.NeighborMTU != b.NeighborMTU:
			x.add(Finding{
				Kind: MTUMismatch, Severity: Error, At: At(l.A), To: At(l.B), Text: text,
				Remedy: []string{"Large packets are lost here. Let the subnet manager set the link up anew: ibportstate … reset."},
			})
		case a.NeighborMTU < limit:
			if low.Count++; low.Count == 1 {
				low.At, low.To = At(l.A), At(l.B)
			}
			low.Evidence = listed(low.Evidence, low.Count, fmt.Sprintf("%s, and both ends can %d", text, limit.Bytes()))
		}
	}
	if low.Count > 0 {
		low.Text = are(low.Count, "link has", "links have") + " a smaller MTU than both ends support"
		low.Remedy = []string{"Look at the MTU in the settings of the subnet manager."}
		x.add(low)
	}
	if looked == 0 {
		return 0, "no MTUs of active links are known"
	}
	return looked, ""
}
