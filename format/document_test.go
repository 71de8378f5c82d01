package format_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestDocument: what is written as one kind is recognised as that kind, and is
// the same when it is written again.
func TestDocument(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=4")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range format.Writable() {
		for _, compressed := range []bool{false, true} {
			d := &format.Document{Kind: kind, Compressed: compressed, Fabric: f}
			var first, second bytes.Buffer
			if err := d.Write(&first); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			got, err := format.ReadDocument(bytes.NewReader(first.Bytes()), "x")
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if got.Kind != kind || got.Compressed != (compressed || kind == format.Snapshot) || (got.Snapshot != nil) != (kind == format.Snapshot) {
				t.Errorf("%s, compressed %v: is a %s, compressed %v", kind, compressed, got.Kind, got.Compressed)
			}
			if err := got.Write(&second); err != nil {
				t.Fatal(err)
			}
			if kind != format.List && kind != format.Ports && !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: written again, it differs", kind)
			}
		}
	}
	d := &format.Document{Kind: format.Progress, Fabric: f}
	if err := d.Write(&bytes.Buffer{}); !errors.Is(err, format.ErrNotWritable) || slices.Contains(format.Writable(), format.Progress) {
		t.Error(err)
	}
}
