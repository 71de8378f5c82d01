package summary

import (
	"cmp"
	"fmt"
	"math"
	"sort"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// tally counts links of one rate.
type tally struct{ hosts, switches int }

func (w *writer) links(f *fabric.Fabric) {
	rates := map[fabric.LinkRate]tally{}
	var total tally
	states := map[ib.PortState]int{}
	oneWay, loops := 0, 0
	for l := range f.Links() {
		rate := l.A.Active()
		t := rates[rate]
		if isSwitchLink(l) {
			t.switches++
			total.switches++
		} else {
			t.hosts++
			total.hosts++
		}
		rates[rate] = t
		states[linkState(l)]++
		if l.OneWay() {
			oneWay++
		}
		if l.IsSelfLink() {
			loops++
		}
	}
	w.heading(fmt.Sprintf("Links: %d", total.hosts+total.switches))
	if total == (tally{}) {
		return
	}
	w.printf("  %-24s %10s %15s\n", "", "to hosts", "among switches")
	for _, r := range byRate(rates) {
		w.printf("  %-24s %10d %15d\n", rateText(r), rates[r].hosts, rates[r].switches)
	}
	if len(rates) > 1 {
		w.printf("  %-24s %10d %15d\n", "total", total.hosts, total.switches)
	}
	w.linkNotes(states, oneWay, loops)
}

// linkNotes says what is unusual about the links as a whole.
func (w *writer) linkNotes(states map[ib.PortState]int, oneWay, loops int) {
	for s := ib.PortState(0); s < 16; s++ {
		if n := states[s]; n > 0 && s != ib.PortActive && s != ib.PortNoChange {
			w.printf("  %s in state %s%s\n", count(n, "link"), s, stateHint(s))
		}
	}
	if oneWay > 0 {
		w.printf("  %s known from one end only\n", count(oneWay, "link"))
	}
	if loops > 0 {
		w.printf("  %s from a node to itself\n", count(loops, "link"))
	}
}

func stateHint(s ib.PortState) string {
	if s == ib.PortInitialize || s == ib.PortArmed {
		return ": no subnet manager has brought it up"
	}
	return ""
}

// linkState is the state of the end that is less far.
func linkState(l fabric.Link) ib.PortState {
	a, b := l.A.State(), l.B.State()
	if a == ib.PortNoChange || b != ib.PortNoChange && b < a {
		return b
	}
	return a
}

func isSwitchLink(l fabric.Link) bool {
	return l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch
}

// byRate sorts rates, the fastest first.
func byRate(rates map[fabric.LinkRate]tally) []fabric.LinkRate {
	list := make([]fabric.LinkRate, 0, len(rates))
	for r := range rates {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(ib.RateGbps(b.Width, b.Speed), ib.RateGbps(a.Width, a.Speed)),
			cmp.Compare(b.Width, a.Width), cmp.Compare(b.Speed, a.Speed)) < 0
	})
	return list
}

// rateText is "4x EDR    100 Gb/s".
func rateText(r fabric.LinkRate) string {
	if r.Width == 0 && r.Speed == 0 {
		return "rate not known"
	}
	text := r.Width.String() + " " + r.Speed.String()
	if gbps := ib.RateGbps(r.Width, r.Speed); gbps > 0 {
		text = fmt.Sprintf("%-10s %6s Gb/s", text, trim(gbps))
	}
	return text
}

// trim prints a number with at most one decimal.
func trim(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// degraded lists the links that run below what both ends support.
func (w *writer) degraded(f *fabric.Fabric) {
	var first []fabric.Link
	total := 0
	for l := range f.Links() {
		if l.IsDegraded() {
			total++
			if total <= w.Limit {
				first = append(first, l)
			}
		}
	}
	if total == 0 {
		return
	}
	w.heading(w.paint(yellow, fmt.Sprintf("Links below what both ends support: %d", total)))
	for _, l := range first {
		w.end("  ", l.A)
		w.end("  ", l.B)
		w.printf("      runs at %s, could run at %s\n", shortRate(l.A.Active()), shortRate(l.Best()))
	}
	w.more(total, "  ")
}

// end is one end of a link on a line.
func (w *writer) end(indent string, p *fabric.Port) {
	w.printf("%s%s  %s  port %3d\n", indent, fit(w.label(p.Node()), 40), p.Node().GUID(), p.Num())
}

func shortRate(r fabric.LinkRate) string {
	text := r.Width.String() + " " + r.Speed.String()
	if gbps := ib.RateGbps(r.Width, r.Speed); gbps > 0 {
		text += " (" + trim(gbps) + " Gb/s)"
	}
	return text
}
