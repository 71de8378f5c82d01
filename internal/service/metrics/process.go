package metrics

import (
	"bytes"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
)

// processFamilies are about the process, under the names that every exporter has.
// What the system does not tell is absent.
var processFamilies = []selfFamily{
	processGauge("go_info", "Always 1: the version of Go.", func(w *writer) { w.uint(labels("version", runtime.Version()), 1) }),
	processGauge("go_goroutines", "Goroutines that exist.", runtimeMetric("/sched/goroutines:goroutines")),
	processGauge("go_gomaxprocs", "Processors that are used at most.", runtimeMetric("/sched/gomaxprocs:threads")),
	processGauge("go_memstats_heap_alloc_bytes", "Bytes of objects in the heap.", runtimeMetric("/memory/classes/heap/objects:bytes")),
	processGauge("go_memstats_heap_objects", "Objects in the heap.", runtimeMetric("/gc/heap/objects:objects")),
	processGauge("go_memstats_sys_bytes", "Bytes that Go has from the system.", runtimeMetric("/memory/classes/total:bytes")),
	processCounter("go_memstats_alloc_bytes_total", "Bytes allocated since the start, also those that are free again.", runtimeMetric("/gc/heap/allocs:bytes")),
	processCounter("go_gc_cycles_total", "Garbage collections since the start.", runtimeMetric("/gc/cycles/total:gc-cycles")),
	processCounter("process_cpu_seconds_total", "Time on processors, in user and system mode.", writeCPU),
	processGauge("process_resident_memory_bytes", "Memory of the process that is in RAM.", func(w *writer) { writePages(w, 1) }),
	processGauge("process_virtual_memory_bytes", "Address space of the process.", func(w *writer) { writePages(w, 0) }),
	processGauge("process_open_fds", "Open file descriptors.", writeDescriptors),
	processGauge("process_max_fds", "How many may be open.", writeMaxDescriptors),
}

func processGauge(name, help string, write func(*writer)) selfFamily {
	return selfFamily{family{name: name, kind: gauge, help: help}, func(w *writer, c *Collector, b *book) { write(w) }}
}

func processCounter(name, help string, write func(*writer)) selfFamily {
	f := processGauge(name, help, write)
	f.kind = counter
	return f
}

// runtimeMetric writes a metric of package runtime/metrics.
func runtimeMetric(name string) func(*writer) {
	return func(w *writer) {
		sample := []metrics.Sample{{Name: name}}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			w.uint("", sample[0].Value.Uint64())
		}
	}
}

func writeCPU(w *writer) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) == nil {
		w.float("", seconds(u.Utime)+seconds(u.Stime))
	}
}

func seconds(t syscall.Timeval) float64 { return float64(t.Nano()) / 1e9 }

// writePages writes a field of /proc/self/statm, which counts pages.
func writePages(w *writer, field int) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return
	}
	fields := bytes.Fields(text)
	if field < len(fields) {
		if n, err := strconv.ParseUint(string(fields[field]), 10, 64); err == nil {
			w.uint("", n*uint64(os.Getpagesize()))
		}
	}
}

func writeDescriptors(w *writer) {
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		w.uint("", uint64(max(0, len(list)-1))) // one of them was open to read the list
	}
}

func writeMaxDescriptors(w *writer) {
	text, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Max open files"); ok {
			if n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64); err == nil {
				w.uint("", n)
			}
		}
	}
}
