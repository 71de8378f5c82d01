package slurm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/internal/escape"
)

// distinct are the roots of networks with each host in the first of them only, and
// without the domains that have none left.
func distinct(networks []hosttree.Network) (roots []*hosttree.Domain) {
	seen := map[string]bool{}
	for _, n := range networks {
		for _, root := range n.Roots {
			if d := without(root, seen); d != nil {
				roots = append(roots, d)
			}
		}
	}
	return roots
}

// without is a domain without the hosts that were seen, nil if none is left.
func without(d *hosttree.Domain, seen map[string]bool) *hosttree.Domain {
	left := &hosttree.Domain{Name: d.Name, Level: d.Level}
	for _, child := range d.Children {
		if c := without(child, seen); c != nil {
			left.Children = append(left.Children, c)
		}
	}
	for _, h := range d.Hosts {
		if !seen[h] {
			seen[h] = true
			left.Hosts = append(left.Hosts, h)
		}
	}
	if len(left.Children) == 0 && len(left.Hosts) == 0 {
		return nil
	}
	return left
}

// switchesOf are all domains, the lower levels first.
func switchesOf(roots []*hosttree.Domain) []*hosttree.Domain {
	var all []*hosttree.Domain
	var add func(d *hosttree.Domain)
	add = func(d *hosttree.Domain) {
		for _, child := range d.Children {
			add(child)
		}
		all = append(all, d)
	}
	for _, root := range roots {
		add(root)
	}
	slices.SortStableFunc(all, func(a, b *hosttree.Domain) int { return a.Level - b.Level })
	return all
}

func childNames(d *hosttree.Domain) (names []string) {
	for _, child := range d.Children {
		names = append(names, child.Name)
	}
	return names
}

// quote is a string of YAML. Names have no characters that need more.
func quote(text string) string { return `"` + strings.Map(plain, text) + `"` }

func plain(r rune) rune {
	if r < ' ' || r > '~' || r == '"' || r == '\\' {
		return '_'
	}
	return r
}

// legal is text for a comment of one line; a backslash at its end would join the next.
func legal(text string) string { return strings.TrimRight(escape.Text(text), `\`) }

func numbers(list []int, separator string) string {
	var out []string
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, separator)
}
