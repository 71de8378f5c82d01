package topology

import (
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Host is a machine: the adapters that say they are in it.
type Host struct {
	Number int      `json:"number"`
	Name   string   `json:"name,omitempty"` // untrusted text, "" when no adapter told one
	By     Evidence `json:"by"`             // ByName, ByImage or ByNode
	Role   Role     `json:"role"`
	HCAs   []HCA    `json:"hcas"` // in natural order of their names
}

// What makes adapters one machine, beside ByName.
const (
	ByImage Evidence = "system-image" // a common system image GUID
	ByNode  Evidence = "node"         // nothing: an adapter alone
)

// HCA is an adapter of a host, as the fabric shows it: of one card with two
// ports there may be two.
type HCA struct {
	GUID   ib.GUID   `json:"guid"`
	Device string    `json:"device,omitempty"` // "mlx5_0", "HCA-1"; untrusted text
	Ports  []HCAPort `json:"ports"`            // those with a link
}

// HCAPort is a port of an adapter with a link.
type HCAPort struct {
	Port   int     `json:"port"`
	Switch ib.GUID `json:"switch"` // or whatever is at the other end
	Far    int     `json:"far"`    // port there
	Part   int     `json:"part,omitempty"`
	Plane  int     `json:"plane,omitempty"`
	Rail   int     `json:"rail,omitempty"`
	Gbps   float64 `json:"gbps,omitempty"`
}

// groupHosts makes hosts of the adapters: by name, and by system image GUID
// where they have no name, or one that many machines have.
func (c *classifier) groupHosts() {
	g := hostGrouper{classifier: c, byName: map[string]int{}, byImage: map[ib.GUID]int{}, images: map[ib.GUID]imageHosts{}}
	for n := range c.f.CAs() {
		if !c.Place(n).Role.IsHost() {
			continue
		}
		if host, device := ParseDescription(n.Description()); host != "" && !isDefaultName(host) {
			g.add(g.named(n, host), n, device)
		}
	}
	for n := range c.f.CAs() {
		if p := c.Place(n); p.Role.IsHost() && p.Host == 0 {
			host, device := ParseDescription(n.Description())
			g.add(g.unnamed(n, host), n, device)
		}
	}
	g.renumber()
	c.reportHosts()
}

type hostGrouper struct {
	*classifier
	byName  map[string]int
	byImage map[ib.GUID]int        // of unnamed ones
	images  map[ib.GUID]imageHosts // of named ones
}

// imageHosts is which named hosts a system image GUID is in.
type imageHosts struct {
	host  int
	other bool // in others too
}

// named is the number of the host with that name.
func (g *hostGrouper) named(n *fabric.Node, name string) int {
	h, ok := g.byName[name]
	if !ok {
		h = g.newHost(name, ByName)
		g.byName[name] = h
	}
	if image := n.Info().SystemImageGUID; image != 0 {
		if seen, ok := g.images[image]; !ok {
			g.images[image] = imageHosts{host: h}
		} else if seen.host != h {
			g.images[image] = imageHosts{seen.host, true}
		}
	}
	return h
}

// unnamed is the number of the host of an adapter that has no name of its own.
func (g *hostGrouper) unnamed(n *fabric.Node, name string) int {
	image := n.Info().SystemImageGUID
	if seen, ok := g.images[image]; ok && !seen.other {
		return seen.host
	}
	if h, ok := g.byImage[image]; ok && image != 0 {
		return h
	}
	by := ByImage
	if image == 0 {
		by = ByNode
	}
	h := g.newHost(name, by)
	g.byImage[image] = h
	return h
}

func (g *hostGrouper) newHost(name string, by Evidence) int {
	g.Hosts = append(g.Hosts, Host{Number: len(g.Hosts) + 1, Name: name, By: by})
	return len(g.Hosts)
}

// add puts an adapter into a host.
func (g *hostGrouper) add(host int, n *fabric.Node, device string) {
	g.Place(n).Host = host
	h := &g.Hosts[host-1]
	h.HCAs = append(h.HCAs, HCA{GUID: n.GUID(), Device: device, Ports: []HCAPort{}})
}

// renumber brings the hosts into the canonical order of their first adapters,
// and the adapters into the order of their names.
func (g *hostGrouper) renumber() {
	number := make([]int, len(g.Hosts)+1)
	hosts := make([]Host, 0, len(g.Hosts))
	for i := range g.Places {
		p := &g.Places[i]
		if p.Host == 0 {
			continue
		}
		if number[p.Host] == 0 {
			h := g.Hosts[p.Host-1]
			number[p.Host] = len(hosts) + 1
			h.Number, h.Role = len(hosts)+1, p.Role
			if len(h.HCAs) == 1 && h.By == ByImage {
				h.By = ByNode
			}
			sort.SliceStable(h.HCAs, func(i, j int) bool {
				a, b := h.HCAs[i], h.HCAs[j]
				return CompareNatural(a.Device, b.Device) < 0
			})
			hosts = append(hosts, h)
		}
		p.Host = number[p.Host]
	}
	g.Hosts = hosts
}

// placePorts fills in where the ports of the hosts lead.
func (c *classifier) placePorts() {
	for i := range c.Hosts {
		for j := range c.Hosts[i].HCAs {
			h := &c.Hosts[i].HCAs[j]
			if n, ok := c.f.NodeByGUID(h.GUID); ok {
				h.Ports = c.portsOf(n, h.Ports)
			}
		}
	}
}

func (c *classifier) portsOf(n *fabric.Node, ports []HCAPort) []HCAPort {
	for p := range n.Ports() {
		far := p.Remote()
		if far == nil {
			continue
		}
		at := c.Place(far.Node())
		ports = append(ports, HCAPort{
			Port: p.Num(), Switch: at.GUID, Far: far.Num(), Part: at.Part, Plane: at.Plane, Rail: at.Rail, Gbps: gbps(p),
		})
	}
	return ports
}
