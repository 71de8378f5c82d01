package ibnodes

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
)

type list struct {
	Nodes []node `json:"nodes"`
}

type node struct {
	GUID          ib.GUID `json:"guid"`
	Type          string  `json:"type"`
	NumPorts      int     `json:"num_ports"`
	Description   string  `json:"description"`
	EnhancedPort0 *bool   `json:"enhanced_port0,omitempty"` // of switches, as the LID
	LID           *ib.LID `json:"lid,omitempty"`
	LMC           *uint8  `json:"lmc,omitempty"`
}

// document prints the nodes as one JSON document, in the order of the text. A
// file may be of any format that ibscope reads.
func document(ctx context.Context, c *diags.Common, a *arguments, filters []filter) error {
	f, err := open(ctx, c, a.file)
	if err != nil {
		return err
	}
	nodes := list{Nodes: []node{}}
	for _, filter := range filters {
		for n := range format.Nodes(f, false) {
			if n.Type() == filter.typ {
				nodes.Nodes = append(nodes.Nodes, nodeOf(n))
			}
		}
	}
	return c.PrintDocument(nodes)
}

func open(ctx context.Context, c *diags.Common, file string) (*fabric.Fabric, error) {
	if file == "" {
		return c.Discover(ctx, &discover.Options{})
	}
	f, err := c.Load(ctx, file, "")
	if err != nil {
		c.Finish(err, struct{}{}) //nolint:errcheck // the command has failed already
		return nil, &diags.Exit{Code: env.Failed}
	}
	c.FabricProblems(f.Problems())
	return f, nil
}

func nodeOf(n *fabric.Node) node {
	out := node{GUID: n.GUID(), Type: n.Type().String(), NumPorts: n.NumPorts(), Description: n.Description()}
	if n.Type() != ib.NodeSwitch {
		return out
	}
	if info, ok := n.SwitchInfo(); ok {
		out.EnhancedPort0 = &info.EnhancedPort0
	}
	if p := n.Port(0); p != nil {
		lid, lmc := p.LID(), p.LMC()
		out.LID, out.LMC = &lid, &lmc
	}
	return out
}
