package web

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/ib"
)

// structure is what a map is drawn from, until nodes or links are others. Columns are
// as long as there are nodes, links, boxes …; a number in one is a place in another.
type structure struct {
	Version string      `json:"version"`
	Fabric  string      `json:"fabric"`
	Shape   string      `json:"shape"` // of the switches: "fat-tree"
	Nodes   nodeColumns `json:"nodes"`
	Links   linkColumns `json:"links"`
	Roles   []string    `json:"roles"`
	Models  []string    `json:"models"`
	Views   []string    `json:"views"` // names of the layouts
	Start   int         `json:"start"` // the one to begin with

	guids  []ib.GUID   // of nodes
	first  []end       // of links
	byPort map[end]int // links by their ports
	plans  []*plan     // of the views
}

type nodeColumns struct {
	Name  []string `json:"name"` // escaped
	GUID  []string `json:"guid"`
	LID   []int    `json:"lid"`  // 0 for none
	Type  []int    `json:"type"` // 1 channel adapter, 2 switch, 3 router
	Role  []int    `json:"role"`
	Model []int    `json:"model"`
	Tier  []int    `json:"tier"`
	Group []int    `json:"group"`
	Ports []int    `json:"ports"`
}

type linkColumns struct {
	A     []int             `json:"a"` // nodes, and their ports
	APort []int             `json:"ap"`
	B     []int             `json:"b"`
	BPort []int             `json:"bp"`
	Label map[string]string `json:"label"` // of ports whose panel says something else: "12a" for the first end of link 12
}

// fingerprint tells apart fabrics whose structures differ.
func fingerprint(f *fabric.Fabric) string {
	sum := sha256.New()
	for n := range f.Nodes() {
		number(sum, uint64(n.GUID()), uint64(n.Type()), uint64(n.NumPorts()), uint64(drawing.LIDOf(n)))
		info := n.Info()
		number(sum, uint64(info.VendorID), uint64(info.DeviceID), uint64(len(n.Description())))
		_, _ = io.WriteString(sum, n.Description()) // a hash does not fail
	}
	for l := range f.Links() {
		number(sum, uint64(l.A.Node().Index()), uint64(l.A.Num()), uint64(l.B.Node().Index()), uint64(l.B.Num()))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

func number(to hash.Hash, list ...uint64) {
	var b [8]byte
	for _, v := range list {
		binary.BigEndian.PutUint64(b[:], v)
		_, _ = to.Write(b[:]) // a hash does not fail
	}
}

// words number texts in the order in which they come.
type words struct {
	list []string
	at   map[string]int
}

func (w *words) of(s string) int {
	at, known := w.at[s]
	if !known {
		if w.at == nil {
			w.at = map[string]int{}
		}
		at = len(w.list)
		w.at[s] = at
		w.list = append(w.list, s)
	}
	return at
}

func newStructure(name string, f *fabric.Fabric, version string, own func(*fabric.Node) (string, bool)) *structure {
	t := topology.Classify(f, &topology.Options{})
	s := &structure{Version: version, Fabric: name, Shape: string(t.Kind), byPort: map[end]int{}}
	s.Links = linkColumns{A: []int{}, APort: []int{}, B: []int{}, BPort: []int{}, Label: map[string]string{}}
	s.Nodes = nodeColumns{
		Name: []string{}, GUID: []string{}, LID: []int{}, Type: []int{}, Role: []int{}, Model: []int{}, Tier: []int{}, Group: []int{}, Ports: []int{},
	}
	var roles, models words
	for n := range f.Nodes() {
		s.addNode(n, t.Place(n), &roles, &models, own)
	}
	for l := range f.Links() {
		s.addLink(l)
	}
	s.Roles, s.Models = roles.list, models.list
	s.plan(f, t, own)
	return s
}

func (s *structure) addNode(n *fabric.Node, at *topology.Place, roles, models *words, own func(*fabric.Node) (string, bool)) {
	c, info := &s.Nodes, n.Info()
	c.Name = append(c.Name, drawing.NameOf(n, own))
	c.GUID = append(c.GUID, n.GUID().String())
	s.guids = append(s.guids, n.GUID())
	c.LID = append(c.LID, drawing.LIDOf(n))
	c.Type = append(c.Type, int(n.Type()))
	c.Role = append(c.Role, roles.of(string(at.Role)))
	c.Model = append(c.Model, models.of(model.Name(uint32(info.VendorID), uint16(info.DeviceID))))
	c.Tier = append(c.Tier, at.Tier)
	c.Group = append(c.Group, at.Group)
	c.Ports = append(c.Ports, n.NumPorts())
}

func (s *structure) addLink(l fabric.Link) {
	c := &s.Links
	at := len(c.A)
	s.first = append(s.first, endOf(l.A))
	c.A, c.APort = append(c.A, l.A.Node().Index()), append(c.APort, l.A.Num())
	c.B, c.BPort = append(c.B, l.B.Node().Index()), append(c.BPort, l.B.Num())
	for side, p := range map[string]*fabric.Port{"a": l.A, "b": l.B} {
		s.byPort[endOf(p)] = at
		if p.Node().Type() != ib.NodeSwitch {
			continue
		}
		if label := topology.PortLabel(p); label != strconv.Itoa(p.Num()) {
			c.Label[strconv.Itoa(at)+side] = label
		}
	}
}
