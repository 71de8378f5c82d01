package block

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// numLevels is that of package history.
const numLevels = 4

// FuzzBlock reads any bytes as the ports and the rates of a part.
func FuzzBlock(f *testing.F) {
	p := NewPacker()
	body, err := p.Pack([]Cell{{}, unknown}, 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{7, 2, 1, 2}, body, uint8(1))
	f.Fuzz(func(t *testing.T, layout, body []byte, level uint8) {
		keys, err := DecodeKeys(layout)
		if err != nil {
			return
		}
		if back, err := DecodeKeys(EncodeKeys(keys)); err != nil || cmp.Diff(keys, back) != "" {
			t.Errorf("%v became %v, %v", keys, back, err)
		}
		var u Unpacker
		if err := u.Unpack(body, len(keys), int(level)%numLevels); err != nil {
			return
		}
		for i := range keys {
			if c := u.At(i, len(keys), int(level)%numLevels); c.Seconds < 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}
