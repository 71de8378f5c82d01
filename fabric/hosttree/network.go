package hosttree

import (
	"slices"

	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// networksOf puts parts that have no host in common into one network, the largest
// part first. Of several planes the first stands for all.
func networksOf(top *topology.Topology, machines []*machine) []map[int]bool {
	on := make([]map[*machine]bool, len(top.Parts)+1)
	for _, m := range machines {
		for _, l := range m.links {
			if on[l.part] == nil {
				on[l.part] = map[*machine]bool{}
			}
			on[l.part][m] = true
		}
	}
	var networks []map[int]bool
	var members []map[*machine]bool
	for _, p := range top.Parts {
		hosts := on[p.Number]
		if len(hosts) == 0 || p.Plane > 1 {
			continue
		}
		at := slices.IndexFunc(members, func(have map[*machine]bool) bool { return !overlap(have, hosts) })
		if at < 0 {
			at = len(networks)
			networks, members = append(networks, map[int]bool{}), append(members, map[*machine]bool{})
		}
		networks[at][p.Number] = true
		for m := range hosts {
			members[at][m] = true
		}
	}
	return networks
}

func overlap(a, b map[*machine]bool) bool {
	for m := range b {
		if a[m] {
			return true
		}
	}
	return false
}

// network arranges the machines that have links in the given parts.
func (b *builder) network(s *switches, parts map[int]bool, machines []*machine) Network {
	var here []*machine
	for _, m := range machines {
		if slices.ContainsFunc(m.links, func(l link) bool { return parts[l.part] }) {
			here = append(here, m)
		}
	}
	g := &grower{switches: s, names: b.names, used: map[ib.GUID]bool{}}
	for i, leaf := range leaves(s.nodes, here, parts, b.o.Rail) {
		g.addHost(leaf, here[i].name)
		b.placed[here[i].name] = true
	}
	g.grow()
	n := Network{Roots: g.domains(), Hosts: len(here)}
	for _, root := range n.Roots {
		n.Levels = max(n.Levels, root.Level)
	}
	return n
}

// nameNetworks gives each network its name, and names to the domains that no
// switch stands for.
func (b *builder) nameNetworks() {
	names := newTaken()
	for _, own := range b.o.Networks {
		names.take(own)
	}
	for i := range b.Networks {
		n := &b.Networks[i]
		if i < len(b.o.Networks) && b.o.Networks[i] != "" {
			n.Name = b.o.Networks[i]
		} else {
			n.Name = names.free(b.purpose(i))
		}
		for _, root := range n.Roots {
			b.nameBelow(root)
			if root.Name == "" {
				root.Name = b.names.free(n.Name + "-all")
			}
		}
		sortByName(n.Roots)
	}
}

// sortByName brings domains, and those below them, into the order of their names,
// which does not depend on where a sweep began.
func sortByName(list []*Domain) {
	for _, d := range list {
		sortByName(d.Children)
	}
	slices.SortFunc(list, func(a, b *Domain) int { return topology.CompareNatural(a.Name, b.Name) })
}

// nameBelow names the groups below a domain for their first leaves.
func (b *builder) nameBelow(d *Domain) {
	for _, child := range d.Children {
		b.nameBelow(child)
		if child.Name == "" {
			child.Name = b.names.free("group-" + firstLeaf(child))
		}
	}
}

// purpose is "compute" for the first network, and "storage" for others of a fabric
// with storage servers.
func (b *builder) purpose(i int) string {
	if i == 0 {
		return "compute"
	}
	in := b.inputs[b.Networks[i].Input]
	for j := range in.Topology.Hosts {
		if in.Topology.Hosts[j].Role == topology.RoleStorage {
			return "storage"
		}
	}
	return "compute"
}

// firstLeaf is the name of the first leaf in a domain.
func firstLeaf(d *Domain) string {
	first := ""
	for _, child := range d.Children {
		if name := firstLeaf(child); first == "" || topology.CompareNatural(name, first) < 0 {
			first = name
		}
	}
	if len(d.Children) == 0 {
		return d.Name
	}
	return first
}
