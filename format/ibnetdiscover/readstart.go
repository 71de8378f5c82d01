package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// setStart finds the port that the sweep started from. It may be one without a
// link, which no line is about.
func (g *graph) setStart() {
	if !g.hasStart {
		return
	}
	i := g.startRecord()
	if i < 0 {
		g.lostStart("is where the sweep started, but is not in the file")
		return
	}
	n := g.nodes[i]
	if n.Type() == ib.NodeSwitch {
		g.b.SetStart(n.Port(0))
		return
	}
	for p := range n.Ports() {
		if p.GUID() == g.startPort || g.startPort == 0 {
			g.b.SetStart(p)
			return
		}
	}
	p := g.b.Port(n, int(n.Info().LocalPort))
	if p == nil || p.Remote() != nil {
		g.lostStart("is where the sweep started, but has no port with the GUID " + g.startPort.String())
		return
	}
	if g.startPort != 0 {
		g.b.SetPortGUID(p, g.startPort)
	}
	g.b.SetStart(p)
}

func (g *graph) lostStart(detail string) {
	g.problems.Add(fabric.Problem{Kind: fabric.BadInput, GUID: g.startNode, Port: -1, File: g.problems.File, Detail: detail})
}
