package api

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// nodePlace names a node as a whole.
func (x *index) nodePlace(n *fabric.Node) Place {
	p := Place{GUID: n.GUID(), Type: n.Type(), Name: x.name(n), Position: n.Slot().String()}
	if first := portWithLID(n); first != nil {
		p.LID = first.LID()
	}
	return p
}

// portWithLID is the port whose LID stands for the node: port 0 of a switch, else the
// first with one; nil for none.
func portWithLID(n *fabric.Node) *fabric.Port {
	for p := range n.Ports() {
		if p.LID() != 0 {
			return p
		}
	}
	return nil
}

// portPlace names a port.
func (x *index) portPlace(p *fabric.Port) Place {
	n, num := p.Node(), p.Num()
	return Place{
		GUID: n.GUID(), Type: n.Type(), Name: x.name(n), Position: n.Slot().String(),
		Port: &num, LID: p.LID(), Label: label(p),
	}
}

// label is what stands on the panel beside a port, "" if that is its number.
func label(p *fabric.Port) string {
	if p.Node().Type() != ib.NodeSwitch || p.Num() == 0 {
		return ""
	}
	if text := topology.PortLabel(p); text != decimal(p.Num()) {
		return text
	}
	return ""
}

func rateOf(r fabric.LinkRate) *Rate {
	if r.Width == 0 || r.Speed == 0 {
		return nil
	}
	return &Rate{Width: r.Width.String(), Speed: r.Speed.String(), RateGbps: max(0, ib.RateGbps(r.Width, r.Speed))}
}

// ratesOf are sets of widths and speeds as lists.
func ratesOf(r fabric.LinkRate) *Rates {
	if r == (fabric.LinkRate{}) {
		return nil
	}
	return &Rates{Widths: members(r.Width.String()), Speeds: members(r.Speed.String())}
}

// statesOf are states as words, "" where they are not known.
func stateWord(s ib.PortState) string {
	if s == ib.PortNoChange {
		return ""
	}
	return s.String()
}

func physStateWord(s ib.PhysState) string {
	if s == ib.PhysNoChange {
		return ""
	}
	return s.String()
}

// fitsNode reports whether a node fits the parameters that are about nodes. It is best
// called for many nodes, after chooser has looked at the parameters.
type chooser struct {
	r     *request
	words []string // of the search, in small letters
	lid   ib.LID   // that a search may mean, 0 for none
	chose bool     // there is a parameter about nodes
}

// choose looks at the parameters about nodes.
func (r *request) choose() *chooser {
	c := &chooser{r: r, words: searchWords(r.text("q"))}
	if len(c.words) == 1 {
		if lid, err := ib.ParseLID(c.words[0]); err == nil {
			c.lid = lid
		}
	}
	c.chose = slices.ContainsFunc(about, func(p param) bool { return r.has(p.name) })
	return c
}

// node reports whether a node fits, by itself or by one of its ports.
func (c *chooser) node(n *fabric.Node) bool {
	if !c.chose {
		return true
	}
	if !c.fits(n) {
		return false
	}
	if c.r.has("lid") && !hasLID(n, ib.LID(c.r.number("lid"))) {
		return false
	}
	return !c.r.has("guid") || hasGUID(n, c.r.guid("guid"))
}

// port reports whether a port fits.
func (c *chooser) port(p *fabric.Port) bool {
	if !c.chose {
		return true
	}
	if !c.fits(p.Node()) {
		return false
	}
	if c.r.has("lid") && !ownsLID(p, ib.LID(c.r.number("lid"))) {
		return false
	}
	g := c.r.guid("guid")
	return !c.r.has("guid") || p.Node().GUID() == g || p.GUID() == g
}

// fits looks at what is the same for all ports of a node.
func (c *chooser) fits(n *fabric.Node) bool {
	x := c.r.index
	if t := c.r.text("type"); t != "" && n.Type().String() != t {
		return false
	}
	if role := c.r.text("role"); role != "" && string(x.place(n).Role) != role {
		return false
	}
	if pattern := c.r.text("name"); pattern != "" && !fitsName(pattern, x.name(n)) && !fitsName(pattern, n.Description()) {
		return false
	}
	return c.found(n)
}

// found reports whether the search finds a node.
func (c *chooser) found(n *fabric.Node) bool {
	if c.lid != 0 && hasLID(n, c.lid) {
		return true
	}
	text := c.r.index.search[n.Index()]
	return !slices.ContainsFunc(c.words, func(w string) bool { return !containsWord(text, w) })
}

func hasLID(n *fabric.Node, lid ib.LID) bool {
	for p := range n.Ports() {
		if ownsLID(p, lid) {
			return true
		}
	}
	return false
}

// ownsLID reports whether a LID is one of a port's.
func ownsLID(p *fabric.Port, lid ib.LID) bool {
	base := p.LID()
	return base != 0 && lid >= base && int(lid) < int(base)+1<<p.LMC()
}

func hasGUID(n *fabric.Node, g ib.GUID) bool {
	if n.GUID() == g || n.Info().SystemImageGUID == g {
		return true
	}
	for p := range n.Ports() {
		if p.GUID() == g {
			return true
		}
	}
	return false
}
