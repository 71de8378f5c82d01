package verify

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Rule is something that all of a fabric keeps. One of Count, Rate, Rails and Firmware is
// set.
type Rule struct {
	Text  string // as it was written; untrusted text
	Where string // file and line

	Count    *CountRule
	Rate     *RateRule
	Rails    *RailRule
	Firmware *FirmwareRule
}

// Group is nodes: those whose name one of the patterns matches (package path), or,
// without patterns, those with a role.
type Group struct {
	Name     string
	Patterns []string
}

// CountRule wants a number of links of each node of a group: all of them, or those
// to another group, in all or to each of its nodes.
type CountRule struct {
	Of       Group
	To       *Group // nil: all links
	Each     bool
	Min, Max int // Max -1 is no limit
}

// RateRule wants a rate of all links, or of those between two groups.
type RateRule struct {
	A, B  *Group // nil: all nodes
	Width ib.LinkWidth
	Speed ib.LinkSpeed
}

// maxPerRule bounds the findings of one rule.
const maxPerRule = 1000

// checkRule checks one rule. A rule whose groups nobody is in is a problem: it says
// nothing.
func (c *checker) checkRule(r *Rule) {
	before := len(c.report.Findings) + len(c.report.Problems)
	switch {
	case r.Count != nil:
		c.checkCount(r)
	case r.Rate != nil:
		c.checkRate(r)
	case r.Rails != nil:
		c.checkRails(r)
	case r.Firmware != nil:
		c.checkFirmware(r)
	}
	if len(c.report.Findings)+len(c.report.Problems) == before {
		c.report.Kept++
	}
}

func (c *checker) broken(r *Rule, links []fabric.Link, what, do string) {
	c.brokenBy(r, Finding{Links: links, What: what, Do: []string{do}})
}

func (c *checker) brokenBy(r *Rule, f Finding) {
	n := 0
	for i := range c.report.Findings {
		if c.report.Findings[i].Rule == r {
			n++
		}
	}
	if n < maxPerRule {
		f.Kind, f.Rule = BrokenRule, r
		c.add(f)
	}
}

// members are the nodes of a group; nil is all.
func (c *checker) members(r *Rule, g *Group) map[*fabric.Node]bool {
	in := map[*fabric.Node]bool{}
	for n := range c.f.Nodes() {
		if g == nil || c.isIn(n, g) {
			in[n] = true
		}
	}
	if len(in) == 0 {
		c.report.Problems = append(c.report.Problems, &Error{
			Where: r.Where, Op: r.Text, Detail: fmt.Sprintf("no node is a %q: give its names under groups", g.Name),
		})
	}
	return in
}

func (c *checker) isIn(n *fabric.Node, g *Group) bool {
	if len(g.Patterns) == 0 {
		switch g.Name {
		case "switch":
			return n.Type() == ib.NodeSwitch
		case "router":
			return n.Type() == ib.NodeRouter
		}
		if c.options.Role != nil {
			return c.options.Role(n) == g.Name
		}
		return g.Name == "host" && n.Type() == ib.NodeCA && !isAggregation(n)
	}
	return slices.ContainsFunc(g.Patterns, func(pattern string) bool {
		return slices.ContainsFunc(aliases(n, c.options.Own), func(name string) bool {
			fits, _ := path.Match(pattern, name)
			return fits && name != ""
		})
	})
}

func (c *checker) checkCount(r *Rule) {
	of := c.members(r, &r.Count.Of)
	to := c.members(r, r.Count.To)
	if len(of) == 0 || len(to) == 0 {
		return
	}
	for n := range c.f.Nodes() {
		if !of[n] {
			continue
		}
		links, all := map[*fabric.Node][]fabric.Link{}, []fabric.Link(nil)
		for p := range n.Ports() {
			if q := p.Remote(); q != nil && to[q.Node()] && !(r.Count.To == nil && isAggregation(q.Node())) {
				l := fabric.Link{A: p, B: q}
				links[q.Node()] = append(links[q.Node()], l)
				all = append(all, l)
			}
		}
		if !r.Count.Each {
			c.count(r, n, groupName(r.Count.To), all)
			continue
		}
		for m := range c.f.Nodes() {
			if to[m] && m != n {
				c.count(r, n, "to "+c.name(m), links[m])
			}
		}
	}
}

func groupName(g *Group) string {
	if g == nil {
		return "in all"
	}
	return "to " + g.Name + "s"
}

// count compares the number of a node's links with the rule.
func (c *checker) count(r *Rule, n *fabric.Node, to string, links []fabric.Link) {
	have := len(links)
	if have >= r.Count.Min && (r.Count.Max < 0 || have <= r.Count.Max) {
		return
	}
	what := fmt.Sprintf("%s has %s %s, expected are %s.", c.name(n), number(have), to, limits(r.Count))
	do := "Plug in what is missing."
	if have > r.Count.Min {
		do = "Take out what is too many."
	}
	if have > 0 {
		do += " It has: " + c.sockets(links) + "."
	}
	c.broken(r, links, what, do)
}

func (c *checker) sockets(links []fabric.Link) string {
	var list []string
	for _, l := range links[:min(len(links), 8)] {
		list = append(list, c.socket(spotOf(l.A)))
	}
	if len(links) > 8 {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

func number(n int) string {
	switch n {
	case 0:
		return "no link"
	case 1:
		return "1 link"
	}
	return fmt.Sprintf("%d links", n)
}

func limits(r *CountRule) string {
	switch {
	case r.Max == r.Min:
		return fmt.Sprint(r.Min)
	case r.Max < 0:
		return fmt.Sprintf("at least %d", r.Min)
	case r.Min == 0:
		return fmt.Sprintf("at most %d", r.Max)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

func (c *checker) checkRate(r *Rule) {
	a, b := c.members(r, r.Rate.A), c.members(r, r.Rate.B)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	for l := range c.f.Links() {
		m, n := l.A.Node(), l.B.Node()
		if !isCable(l) || !(a[m] && b[n] || a[n] && b[m]) {
			continue
		}
		active := l.A.Active()
		if active.Width.Lanes() == 0 || active.Speed.Rank() == 0 ||
			active.Width.Lanes() >= r.Rate.Width.Lanes() && active.Speed.Rank() >= r.Rate.Speed.Rank() {
			continue
		}
		want := fabric.LinkRate{Width: r.Rate.Width, Speed: r.Rate.Speed}
		w := wire{ends: [2]spot{spotOf(l.A), spotOf(l.B)}, link: l}
		c.broken(r, []fabric.Link{l}, fmt.Sprintf("%s runs at %s.", upper(c.cable(&w)), rate(active)), c.rateAdvice(l, want))
	}
}
