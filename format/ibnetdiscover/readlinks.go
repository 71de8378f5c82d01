package ibnetdiscover

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// addPorts adds port 0 of switches and all ports with a line of their own.
func (g *graph) addPorts() {
	fastest := g.fastestSpeeds()
	for i, n := range g.nodes {
		if n.Type() == ib.NodeSwitch {
			lid, lmc := g.switchLID(int32(i))
			g.b.SetPortInfo(g.b.Port(n, 0), port0Info(lid, lmc, fastest[i]))
		}
	}
	for i := range g.links {
		l := &g.links[i]
		g.setPort(l.record, l.num, g.ownEnd(i))
	}
}

// fastestSpeeds is the fastest speed of each node's lines: port 0 of a switch
// says for all its ports which speed fields count.
func (g *graph) fastestSpeeds() []ib.LinkSpeed {
	fastest := make([]ib.LinkSpeed, len(g.nodes))
	note := func(node int32, s ib.LinkSpeed) {
		if s.Rank() > fastest[node].Rank() {
			fastest[node] = s
		}
	}
	for i := range g.links {
		l := &g.links[i]
		note(l.record, l.rate.speed)
		if g.target[i] >= 0 && g.back[i] < 0 {
			note(g.target[i], l.rate.speed)
		}
	}
	return fastest
}

// switchLID is what the header says, or else what peers tell.
func (g *graph) switchLID(i int32) (ib.LID, uint8) {
	p := &g.peers[g.peerIndex(i)]
	if int(i) >= len(g.records) {
		return p.lid, 0
	}
	r := &g.records[i]
	if !r.hasLID && p.lid != 0 && !p.shared {
		g.problems.Bad(int(r.line), "the header has no LID; %d is what a peer tells", p.lid)
		return p.lid, r.lmc
	}
	return r.lid, r.lmc
}

// end is one end of a link, as its own line or that of the other end tells it.
type end struct {
	lid  ib.LID
	lmc  uint8
	guid ib.GUID // 0 when not told
	rate rate
	down bool
}

// ownEnd is the port that a line is about. Where its own line leaves something
// out, the line of the other end may tell.
func (g *graph) ownEnd(i int) end {
	l := &g.links[i]
	e := end{lid: l.lid, lmc: l.lmc, guid: l.guid, rate: l.rate, down: l.has&noPeer != 0}
	if g.back[i] < 0 {
		return e
	}
	b := &g.links[g.back[i]]
	own := g.ownLID(l)
	switch {
	case b.has&hasPeerLID == 0:
	case l.has&hasLID == 0 && g.records[l.record].typ != ib.NodeSwitch:
		e.lid = b.peerLID
	case own != b.peerLID && (l.has&hasLID != 0 || g.records[l.record].hasLID):
		g.otherLIDs.add(b.line)
	}
	switch {
	case b.has&hasPeerGUID == 0:
	case l.has&hasGUID == 0:
		e.guid = b.peerGUID
	case l.guid != b.peerGUID:
		g.otherGUIDs.add(b.line)
	}
	return e
}

// setPort makes a port known.
func (g *graph) setPort(node int32, num uint8, e end) *fabric.Port {
	n := g.nodes[node]
	p := g.b.Port(n, int(num))
	a := portAttr{state: linkState(e.lid), phys: ib.PhysLinkUp, rate: e.rate}
	if n.Type() == ib.NodeSwitch {
		a.state = linkState(n.Port(0).LID())
	} else {
		a.lid, a.lmc, a.num, a.caps = e.lid, e.lmc, num, true
		if e.guid != 0 {
			g.b.SetPortGUID(p, e.guid)
		}
	}
	if e.down {
		a.state, a.phys = ib.PortDown, ib.PhysPolling
	}
	a.set(g.b, p)
	return p
}

// addLinks connects the ports. A port is connected to what its own line names;
// one without a line to whoever names it first.
func (g *graph) addLinks() {
	for i := range g.links {
		if back := g.back[i]; back >= int32(i) {
			g.b.Link(g.port(&g.links[i]), g.port(&g.links[back]))
		}
	}
	for i := range g.links {
		if l := &g.links[i]; g.target[i] >= 0 && g.back[i] < 0 {
			g.addOneSided(l, g.target[i])
		}
	}
}

func (g *graph) port(l *link) *fabric.Port { return g.nodes[l.record].Port(int(l.num)) }

// addOneSided connects a port to one that does not say the same.
func (g *graph) addOneSided(l *link, target int32) {
	far := g.nodes[target]
	q := far.Port(int(l.peerNum))
	if q == nil {
		q = g.setPort(target, l.peerNum, end{lid: l.peerLID, guid: l.peerGUID, rate: l.rate})
		if int(target) < len(g.records) {
			g.problems.Bad(int(l.line), "node %s has no line for its port %d, to which this port is connected", far.GUID(), l.peerNum)
		}
		g.b.Link(g.port(l), q)
		return
	}
	g.conflict(l, q)
	g.b.LinkOneWay(g.port(l), q)
}

// conflict records that a port, by its own line or an earlier one, is connected
// elsewhere.
func (g *graph) conflict(l *link, q *fabric.Port) {
	p := g.port(l)
	g.problems.Add(fabric.Problem{
		Kind: fabric.LinkConflict, GUID: p.Node().GUID(), Port: p.Num(), File: g.problems.At(int(l.line)),
		Detail: fmt.Sprintf("is connected to node %s port %d, which does not say so", q.Node().GUID(), q.Num()),
	})
}

// addTallies makes problems of what was counted.
func (g *graph) addTallies() {
	for _, t := range []struct {
		tally
		what string
	}{
		{g.oddGUIDs, "a port GUID that is not a hexadecimal number"},
		{g.otherNames, "another description of a node than elsewhere in the file (was a node name map in use?)"},
		{g.otherLIDs, "another LID of a port than the line of that port"},
		{g.otherGUIDs, "another GUID of a port than the line of that port"},
		{g.guessed, "a link between nodes whose ids are not unique; its ends were matched in the order of the file"},
	} {
		if t.count > 0 {
			g.problems.Bad(int(t.first), "this line, the first of %d, has %s", t.count, t.what)
		}
	}
}
