package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// AnyLevel are all service levels, as a mask with a bit for each.
const AnyLevel uint16 = 0xffff

// AnyLane are all virtual lanes of data, as a mask with a bit for each.
const AnyLane uint16 = 1<<15 - 1

// Crossing is a way through a switch: packets come in by one port and leave by another.
type Crossing struct {
	Switch  *fabric.Node
	In, Out uint8
}

// Lanes tells on which virtual lanes packets are. What is not known of that is told
// as all that it could be: Examination.OnLanes then keeps apart what is sure and what
// only may be.
type Lanes interface {
	// Levels are the service levels of packets from a port of an adapter to a LID, as
	// masks: those that are sure, and these with those that may be.
	Levels(from *fabric.Port, to ib.LID) (sure, all uint16)

	// Lane is the virtual lane of packets with a service level that cross a switch:
	// its SLtoVLMappingTable. 15 drops them.
	Lane(c Crossing, sl uint8) (lane uint8, known bool)
}

// LaneTables are Lanes of one fabric that were read, or made. The zero value knows
// nothing. It is not safe for concurrent use while it is being filled.
type LaneTables struct {
	tables  [][]*[16]uint8       // by index of the switch, and by the crossing
	rows    [][]uint8            // by source LID and by destination LID: see the constants
	several map[[2]ib.LID]uint16 // the masks of pairs with several levels
	seen    uint16               // levels of any pair
	alike   [16]uint16           // by level: those of its group

	crossings, pairs, sources int
}

// What a pair of LIDs has in a row: noPath, a service level and firstLevel, or
// severalLevels.
const (
	noPath        = 0
	firstLevel    = 1
	severalLevels = 0xff
)

// SetTable sets the virtual lanes of a crossing, by service level.
func (t *LaneTables) SetTable(c Crossing, lanes [16]uint8) {
	t.tables = longer(t.tables, c.Switch.Index())
	of := &t.tables[c.Switch.Index()]
	*of = longer(*of, c.index())
	if (*of)[c.index()] == nil {
		t.crossings++
	}
	(*of)[c.index()] = &lanes
}

// index numbers the crossings of a switch.
func (c Crossing) index() int { return int(c.In)*(c.Switch.NumPorts()+1) + int(c.Out) }

// longer makes a list have an element at i.
func longer[T any](list []T, i int) []T {
	if i < len(list) {
		return list
	}
	return append(list, make([]T, i+1-len(list))...)
}

// SetPaths sets the service levels of paths from a LID, by destination LID. A
// destination may be there several times, with different levels; those that are not
// there are known to have no path.
func (t *LaneTables) SetPaths(from ib.LID, paths []PathLevel) {
	t.rows = longer(t.rows, int(from))
	if t.several == nil {
		t.several = map[[2]ib.LID]uint16{}
	}
	top := ib.LID(0)
	for i := range paths {
		top = max(top, paths[i].To)
	}
	row := make([]uint8, int(top)+1)
	for _, p := range paths {
		bit := uint16(1) << (p.SL & 15)
		t.seen |= bit
		switch old := row[p.To]; old {
		case noPath:
			row[p.To] = firstLevel + p.SL&15
			t.pairs++
		case firstLevel + p.SL&15:
		case severalLevels:
			t.several[[2]ib.LID{from, p.To}] |= bit
		default:
			row[p.To] = severalLevels
			t.several[[2]ib.LID{from, p.To}] = bit | 1<<(old-firstLevel)
		}
	}
	if t.rows[from] == nil {
		t.sources++
	}
	t.rows[from] = row
}

// SetAlike tells that paths with one of several service levels, a mask, may have any other
// of them the next time: a manager may choose anew for each query. Groups with a level
// in common are one.
func (t *LaneTables) SetAlike(levels uint16) {
	for sl := range bitsOf(levels) {
		levels |= t.alike[sl]
	}
	for sl := range bitsOf(levels) {
		t.alike[sl] = levels
	}
}

// PathLevel is the service level of a path to a LID.
type PathLevel struct {
	To ib.LID
	SL uint8
}

// Tables is the number of crossings that are known.
func (t *LaneTables) Tables() int { return t.crossings }

// Pairs is the number of pairs of LIDs that have a path.
func (t *LaneTables) Pairs() int { return t.pairs }

// Sources is the number of LIDs whose paths are known.
func (t *LaneTables) Sources() int { return t.sources }

// LevelsInUse are the service levels of all paths, as a mask.
func (t *LaneTables) LevelsInUse() uint16 { return t.seen }

// Levels implements Lanes. A port with an LMC sends from each of its LIDs; if the paths
// of one of them are not known, it may use any level.
func (t *LaneTables) Levels(from *fabric.Port, to ib.LID) (sure, all uint16) {
	for i := range 1 << from.LMC() {
		lid := from.LID() + ib.LID(i)
		if int(lid) >= len(t.rows) || t.rows[lid] == nil {
			all = AnyLevel
			continue
		}
		row := t.rows[lid]
		switch {
		case int(to) >= len(row) || row[to] == noPath:
		case row[to] == severalLevels:
			sure |= t.several[[2]ib.LID{lid, to}]
		default:
			sure |= 1 << (row[to] - firstLevel)
		}
	}
	for sl := range bitsOf(sure) {
		all |= 1<<sl | t.alike[sl]
	}
	return sure, all
}

// Lane implements Lanes.
func (t *LaneTables) Lane(c Crossing, sl uint8) (lane uint8, known bool) {
	if i := c.Switch.Index(); i < len(t.tables) {
		if of := t.tables[i]; c.index() < len(of) && of[c.index()] != nil {
			return of[c.index()][sl&15] & 15, true
		}
	}
	return 0, false
}
