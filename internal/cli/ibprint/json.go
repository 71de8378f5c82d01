package ibprint

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
)

type document struct {
	Nodes []node `json:"nodes"`
}

type node struct {
	GUID        ib.GUID `json:"guid"`
	Type        string  `json:"type"`
	NumPorts    int     `json:"num_ports"`
	Description string  `json:"description"`
	Links       []link  `json:"links"`
}

type link struct {
	Port int       `json:"port"`
	Peer diags.End `json:"peer"`
}

func documentOf(found []*fabric.Node) document {
	d := document{Nodes: []node{}}
	for _, n := range found {
		out := node{GUID: n.GUID(), Type: n.Type().String(), NumPorts: n.NumPorts(), Description: n.Description(), Links: []link{}}
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				out.Links = append(out.Links, link{p.Num(), diags.EndOf(r.Node(), r.Num(), nil)})
			}
		}
		d.Nodes = append(d.Nodes, out)
	}
	return d
}
