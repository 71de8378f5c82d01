package topology

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Problem is something that cannot be as it is told.
type Problem struct {
	Kind   ProblemKind `json:"kind"`
	Hosts  []int       `json:"hosts"`
	GUIDs  []ib.GUID   `json:"guids"`
	Detail string      `json:"detail"` // one line, with untrusted text quoted
}

// ProblemKind is the kind of a problem; the constants are the stable names of
// machine-readable outputs.
type ProblemKind string

// The kinds of problems.
const (
	ImageShared ProblemKind = "image-shared" // adapters with one system image GUID name different hosts
	DeviceTwice ProblemKind = "device-twice" // two adapters of a host have one name: maybe two hosts do
)

// reportHosts lists the hosts whose names and GUIDs disagree.
func (c *classifier) reportHosts() {
	first := map[ib.GUID]*fabric.Node{}
	reported := map[ib.GUID]bool{}
	for n := range c.f.CAs() {
		image := n.Info().SystemImageGUID
		if !c.Place(n).Role.IsHost() || image == 0 {
			continue
		}
		other, ok := first[image]
		if !ok {
			first[image] = n
			continue
		}
		a, b := c.Place(other).Host, c.Place(n).Host
		if a != b && !reported[image] {
			reported[image] = true
			c.Problems = append(c.Problems, Problem{
				Kind: ImageShared, Hosts: []int{a, b}, GUIDs: []ib.GUID{other.GUID(), n.GUID()},
				Detail: fmt.Sprintf("system image GUID %s is in hosts %q and %q", image, c.Hosts[a-1].Name, c.Hosts[b-1].Name),
			})
		}
	}
	for i := range c.Hosts {
		c.reportDevices(&c.Hosts[i])
	}
}

// reportDevices finds two adapters of a host with one name, which two nodes of
// one card have in common at most.
func (c *classifier) reportDevices(h *Host) {
	for i := 1; i < len(h.HCAs); i++ {
		a, b := &h.HCAs[i-1], &h.HCAs[i]
		if a.Device == b.Device && a.Device != "" && h.By == ByName && a.GUID != b.GUID && !c.oneImage(a.GUID, b.GUID) {
			c.Problems = append(c.Problems, Problem{
				Kind: DeviceTwice, Hosts: []int{h.Number}, GUIDs: []ib.GUID{a.GUID, b.GUID},
				Detail: fmt.Sprintf("host %q has two adapters %q", h.Name, a.Device),
			})
		}
	}
}

func (c *classifier) oneImage(a, b ib.GUID) bool {
	m, okA := c.f.NodeByGUID(a)
	n, okB := c.f.NodeByGUID(b)
	return okA && okB && m.Info().SystemImageGUID == n.Info().SystemImageGUID
}
