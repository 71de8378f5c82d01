package history

import (
	"time"

	"github.com/ibscope/ibscope/ib"
)

// The key of a row of rates has, from its upper bits on: the fabric, the level, the time
// in seconds, the part. Rows of one time are side by side: what is written together is
// in pages of its own, and what is too old is one range.
const (
	secondBits = 34 // until the year 2514
	levelBits  = 2
)

func rateKey(fabricID int64, level int, at time.Time, part int) int64 {
	seconds := max(0, min(at.Unix(), 1<<secondBits-1))
	return ((fabricID<<levelBits|int64(level))<<secondBits|seconds)<<partBits | int64(part)
}

// splitKey gives the time and the part of a key.
func splitKey(key int64) (at time.Time, part int) {
	return time.Unix(key>>partBits&(1<<secondBits-1), 0).UTC(), int(key & (numParts - 1))
}

// rateRange are the first and the last key that a level can have from one time to
// another, the last one excluded.
func rateRange(fabricID int64, level int, from, to time.Time) (first, last int64) {
	return rateKey(fabricID, level, from, 0), rateKey(fabricID, level, to, 0) - 1
}

// The ends of time, for keys.
var (
	never   = time.Unix(0, 0)
	forever = time.Unix(1<<secondBits-1, 0)
)

// partOf spreads GUIDs, of which those of one delivery follow each other.
func partOf(g ib.GUID) int { return int(uint64(g) * 0x9e3779b97f4a7c15 >> (64 - partBits)) }
