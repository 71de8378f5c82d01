package anonymize

import (
	"cmp"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// lids replaces unicast LIDs. Those of one port stay together and aligned: whole
// blocks of as many LIDs as the port with the most has change places, and within a
// block a mask is applied that leaves its ports' own bits alone.
type lids struct {
	used  map[ib.LID]uint8 // and the LMC of the port that has it
	lmc   uint8            // the largest
	table []ib.LID         // by LID; 0 for those that are not in use
	tops  []ib.LID         // by LID: the highest that those up to it have become
}

func (l *lids) init() { l.used = map[ib.LID]uint8{} }

// learn notes a base LID and those that belong to it.
func (l *lids) learn(base ib.LID, lmc uint8) {
	if lmc > 7 || base&(1<<lmc-1) != 0 {
		lmc = 0
	}
	for i := range ib.LID(1) << lmc {
		if lid := base + i; lid.IsUnicast() {
			l.used[lid] = max(l.used[lid], lmc)
			l.lmc = max(l.lmc, lmc)
		}
	}
}

// learnTable notes the LIDs that a switch forwards.
func (l *lids) learnTable(n *fabric.Node) {
	for lid, port := range activeTable(n) {
		if v := ib.LID(lid); port != smp.NoPort && v.IsUnicast() {
			if _, known := l.used[v]; !known {
				l.used[v] = 0
			}
		}
	}
}

// activeTable is the part of a forwarding table that is in use.
func activeTable(n *fabric.Node) []uint8 {
	table := n.LFT()
	if len(table) > int(ib.MaxUnicastLID)+1 {
		table = table[:int(ib.MaxUnicastLID)+1]
	}
	if info, ok := n.SwitchInfo(); ok && len(table) > int(info.LinearFDBTop)+1 {
		table = table[:int(info.LinearFDBTop)+1]
	}
	return table
}

// block is a range of 2^lmc LIDs that change places as one.
type block struct {
	number ib.LID
	own    uint8 // the largest LMC in it
	place  uint64
}

func (l *lids) assign(m *Mapping) {
	var blocks []*block
	byNumber := map[ib.LID]*block{}
	for lid, lmc := range l.used {
		b := byNumber[lid>>l.lmc]
		if b == nil {
			b = &block{number: lid >> l.lmc}
			b.place = m.random("lid", uint64(b.number))
			byNumber[b.number] = b
			blocks = append(blocks, b)
		}
		b.own = max(b.own, lmc)
	}
	slices.SortFunc(blocks, func(a, b *block) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.number, b.number))
	})
	l.table = make([]ib.LID, int(ib.MaxUnicastLID)+1)
	first := ib.LID(1) // in block 0 a mask could make LID 0
	last := ib.MaxUnicastLID >> l.lmc
	if len(blocks) > int(last) {
		first = 0 // all are in use: block 0 stays what it is
		blocks = slices.DeleteFunc(blocks, func(b *block) bool { return b.number == 0 })
		l.move(&block{}, 0, 0)
		first++
	}
	for i, b := range blocks {
		mask := ib.LID(m.random("lid bits", uint64(b.number))) & (1<<l.lmc - 1) &^ (1<<b.own - 1)
		l.move(b, first+ib.LID(i), mask)
	}
	l.tops = slices.Clone(l.table)
	for i := 1; i < len(l.tops); i++ {
		l.tops[i] = max(l.tops[i], l.tops[i-1])
	}
}

// move gives the LIDs of a block their places.
func (l *lids) move(b *block, to, mask ib.LID) {
	for i := range ib.LID(1) << l.lmc {
		from := b.number<<l.lmc + i
		if _, used := l.used[from]; used {
			l.table[from] = to<<l.lmc + i ^ mask
		}
	}
}

// LID is what takes the place of a LID. LIDs that are not unicast stay. One that
// is in none of the fabrics becomes 0.
func (m *Mapping) LID(lid ib.LID) ib.LID {
	if !lid.IsUnicast() {
		return lid
	}
	return m.lids.table[lid]
}

// top is the highest LID that the LIDs up to an old one have become.
func (m *Mapping) top(old ib.LID) ib.LID { return m.lids.tops[min(old, ib.MaxUnicastLID)] }
