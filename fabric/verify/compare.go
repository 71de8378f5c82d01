package verify

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
)

// compare sorts out what is in place, and checks what it runs at. What is left of
// the plan and of the fabric is in plannedAt and thereAt.
func (c *checker) compare() {
	c.plannedAt, c.thereAt = map[spot]*wire{}, map[spot]*wire{}
	inPlace := map[spot]bool{}
	for i := range c.planned {
		w := &c.planned[i]
		if p := c.peer(w.ends[0]); p != nil && spotOf(p) == w.ends[1] {
			inPlace[w.ends[0]], inPlace[w.ends[1]] = true, true
			c.report.InPlace++
			c.compareRate(w, fabric.Link{A: p.Remote(), B: p})
			continue
		}
		c.plannedAt[w.ends[0]], c.plannedAt[w.ends[1]] = w, w
	}
	for l := range c.f.Links() {
		w := &wire{ends: [2]spot{spotOf(l.A), spotOf(l.B)}, link: l}
		planned := c.plannedAt[w.ends[0]] != nil || c.plannedAt[w.ends[1]] != nil
		if inPlace[w.ends[0]] || inPlace[w.ends[1]] || !planned && (c.plan.Partial || !isCable(l)) {
			continue
		}
		if c.thereAt[w.ends[0]] == nil && c.thereAt[w.ends[1]] == nil { // ends may disagree
			c.thereAt[w.ends[0]], c.thereAt[w.ends[1]] = w, w
		}
	}
}

// compareRate wants what the plan says, or better.
func (c *checker) compareRate(w *wire, l fabric.Link) {
	if l.A == nil || l.OneWay() && l.A.InfoBytes() == nil {
		return
	}
	active := l.A.Active()
	if l.A.InfoBytes() == nil {
		active = l.B.Active()
	}
	if active.Width.Lanes() == 0 || active.Speed.Rank() == 0 {
		return
	}
	narrow := w.cable.Width.Lanes() > active.Width.Lanes()
	slow := w.cable.Speed.Rank() > active.Speed.Rank()
	if !narrow && !slow {
		return
	}
	want := fabric.LinkRate{Width: max(active.Width, w.cable.Width), Speed: w.cable.Speed}
	if w.cable.Width != 0 {
		want.Width = w.cable.Width
	}
	if want.Speed == 0 {
		want.Speed = active.Speed
	}
	c.add(Finding{
		Kind: WrongRate, Cables: []*Cable{w.cable}, Links: []fabric.Link{l},
		What: fmt.Sprintf("%s runs at %s, planned is %s.", upper(c.cable(w)), rate(active), rate(want)),
		Do:   []string{c.rateAdvice(l, want)},
	})
}

// rateAdvice says what stands in the way of a rate.
func (c *checker) rateAdvice(l fabric.Link, want fabric.LinkRate) string {
	for _, p := range []*fabric.Port{l.A, l.B} {
		if p.InfoBytes() == nil {
			continue
		}
		supported, enabled := p.Supported(), p.Enabled()
		at := c.place(spotOf(p))
		if supported.Width.Max().Lanes() < want.Width.Lanes() || supported.Speed.Max().Rank() < want.Speed.Rank() {
			return fmt.Sprintf("The port cannot do more: %s supports at most %s.", at,
				rate(fabric.LinkRate{Width: supported.Width.Max(), Speed: supported.Speed.Max()}))
		}
		if enabled.Width.Max().Lanes() < want.Width.Lanes() || enabled.Speed.Max().Rank() < want.Speed.Rank() {
			return fmt.Sprintf("It is switched off at %s: enable it with ibportstate.", at)
		}
	}
	return "Both ports can do it: clean and reseat both plugs, then try another cable."
}

// rate is a width and a speed for people: "4x HDR".
func rate(r fabric.LinkRate) string { return r.Width.String() + " " + r.Speed.String() }
