package block

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
)

// ErrKeys is a list of ports that cannot be.
var ErrKeys = errors.New("a list of ports that cannot be")

// CompareKeys orders ports by node GUID and number.
func CompareKeys(a, b total.Key) int {
	if a.Node != b.Node {
		return a.Node.Compare(b.Node)
	}
	return a.Num - b.Num
}

// EncodeKeys writes the ports of a layout: for each node how much its GUID is more than
// the one before, how many ports, and their numbers.
func EncodeKeys(keys []total.Key) []byte {
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

// DecodeKeys reads them. The error is ErrKeys.
func DecodeKeys(b []byte) ([]total.Key, error) {
	var keys []total.Key
	guid := uint64(0)
	for len(b) > 0 {
		more, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, ErrKeys
		}
		ports, m := binary.Uvarint(b[n:])
		if m <= 0 || ports > uint64(len(b)-n-m) {
			return nil, ErrKeys
		}
		guid += more
		b = b[n+m:]
		for _, num := range b[:ports] {
			keys = append(keys, total.Key{Node: ib.GUID(guid), Num: int(num)})
		}
		b = b[ports:]
	}
	if !slices.IsSortedFunc(keys, CompareKeys) {
		return nil, ErrKeys
	}
	return keys, nil
}
