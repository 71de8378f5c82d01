package drawing

import (
	"fmt"
	"math"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// speedColours go from dull to dark with the speed.
var speedColours = []struct {
	speed  ib.LinkSpeed
	colour string
}{
	{ib.SpeedSDR, "#b3a58e"},
	{ib.SpeedDDR, "#8c7b5f"},
	{ib.SpeedQDR, "#e69f00"},
	{ib.SpeedFDR10, "#b87800"},
	{ib.SpeedFDR, "#56b4e9"},
	{ib.SpeedEDR, "#0072b2"},
	{ib.SpeedHDR, "#009e73"},
	{ib.SpeedNDR, "#aa4499"},
	{ib.SpeedXDR, "#332288"},
}

// errorColours are for sums of errors from that number on.
var errorColours = []struct {
	from   uint64
	colour string
	name   string
}{
	{0, "#9fb3c8", "no errors"}, {1, "#e69f00", "1 … 99"}, {100, "#d55e00", "100 … 9,999"}, {10000, "#7f0000", "10,000 or more"},
}

// Colours of links beside those of their speeds.
const (
	Degraded = "#d7191c"
	Down     = "#8a8f98"
	Unknown  = "#7a7a7a"
)

// plain is above the ranks of links without a fault.
const plain = 50

// Style is how a line is drawn.
type Style struct {
	Name   string // what the legend says
	Colour string
	Width  float64
	Dash   []float64
	Rank   int // of the more telling of two: it is drawn later
}

// StyleOf is how a bundle of links is drawn: as the worst of them.
func StyleOf(links []fabric.Link, errors func(*fabric.Port) (uint64, bool)) Style {
	best := Style{Rank: -1}
	for _, l := range links {
		if s := styleOf(l, errors); s.Rank > best.Rank {
			best = s
		}
	}
	if len(links) > 1 {
		best.Width *= 1 + 0.3*math.Log2(float64(len(links)))
		best.Width = min(best.Width, 9)
	}
	return best
}

func styleOf(l fabric.Link, errors func(*fabric.Port) (uint64, bool)) Style {
	rate := ActiveRate(l)
	s := Style{Width: lineWidth(rate.Width.Lanes())}
	switch {
	case IsDown(l):
		s.Name, s.Colour, s.Dash, s.Rank = "not active", Down, []float64{2, 3}, 50
	case errors != nil:
		s.byErrors(l, errors)
	case l.IsDegraded():
		s.Name, s.Colour, s.Dash, s.Rank = "degraded", Degraded, []float64{7, 4}, 60
		s.Width = max(s.Width, 2)
	default:
		s.Name, s.Colour = "speed not known", Unknown
		for i, c := range speedColours {
			if c.speed == rate.Speed {
				s.Name, s.Colour, s.Rank = c.speed.String(), c.colour, i+1
			}
		}
	}
	return s
}

func (s *Style) byErrors(l fabric.Link, errors func(*fabric.Port) (uint64, bool)) {
	a, okA := errors(l.A)
	b, okB := errors(l.B)
	if !okA && !okB {
		s.Name, s.Colour, s.Rank = "counters not known", Unknown, 0
		return
	}
	sum := a + b
	if sum < a {
		sum = math.MaxUint64
	}
	for i, c := range errorColours {
		if sum >= c.from {
			s.Name, s.Colour, s.Rank = c.name, c.colour, i+1
		}
	}
	if sum > 0 {
		s.Width = max(s.Width, 2)
	}
}

// lineWidth is that of links with so many lanes.
func lineWidth(lanes int) float64 {
	switch {
	case lanes == 0:
		return 1
	case lanes <= 2:
		return 0.8 + 0.2*float64(lanes-1)
	}
	return 1 + float64(lanes)*0.15
}

// ActiveRate is what a link runs at, as its first end says, or the other one.
func ActiveRate(l fabric.Link) fabric.LinkRate {
	if r := l.A.Active(); r != (fabric.LinkRate{}) {
		return r
	}
	return l.B.Active()
}

// IsDown reports whether an end of the link says that it is not active.
func IsDown(l fabric.Link) bool {
	for _, p := range []*fabric.Port{l.A, l.B} {
		if s := p.State(); s != ib.PortActive && s != ib.PortNoChange {
			return true
		}
	}
	return false
}

// Rate says how a link runs: "4x EDR, 100 Gb/s"; and at what it could.
func Rate(l fabric.Link) string {
	r := ActiveRate(l)
	if IsDown(l) {
		return "not active"
	}
	if r.Width == 0 || r.Speed == 0 {
		return "rate not known"
	}
	text := fmt.Sprintf("%s %s", r.Width, r.Speed)
	if gbps := ib.RateGbps(r.Width, r.Speed); gbps > 0 {
		text += fmt.Sprintf(", %.4g Gb/s", gbps)
	}
	if l.IsDegraded() {
		best := l.Best()
		text += fmt.Sprintf(", degraded from %s %s", best.Width, best.Speed)
	}
	return text
}

// maxTip is how many links of a bundle are told one by one.
const maxTip = 12

// tip says what is in a bundle.
func (p *painter) tip(links []fabric.Link) string {
	var b strings.Builder
	for i, l := range links {
		if i == maxTip {
			fmt.Fprintf(&b, "\n… and %d more", len(links)-maxTip)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s – %s: %s", p.end(l.A), p.end(l.B), Rate(l))
	}
	return b.String()
}

func (p *painter) end(at *fabric.Port) string {
	return fmt.Sprintf("%s port %s", NameOf(at.Node(), p.o.Name), PortOf(at))
}
