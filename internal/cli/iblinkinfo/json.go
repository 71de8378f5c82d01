package iblinkinfo

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
)

// document is the links and the ports without one that the text would show.
type document struct {
	Links    []link `json:"links"`
	Unlinked []end  `json:"unlinked"`
}

// link is a cable, each once.
type link struct {
	A       end     `json:"a"`
	B       end     `json:"b"`
	CouldBe *advice `json:"could_be,omitempty"` // where it is less
}

// end is an end of a link, or a port without one.
type end struct {
	diags.End
	Active       *rate  `json:"active,omitempty"`
	Enabled      *rates `json:"enabled,omitempty"`
	Supported    *rates `json:"supported,omitempty"`
	HOQLife      *uint8 `json:"hoq_life,omitempty"` // with -p
	VLStallCount *uint8 `json:"vl_stall_count,omitempty"`
}

type rate struct {
	Width string  `json:"width"`
	Speed string  `json:"speed"`
	Gbps  float64 `json:"rate_gbps,omitempty"`
}

type rates struct {
	Widths []string `json:"widths"`
	Speeds []string `json:"speeds"`
}

// advice is the best that both ends support, of what the link is not.
type advice struct {
	Width string `json:"width,omitempty"`
	Speed string `json:"speed,omitempty"`
}

// note takes in what the text would show: of one node, or of all for nil.
func (d *document) note(f *fabric.Fabric, only *fabric.Node, o *format.Options) {
	d.Links, d.Unlinked = []link{}, []end{}
	for n := range f.Nodes() {
		if only != nil && n != only {
			continue
		}
		for num := 1; num <= n.NumPorts(); num++ {
			if p := n.Port(num); p != nil && o.Shows(p) {
				d.notePort(p, only == nil, o)
			}
		}
	}
}

func (d *document) notePort(p *fabric.Port, all bool, o *format.Options) {
	q := p.Remote()
	switch {
	case q == nil:
		d.Unlinked = append(d.Unlinked, endOf(p, o))
	case isBefore(q, p) && q.Remote() == p && (all || q.Node() == p.Node()) && o.Shows(q):
		// the link is there already
	default:
		d.Links = append(d.Links, link{A: endOf(p, o), B: endOf(q, o), CouldBe: adviceOf(p)})
	}
}

// isBefore is the order of the fabric.
func isBefore(p, q *fabric.Port) bool {
	a, b := p.Node().Index(), q.Node().Index()
	return a < b || a == b && p.Num() < q.Num()
}

func endOf(p *fabric.Port, o *format.Options) end {
	e := end{End: diags.EndOf(p.Node(), p.Num(), o.Names), Enabled: ratesOf(p.Enabled()), Supported: ratesOf(p.Supported())}
	if p.State() == ib.PortDown {
		return e // of which what is active means nothing
	}
	if r := p.Active(); r != (fabric.LinkRate{}) {
		e.Active = &rate{r.Width.String(), r.Speed.String(), ib.RateGbps(r.Width, r.Speed)}
	}
	if info, ok := p.Info(); ok && o.Additional {
		e.HOQLife, e.VLStallCount = &info.HOQLife, &info.VLStallCount
	}
	return e
}

func ratesOf(r fabric.LinkRate) *rates {
	if r == (fabric.LinkRate{}) {
		return nil
	}
	return &rates{members(r.Width.String()), members(r.Speed.String())}
}

// members are those of a set of package ib in its text form.
func members(text string) []string {
	if text == "none" {
		return []string{}
	}
	return strings.Split(text, " or ")
}

// adviceOf is what the text says behind the other end, in other words.
func adviceOf(p *fabric.Port) *advice {
	width, speed := format.Advice(p)
	if width == "" && speed == "" {
		return nil
	}
	a, b := p.Supported(), p.Remote().Supported()
	var best advice
	if width != "" {
		best.Width = (a.Width & b.Width).Max().String()
	}
	if speed != "" {
		best.Speed = (a.Speed & b.Speed).Max().String()
	}
	return &best
}
