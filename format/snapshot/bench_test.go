package snapshot_test

import (
	"io"
	"runtime"
	"testing"

	"github.com/ibscope/ibscope/format/snapshot"
)

// large is a fat tree of 65,536 hosts and 5,120 switches.
const large = "fattree?levels=3&radix=64"

func BenchmarkWrite(b *testing.B) {
	s := &snapshot.Snapshot{Fabric: generate(b, large)}
	for b.Loop() {
		if err := snapshot.Write(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead tells too what the fabric keeps of memory once it is read.
func BenchmarkRead(b *testing.B) {
	data := write(b, &snapshot.Snapshot{Fabric: generate(b, large)})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s *snapshot.Snapshot
	for b.Loop() {
		s = read(b, data)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(s)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "kept-MB")
	b.ReportMetric(float64(len(data))/1e6, "file-MB")
}
