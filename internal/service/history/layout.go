package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
)

// Nodes are stored in parts, so that the rates of a port are read without those of
// all others, and those of a pass are written in a few hundred rows. A node is in the
// part that its GUID says, for ever.
const (
	partBits = 8
	numParts = 1 << partBits
)

// partOf spreads GUIDs, of which those of one delivery follow each other.
func partOf(g ib.GUID) int { return int(uint64(g) * 0x9e3779b97f4a7c15 >> (64 - partBits)) }

// layout is the ports of a part, in order.
type layout struct {
	id   int64
	keys []total.Key
}

// errLayout is a layout that cannot be.
var errLayout = errors.New("a list of ports that cannot be")

func compareKeys(a, b total.Key) int {
	if a.Node != b.Node {
		return a.Node.Compare(b.Node)
	}
	return a.Num - b.Num
}

// find is the position of a port, -1 for none.
func (l *layout) find(k total.Key) int {
	if i, found := slices.BinarySearchFunc(l.keys, k, compareKeys); found {
		return i
	}
	return -1
}

// encodeKeys writes the ports of a layout: for each node how much its GUID is more than
// the one before, how many ports, and their numbers.
func encodeKeys(keys []total.Key) []byte {
	var b []byte
	last := ib.GUID(0)
	for i := 0; i < len(keys); {
		n := i
		for n < len(keys) && keys[n].Node == keys[i].Node {
			n++
		}
		b = binary.AppendUvarint(b, uint64(keys[i].Node-last))
		b = binary.AppendUvarint(b, uint64(n-i))
		for ; i < n; i++ {
			b = append(b, byte(keys[i].Num))
			last = keys[i].Node
		}
	}
	return b
}

func decodeKeys(b []byte) ([]total.Key, error) {
	var keys []total.Key
	guid := uint64(0)
	for len(b) > 0 {
		more, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errLayout
		}
		ports, m := binary.Uvarint(b[n:])
		if m <= 0 || ports > uint64(len(b)-n-m) {
			return nil, errLayout
		}
		guid += more
		b = b[n+m:]
		for _, num := range b[:ports] {
			keys = append(keys, total.Key{Node: ib.GUID(guid), Num: int(num)})
		}
		b = b[ports:]
	}
	if !sort.SliceIsSorted(keys, func(i, j int) bool { return compareKeys(keys[i], keys[j]) < 0 }) {
		return nil, errLayout
	}
	return keys, nil
}

// layoutFor finds the layout of some ports, or makes it. The time is that of the rates:
// layouts that no rates need any more are known by it.
func layoutFor(ctx context.Context, tx *sql.Tx, fabricID int64, part int, keys []total.Key, at time.Time) (*layout, error) {
	l := &layout{keys: keys}
	body := encodeKeys(keys)
	sum := sha256.Sum256(body)
	var used int64
	err := tx.QueryRowContext(ctx, "SELECT id, used FROM layouts WHERE fabric = ? AND part = ? AND hash = ?", fabricID, part, sum[:16]).Scan(&l.id, &used)
	if errors.Is(err, sql.ErrNoRows) {
		result, err := tx.ExecContext(ctx, "INSERT INTO layouts (fabric, part, used, hash, body) VALUES (?, ?, ?, ?, ?)", fabricID, part, at.UnixNano(), sum[:16], body)
		if err != nil {
			return nil, err
		}
		l.id, err = result.LastInsertId()
		return l, err
	}
	if err == nil && at.UnixNano()-used > int64(day) {
		_, err = tx.ExecContext(ctx, "UPDATE layouts SET used = ? WHERE id = ?", at.UnixNano(), l.id)
	}
	return l, err
}

// layoutByID reads a layout.
func layoutByID(ctx context.Context, q querier, id int64) (*layout, error) {
	var body []byte
	if err := q.QueryRowContext(ctx, "SELECT body FROM layouts WHERE id = ?", id).Scan(&body); err != nil {
		return nil, err
	}
	keys, err := decodeKeys(body)
	if err != nil {
		return nil, &named{ErrCorrupt, err}
	}
	return &layout{id: id, keys: keys}, nil
}
