package ibnetdiscover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// inventedGUID is the first GUID for nodes whose GUID is not in the file, or
// not a number. The bit for locally administered identifiers is set in it, so
// no device has it.
const inventedGUID ib.GUID = 0x0200_0000_0000_0001

// addNodes adds the nodes in canonical order.
func (g *graph) addNodes() {
	g.nodes = make([]*fabric.Node, g.numNodes())
	invented := inventedGUID
	for _, i := range g.order() {
		info := g.nodeInfo(i)
		if info.NodeGUID == 0 {
			info.NodeGUID = invented
			if info.PortGUID == 0 {
				info.PortGUID = invented
			}
			g.problems.Bad(g.lineOf(i), "the id %q holds no GUID; the node gets the invented GUID %s", g.peers[g.peerIndex(i)].id, invented)
			invented++
		}
		var raw [mad.DataSize]byte
		info.Encode(&raw)
		n := g.b.AddNode(&raw)
		g.nodes[i] = n
		g.describe(i, n)
	}
}

// lineOf is the line to name in a problem with a node.
func (g *graph) lineOf(i int32) int {
	if int(i) < len(g.records) {
		return int(g.records[i].line)
	}
	return int(g.peers[g.peerIndex(i)].line)
}

func (g *graph) nodeInfo(i int32) smp.NodeInfo {
	v := smp.NodeInfo{BaseVersion: 1, ClassVersion: 1, NodeType: g.typeOf(i)}
	p := &g.peers[g.peerIndex(i)]
	if int(i) >= len(g.records) {
		v.NumPorts, v.NodeGUID, v.PortGUID = max(p.maxPort, 1), p.guid, p.guid
		return v
	}
	r := &g.records[i]
	v.NumPorts, v.VendorID, v.DeviceID, v.SystemImageGUID = r.numPorts, r.vendor, r.device, r.system
	v.NodeGUID = g.recordGUID(r)
	g.checkHead(r, v.NodeGUID)
	switch {
	case r.portGUID != 0:
		v.PortGUID = r.portGUID
	case r.typ == ib.NodeSwitch && r.inParens != 0 && r.guid == v.NodeGUID:
		v.PortGUID = r.inParens
	default:
		v.PortGUID = v.NodeGUID
	}
	if r.typ != ib.NodeSwitch {
		v.LocalPort, v.PortGUID = g.localPort(i, v.PortGUID)
	}
	return v
}

// checkHead compares the GUIDs before the header with the id in it. Ibdiagnet
// writes switchguid=<system>(<node>) for the modules of a director.
func (g *graph) checkHead(r *record, node ib.GUID) {
	if !r.hasGUID || r.guid == node || r.inParens == node {
		return
	}
	g.problems.Bad(int(r.line), "the id stands for node %s, but the line before for %s; the id counts", node, r.guid)
}

// localPort finds the port that stands for a CA or router in its NodeInfo: that
// of the start, else the first one listed.
func (g *graph) localPort(i int32, guid ib.GUID) (uint8, ib.GUID) {
	isStart := g.startPort != 0 && g.recordGUID(&g.records[i]) == g.startNode
	first, free := uint8(0), uint8(0)
	for num := 1; num <= int(g.numPorts[i]); num++ {
		n := uint8(num)
		l := g.linkAt(i, n)
		switch {
		case l < 0:
			if free == 0 {
				free = n
			}
		case g.links[l].has&hasGUID == 0:
		case isStart && g.links[l].guid == g.startPort:
			return n, g.startPort
		case first == 0:
			first, guid = n, g.links[l].guid
		}
	}
	if isStart && free != 0 {
		return free, g.startPort // it is not linked, so it is not listed
	}
	return max(first, 1), guid
}

// describe sets what is optional on a node.
func (g *graph) describe(i int32, n *fabric.Node) {
	p := &g.peers[g.peerIndex(i)]
	desc, has := p.desc, p.hasDesc
	path, hasPath := g.swept[n.GUID()]
	if int(i) < len(g.records) {
		r := &g.records[i]
		if r.hasDesc {
			if has && p.hasGUID && desc != r.desc {
				g.otherNames.add(r.line)
			}
			desc, has = r.desc, true
		}
		if r.port0 != port0Untold && r.typ == ib.NodeSwitch {
			var raw [mad.DataSize]byte
			info := smp.SwitchInfo{EnhancedPort0: r.port0 == port0Enhanced}
			info.Encode(&raw)
			g.b.SetSwitchInfo(n, &raw)
		}
	}
	if has {
		raw, whole := descriptionBytes(desc)
		if !whole {
			g.problems.Bad(g.lineOf(i), "the description is cut to %d bytes: %s", mad.DataSize, lines.Excerpt([]byte(desc)))
		}
		g.b.SetDescription(n, raw)
	}
	if hasPath {
		g.b.SetPath(n, path)
	}
}
