package snapshot_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/sim/gen"
)

// large is a fat tree of 65,536 hosts and 5,120 switches.
const large = "fattree?levels=3&radix=64"

func BenchmarkWrite(b *testing.B) {
	f, err := gen.Parse(large)
	if err != nil {
		b.Fatal(err)
	}
	s := &snapshot.Snapshot{Fabric: f}
	for b.Loop() {
		if err := snapshot.Write(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead tells too what the fabric keeps of memory once it is read.
func BenchmarkRead(b *testing.B) {
	f, err := gen.Parse(large)
	if err != nil {
		b.Fatal(err)
	}
	data := write(b, &snapshot.Snapshot{Fabric: f})
	f = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s *snapshot.Snapshot
	for b.Loop() {
		if s, err = snapshot.Read(bytes.NewReader(data), "large"); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(s)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "kept-MB")
	b.ReportMetric(float64(len(data))/1e6, "file-MB")
}
