package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric/topology"
)

// hosts looks for hosts that have fewer links than others of their kind: those with
// names that differ in digits only.
func (x *examiner) hosts() (looked int, skipped string) {
	type key struct {
		role topology.Role
		stem string
	}
	var g group[key, *topology.Host]
	for i := range x.Topology.Hosts {
		h := &x.Topology.Hosts[i]
		if h.By == topology.ByName && h.Role.IsHost() {
			g.add(key{h.Role, stem(h.Name)}, h)
			looked++
		}
	}
	for i := range x.Topology.Problems {
		x.unclear(&x.Topology.Problems[i])
	}
	for _, k := range g.order {
		x.hostGroup(g.members[k])
	}
	if looked == 0 {
		return 0, "no adapter tells the name of its host"
	}
	return looked, ""
}

// stem is a name with each number in it as one #.
func stem(name string) string {
	var b strings.Builder
	inNumber := false
	for _, r := range name {
		isDigit := r >= '0' && r <= '9'
		switch {
		case !isDigit:
			b.WriteRune(r)
		case !inNumber:
			b.WriteByte('#')
		}
		inNumber = isDigit
	}
	return b.String()
}

func (x *examiner) unclear(p *topology.Problem) {
	f := Finding{Kind: SameHost, Severity: Warning, Text: p.Detail, Count: max(len(p.Hosts), 1)}
	for i, g := range p.GUIDs {
		if n, ok := x.f.NodeByGUID(g); ok {
			if f.At.Node == nil {
				f.At = End{n, -1}
			}
			f.Evidence = listed(f.Evidence, i+1, x.Name(n)+" "+g.String())
		}
	}
	f.Remedy = []string{"Look whether two hosts have the same name, or a card was moved: the driver sets the name when it starts."}
	x.add(f)
}

// hostGroup compares hosts with each other.
func (x *examiner) hostGroup(hosts []*topology.Host) {
	links := make([]int, len(hosts))
	for i, h := range hosts {
		links[i] = linksOf(h)
	}
	most, ok := usual(links)
	if !ok {
		return
	}
	var devices map[string]bool // that most have
	for i, h := range hosts {
		if links[i] >= most {
			continue
		}
		if devices == nil {
			devices = usualDevices(hosts)
		}
		x.fewerLinks(h, links[i], most, len(hosts)-1, missingDevices(h, devices))
	}
}

func linksOf(h *topology.Host) (n int) {
	for i := range h.HCAs {
		n += len(h.HCAs[i].Ports)
	}
	return n
}

// usualDevices are the names of adapters with a link that two thirds of hosts have.
func usualDevices(hosts []*topology.Host) map[string]bool {
	count := map[string]int{}
	for _, h := range hosts {
		for name := range devicesOf(h) {
			count[name]++
		}
	}
	names := map[string]bool{}
	for name, n := range count {
		if 3*n >= 2*len(hosts) {
			names[name] = true
		}
	}
	return names
}

func devicesOf(h *topology.Host) map[string]bool {
	names := map[string]bool{}
	for i := range h.HCAs {
		if a := &h.HCAs[i]; a.Device != "" && len(a.Ports) > 0 {
			names[a.Device] = true
		}
	}
	return names
}

func missingDevices(h *topology.Host, usual map[string]bool) (list []string) {
	have := devicesOf(h)
	for name := range usual {
		if !have[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func (x *examiner) fewerLinks(h *topology.Host, links, most, peers int, missing []string) {
	f := Finding{Kind: FewerLinks, Severity: Error}
	f.Text = fmt.Sprintf("%s has %s; of its %d peers most have %d", h.Name, are(links, "link", "links"), peers, most)
	if n, ok := x.f.NodeByGUID(h.HCAs[0].GUID); ok {
		f.At = End{n, -1}
	}
	if len(missing) > 0 {
		f.Evidence = append(f.Evidence, "peers have, and it has not: "+strings.Join(missing, ", "))
	}
	f.Remedy = []string{
		"On the host: is the adapter there (lspci), and its port up (ibstat, ibscope doctor)?",
		"Then look at its cable, and at the port of the switch where its peers have theirs.",
	}
	x.add(f)
}
