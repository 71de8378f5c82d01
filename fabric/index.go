package fabric

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// indexGUIDs fills the GUID tables; of nodes with one GUID the first stays.
func (f *Fabric) indexGUIDs() {
	f.byGUID = make(map[ib.GUID]*Node, len(f.nodes))
	f.byPortGUID = make(map[ib.GUID]*Port, len(f.nodes))
	for _, n := range f.nodes {
		if first, ok := f.byGUID[n.guid]; ok {
			f.problems = append(f.problems, duplicateGUID(first, n))
		} else {
			f.byGUID[n.guid] = n
		}
		for p := range n.Ports() {
			if _, ok := f.byPortGUID[p.guid]; !ok {
				f.byPortGUID[p.guid] = p
			}
		}
	}
}

func duplicateGUID(first, other *Node) Problem {
	return Problem{
		Kind: DuplicateGUID, GUID: other.guid, Port: -1,
		Detail: fmt.Sprintf("is claimed by two nodes: %s at %s and %s at %s", first.typ, first.path, other.typ, other.path),
	}
}

// indexLIDs fills the LID table with the whole LMC range of each port that owns
// LIDs; of ports with one LID the first stays.
func (f *Fabric) indexLIDs() {
	for p := range f.Ports() {
		if p.owner() != p || p.has&hasInfo == 0 {
			continue
		}
		info, _ := p.Info()
		for i := range 1 << info.LMC {
			f.setLID(int(info.LID)+i, p)
		}
	}
}

func (f *Fabric) setLID(lid int, p *Port) {
	if lid < 1 || lid > int(ib.MaxUnicastLID) {
		return
	}
	if lid >= len(f.byLID) {
		grown := make([]*Port, max(lid+1, min(2*len(f.byLID), int(ib.MaxUnicastLID)+1)))
		copy(grown, f.byLID)
		f.byLID = grown
	}
	if f.byLID[lid] == nil {
		f.byLID[lid] = p
	}
}

// reportDisagreements lists the links whose two ends tell different rates.
func (f *Fabric) reportDisagreements() {
	for l := range f.Links() {
		if l.Disagrees() {
			f.problems = append(f.problems, Problem{
				Kind: RateMismatch, GUID: l.A.node.guid, Port: l.A.Num(),
				Detail: fmt.Sprintf("runs at %s but its peer, node %s port %d, at %s",
					l.A.Active(), l.B.node.guid, l.B.num, l.B.Active()),
			})
		}
	}
}
