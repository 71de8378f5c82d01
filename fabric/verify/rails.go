package verify

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// RailRule wants that no switch has adapters of two rails. The rail of an adapter is
// its place among those of its machine, by name in natural order, from 1.
type RailRule struct {
	First, Last int // rails that are looked at; Last 0 is all
}

// checkRails tells of each switch that has adapters of several rails which ones are
// the odd ones: those of all rails but the most frequent.
func (c *checker) checkRails(r *Rule) {
	rails := c.rails()
	found := false
	for sw := range c.f.Switches() {
		byRail := map[int][]fabric.Link{}
		for p := range sw.Ports() {
			q := p.Remote()
			if q == nil {
				continue
			}
			if rail := rails[q.Node()]; rail >= r.Rails.First && rail > 0 && (r.Rails.Last == 0 || rail <= r.Rails.Last) {
				byRail[rail] = append(byRail[rail], fabric.Link{A: p, B: q})
				found = true
			}
		}
		most := 0
		for rail, links := range byRail {
			if n := len(byRail[most]); len(links) > n || len(links) == n && rail < most {
				most = rail
			}
		}
		for _, rail := range slices.Sorted(maps.Keys(byRail)) {
			if rail != most {
				c.reportRail(r, sw, most, rail, byRail[rail])
			}
		}
	}
	if !found {
		c.report.Problems = append(c.report.Problems, &Error{Where: r.Where, Op: r.Text, Detail: "no adapter is in these rails"})
	}
}

func (c *checker) reportRail(r *Rule, sw *fabric.Node, most, rail int, links []fabric.Link) {
	var list []string
	for _, l := range links[:min(len(links), 8)] {
		list = append(list, fmt.Sprintf("%s in %s", c.name(l.B.Node()), c.socket(spotOf(l.A))))
	}
	if len(links) > 8 {
		list = append(list, "…")
	}
	what := fmt.Sprintf("%s is of rail %d and has %d of rail %d: %s.", c.name(sw), most, len(links), rail, strings.Join(list, ", "))
	c.broken(r, links, what, fmt.Sprintf("Move them to a switch of rail %d.", rail))
}

// rails numbers the adapters of each machine.
func (c *checker) rails() map[*fabric.Node]int {
	type adapter struct {
		node   *fabric.Node
		device string
	}
	hosts := map[string][]adapter{}
	for n := range c.f.CAs() {
		host, device := topology.ParseDescription(n.Description())
		if host != "" && n.Type() == ib.NodeCA && !isAggregation(n) {
			hosts[host] = append(hosts[host], adapter{n, device})
		}
	}
	rails := map[*fabric.Node]int{}
	for _, list := range hosts {
		sort.SliceStable(list, func(i, j int) bool {
			a, b := list[i], list[j]
			return natural(a.device, b.device) < 0
		})
		for i, a := range list {
			rails[a.node] = i + 1
		}
	}
	return rails
}

// natural compares texts with numbers in them: "mlx5_2" comes before "mlx5_10".
func natural(a, b string) int {
	p, q := strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")
	if p != q {
		return strings.Compare(p, q)
	}
	x, y := strings.TrimLeft(a[len(p):], "0"), strings.TrimLeft(b[len(q):], "0")
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(x, y)
}
