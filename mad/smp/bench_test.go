package smp_test

import (
	"testing"

	"github.com/ibscope/ibscope/mad/smp"
)

func BenchmarkPortInfo(b *testing.B) {
	data := blocks()[300]
	var v smp.PortInfo
	v.Decode(&data)
	buf := make([]byte, 0, 8192)
	b.Run("Decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v.Decode(&data)
		}
	})
	b.Run("Encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v.Encode(&data)
		}
	})
	b.Run("Dump", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = v.AppendDump(buf[:0])
		}
	})
	b.Run("JSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = v.AppendJSON(buf[:0])
		}
	})
}

// TestNoAllocation holds what the codecs promise.
func TestNoAllocation(t *testing.T) {
	data := blocks()[300]
	var v smp.PortInfo
	buf := make([]byte, 0, 8192)
	if n := testing.AllocsPerRun(100, func() { v.Decode(&data); v.Encode(&data) }); n != 0 {
		t.Errorf("Decode and Encode allocate %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { buf = v.AppendDump(buf[:0]) }); n != 0 {
		t.Errorf("AppendDump allocates %v times", n)
	}
}
