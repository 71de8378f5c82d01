package ibnetdiscover

import "github.com/ibscope/ibscope/ib"

// resolve finds the node and the line at the other end of each line.
func (g *graph) resolve() {
	g.target = make([]int32, len(g.links))
	g.back = make([]int32, len(g.links))
	var shared []int32
	missing := make(map[int32]int32)
	for i := range g.links {
		l := &g.links[i]
		own, p := &g.peers[g.records[l.record].id], &g.peers[l.peer]
		g.back[i] = -1
		switch {
		case l.has&noPeer != 0:
			g.target[i] = -1
		case p.record < 0:
			g.target[i] = g.missingNode(missing, l.peer)
		case own.shared || p.shared:
			g.target[i] = p.record
			shared = append(shared, int32(i))
		default:
			g.target[i] = p.record
			if back := g.linkAt(p.record, l.peerNum); back >= 0 && g.pointsTo(back, l) {
				g.back[i] = back
			}
		}
	}
	g.pair(g.pair(shared, true), false)
	for i := range g.links {
		if t := g.target[i]; t >= 0 && int(t) < len(g.records) && g.back[i] < 0 {
			g.growTo(t, g.links[i].peerNum)
		}
	}
}

// pointsTo reports whether a line names the port of l as its peer.
func (g *graph) pointsTo(back int32, l *link) bool {
	b := &g.links[back]
	return b.has&noPeer == 0 && b.peer == g.records[l.record].id && b.peerNum == l.num
}

// missingNode is the node of a peer that has no record.
func (g *graph) missingNode(known map[int32]int32, p int32) int32 {
	node, ok := known[p]
	if !ok {
		node = int32(g.numNodes())
		known[p] = node
		g.missing = append(g.missing, p)
		g.problems.Bad(int(g.peers[p].line), "the peer %q has no record of its own; what port lines tell stands for it", g.peers[p].id)
	}
	return node
}

// pairKey is what two lines must have in common, mirrored, to be the two ends
// of one link.
type pairKey struct {
	own, peer       int32
	num, peerNum    uint8
	ownLID, peerLID ib.LID
}

func (k pairKey) mirrored() pairKey {
	return pairKey{k.peer, k.own, k.peerNum, k.num, k.peerLID, k.ownLID}
}

// pair joins the lines of nodes that share an id, as redacted files have them:
// by ids, port numbers and LIDs, or without LIDs in the order of the file. It
// returns the lines that are left.
func (g *graph) pair(links []int32, byLID bool) (left []int32) {
	waiting := make(map[pairKey][]int32)
	for _, i := range links {
		l := &g.links[i]
		k := pairKey{own: g.records[l.record].id, peer: l.peer, num: l.num, peerNum: l.peerNum}
		if byLID {
			k.ownLID, k.peerLID = g.ownLID(l), l.peerLID
			if k.ownLID == 0 || k.peerLID == 0 {
				continue
			}
		}
		other := waiting[k.mirrored()]
		if len(other) == 0 {
			waiting[k] = append(waiting[k], i)
			continue
		}
		j := other[0]
		waiting[k.mirrored()] = other[1:]
		g.back[i], g.back[j] = j, i
		g.target[i], g.target[j] = g.links[j].record, l.record
		if !byLID {
			g.guessed.add(l.line)
		}
	}
	for _, i := range links {
		if g.back[i] < 0 {
			left = append(left, i)
		}
	}
	return left
}

// ownLID is the LID of the port that a line is about.
func (g *graph) ownLID(l *link) ib.LID {
	if r := &g.records[l.record]; r.typ == ib.NodeSwitch {
		return r.lid
	}
	return l.lid
}
