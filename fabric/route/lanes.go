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
	// Levels are the service levels of packets from a port of an adapter to a LID, as a
	// mask; 0 if it sends none. Known is false where the mask is a guess.
	Levels(from *fabric.Port, to ib.LID) (mask uint16, known bool)

	// Lane is the virtual lane of packets with a service level that cross a switch:
	// its SLtoVLMappingTable. 15 drops them.
	Lane(c Crossing, sl uint8) (lane uint8, known bool)
}

// LaneTables are Lanes that were read, or made. The zero value knows nothing. It is
// not safe for concurrent use while it is being filled.
type LaneTables struct {
	tables  map[Crossing][16]uint8
	rows    map[ib.LID][]uint8   // by source LID and by destination LID: see the constants
	several map[[2]ib.LID]uint16 // the masks of pairs with several levels
	seen    uint16               // levels of any pair
	pairs   int
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
	if t.tables == nil {
		t.tables = map[Crossing][16]uint8{}
	}
	t.tables[c] = lanes
}

// SetPaths sets the service levels of paths from a LID, by destination LID. A
// destination may be there several times, with different levels; those that are not
// there are known to have no path.
func (t *LaneTables) SetPaths(from ib.LID, paths []PathLevel) {
	if t.rows == nil {
		t.rows, t.several = map[ib.LID][]uint8{}, map[[2]ib.LID]uint16{}
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
	t.rows[from] = row
}

// PathLevel is the service level of a path to a LID.
type PathLevel struct {
	To ib.LID
	SL uint8
}

// Tables is the number of crossings that are known.
func (t *LaneTables) Tables() int { return len(t.tables) }

// Pairs is the number of pairs of LIDs that have a path.
func (t *LaneTables) Pairs() int { return t.pairs }

// Sources is the number of LIDs whose paths are known.
func (t *LaneTables) Sources() int { return len(t.rows) }

// LevelsInUse are the service levels of all paths, as a mask.
func (t *LaneTables) LevelsInUse() uint16 { return t.seen }

// Levels implements Lanes. A port with an LMC sends from each of its LIDs; if the paths
// of one of them are not known, it may use any level.
func (t *LaneTables) Levels(from *fabric.Port, to ib.LID) (mask uint16, known bool) {
	for i := range 1 << from.LMC() {
		lid := from.LID() + ib.LID(i)
		row, ok := t.rows[lid]
		switch {
		case !ok:
			return AnyLevel, false
		case int(to) >= len(row) || row[to] == noPath:
		case row[to] == severalLevels:
			mask |= t.several[[2]ib.LID{lid, to}]
		default:
			mask |= 1 << (row[to] - firstLevel)
		}
	}
	return mask, true
}

// Lane implements Lanes.
func (t *LaneTables) Lane(c Crossing, sl uint8) (lane uint8, known bool) {
	table, known := t.tables[c]
	return table[sl&15] & 15, known
}
