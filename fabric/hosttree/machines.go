package hosttree

import (
	"slices"
	"sort"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// machine is a host under its last name: maybe several hosts of the topology.
type machine struct {
	name  string
	links []link
}

// link is one from a machine to a switch.
type link struct {
	sw   int32 // index of the switch among the nodes
	part int
	rail int
}

// machines are the hosts of a fabric that count, in natural order of their names.
func (b *builder) machines(in Input) []*machine {
	byName := map[string]*machine{}
	var list []*machine
	for i := range in.Topology.Hosts {
		h := &in.Topology.Hosts[i]
		name, reason := b.hostName(in.Fabric, h)
		if reason == "" {
			reason = b.unwanted(name, h)
		}
		links := linksOf(in.Fabric, h)
		if reason == "" && len(links) == 0 {
			reason = NoLink
		}
		if reason != "" {
			b.leave(name, reason, h)
			continue
		}
		m := byName[name]
		if m == nil {
			m = &machine{name: name}
			byName[name] = m
			list = append(list, m)
		}
		m.links = append(m.links, links...)
	}
	slices.SortFunc(list, func(x, y *machine) int { return topology.CompareNatural(x.name, y.name) })
	return list
}

// hostName is the name of a host after the rules, with the reason if it is of no use.
func (b *builder) hostName(f *fabric.Fabric, h *topology.Host) (string, Reason) {
	name := ""
	if h.By == topology.ByName {
		name = h.Name
	}
	if b.o.Name != nil {
		for _, hca := range h.HCAs {
			if n, ok := f.NodeByGUID(hca.GUID); ok {
				if own, ok := b.o.Name(n); ok {
					name = hostOf(own)
					break
				}
			}
		}
	}
	if name == "" {
		return "", NoName
	}
	for i := range b.o.Rules {
		name = b.o.Rules[i].Apply(name)
	}
	if !IsHostName(name) {
		return name, BadName
	}
	return name, ""
}

// hostOf is the host in a name that a map gives to an adapter.
func hostOf(own string) string {
	if host, _ := topology.ParseDescription(own); host != "" {
		return host
	}
	return strings.TrimSpace(own)
}

func (b *builder) unwanted(name string, h *topology.Host) Reason {
	switch {
	case b.o.Only != nil && !b.o.Only[name], b.o.Exclude != nil && b.o.Exclude.MatchString(name):
		return NotWanted
	case b.o.Only == nil && !slices.Contains(b.o.Roles, h.Role):
		return OtherRole
	}
	return ""
}

func (b *builder) leave(name string, reason Reason, h *topology.Host) {
	l := Left{Name: name, Reason: reason, Role: h.Role}
	for _, hca := range h.HCAs {
		l.Adapters = append(l.Adapters, hca.GUID)
	}
	b.Left = append(b.Left, l)
}

// linksOf are the links of a host to switches, in the order of its adapters.
func linksOf(f *fabric.Fabric, h *topology.Host) (list []link) {
	for _, hca := range h.HCAs {
		for _, p := range hca.Ports {
			sw, ok := f.NodeByGUID(p.Switch)
			if !ok || sw.Type() != ib.NodeSwitch || p.Part == 0 {
				continue
			}
			list = append(list, link{sw: int32(sw.Index()), part: p.Part, rail: p.Rail})
		}
	}
	return list
}

// finish lists what of Only was not found and sorts what was left out. A host that
// is in a network by one fabric is not left out by another.
func (b *builder) finish() {
	b.Left = slices.DeleteFunc(b.Left, func(l Left) bool { return l.Name != "" && b.placed[l.Name] })
	seen := map[string]bool{}
	for _, l := range b.Left {
		seen[l.Name] = true
	}
	for name := range b.o.Only {
		if !b.placed[name] && !seen[name] {
			b.Left = append(b.Left, Left{Name: name, Reason: NotFound})
		}
	}
	sort.SliceStable(b.Left, func(i, j int) bool {
		x, y := b.Left[i], b.Left[j]
		return topology.CompareNatural(x.Name, y.Name) < 0
	})
}
