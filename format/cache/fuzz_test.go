package cache

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
)

// FuzzRead: any file is read or refused, and what was read survives being
// written and read again.
func FuzzRead(f *testing.F) {
	whole := encode(f, small())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	for _, at := range []int{offNodes, offPorts, headerLen + offNodeNumPorts, headerLen + offKeyCount, len(whole) - 10, len(whole) - 1} {
		f.Add(edit(f, at, 0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := Read(bytes.NewReader(data), "fuzz")
		if err != nil {
			return
		}
		for _, p := range first.Problems() {
			_ = p.Error()
		}
		var b bytes.Buffer
		if err := Write(&b, first); err != nil {
			return
		}
		second := decode(t, b.Bytes())
		for _, p := range first.Problems() {
			if p.Kind != fabric.BadChassis && p.Kind != fabric.RateMismatch {
				return // something was left out, or is ambiguous
			}
		}
		if d := cmp.Diff(dump(first), dump(second)); d != "" {
			t.Errorf("-first +second:\n%s", d)
		}
	})
}
