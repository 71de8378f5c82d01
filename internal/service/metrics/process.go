package metrics

import (
	"runtime"
	"time"
)

// What every exporter written in Go tells of its process has the names of client_golang,
// which dashboards know. They are made here: with client_golang and its protobuf the
// program would be 1.9 MB larger, for thirty lines that a scrape adds to millions.

// processFamily is a metric of the process, and where its value is.
type processFamily struct {
	family
	value func(*process) (float64, bool)
}

// process is what was read for one scrape.
type process struct {
	memory runtime.MemStats
	usage  usage
}

// usage is what the system tells of the process; -1 is not known.
type usage struct {
	cpu      float64 // seconds
	start    float64 // seconds since 1970
	resident float64 // bytes
	virtual  float64 // bytes
	open     float64 // descriptors
	mayOpen  float64
}

var noUsage = usage{-1, -1, -1, -1, -1, -1}

func memory(name, help string, value func(*runtime.MemStats) uint64) processFamily {
	return processFamily{
		family{name: "go_memstats_" + name, kind: gauge, help: help},
		func(p *process) (float64, bool) { return float64(value(&p.memory)), true },
	}
}

func asCounter(f processFamily) processFamily {
	f.kind = counter
	return f
}

func used(name string, k kind, help string, value func(*usage) float64) processFamily {
	return processFamily{
		family{name: "process_" + name, kind: k, help: help},
		func(p *process) (float64, bool) { v := value(&p.usage); return v, v >= 0 },
	}
}

// processFamilies makes them, in the order in which they are written.
func processFamilies() []processFamily {
	return []processFamily{
		{
			family{name: "go_goroutines", kind: gauge, help: "Goroutines that exist."},
			func(*process) (float64, bool) { return float64(runtime.NumGoroutine()), true },
		},
		{
			family{name: "go_sched_gomaxprocs_threads", kind: gauge, help: "Processors that goroutines use at once."},
			func(*process) (float64, bool) { return float64(runtime.GOMAXPROCS(0)), true },
		},
		memory("alloc_bytes", "Bytes in objects on the heap.", func(m *runtime.MemStats) uint64 { return m.Alloc }),
		asCounter(memory("alloc_bytes_total", "Bytes allocated so far.", func(m *runtime.MemStats) uint64 { return m.TotalAlloc })),
		memory("sys_bytes", "Bytes obtained from the system.", func(m *runtime.MemStats) uint64 { return m.Sys }),
		memory("heap_inuse_bytes", "Bytes of the heap in spans with objects.", func(m *runtime.MemStats) uint64 { return m.HeapInuse }),
		memory("heap_idle_bytes", "Bytes of the heap in spans without objects.", func(m *runtime.MemStats) uint64 { return m.HeapIdle }),
		memory("heap_released_bytes", "Bytes of the heap given back to the system.", func(m *runtime.MemStats) uint64 { return m.HeapReleased }),
		memory("heap_objects", "Objects on the heap.", func(m *runtime.MemStats) uint64 { return m.HeapObjects }),
		memory("stack_inuse_bytes", "Bytes of stacks.", func(m *runtime.MemStats) uint64 { return m.StackInuse }),
		memory("next_gc_bytes", "Size of the heap at which the next collection begins.", func(m *runtime.MemStats) uint64 { return m.NextGC }),
		asCounter(memory("mallocs_total", "Objects allocated so far.", func(m *runtime.MemStats) uint64 { return m.Mallocs })),
		asCounter(memory("frees_total", "Objects freed so far.", func(m *runtime.MemStats) uint64 { return m.Frees })),
		{
			family{name: "go_memstats_last_gc_time_seconds", kind: gauge, help: "When the last collection ended."},
			func(p *process) (float64, bool) {
				return float64(p.memory.LastGC) / float64(time.Second), true
			},
		},
		{
			family{name: "go_gc_pause_seconds_total", kind: counter, help: "How long collections have stopped the program."},
			func(p *process) (float64, bool) {
				return time.Duration(p.memory.PauseTotalNs).Seconds(), true
			},
		},
		used("cpu_seconds_total", counter, "Processor time of the process, its own and the system's for it.", func(u *usage) float64 { return u.cpu }),
		used("start_time_seconds", gauge, "When the process began.", func(u *usage) float64 { return u.start }),
		used("resident_memory_bytes", gauge, "Memory in use.", func(u *usage) float64 { return u.resident }),
		used("virtual_memory_bytes", gauge, "Address space in use.", func(u *usage) float64 { return u.virtual }),
		used("open_fds", gauge, "Open descriptors.", func(u *usage) float64 { return u.open }),
		used("max_fds", gauge, "Descriptors that may be open.", func(u *usage) float64 { return u.mayOpen }),
	}
}

// appendProcess writes what there is to say of the process.
func appendProcess(out []byte, format Format) []byte {
	p := process{usage: usageNow()}
	runtime.ReadMemStats(&p.memory)
	var w writer
	for _, f := range processFamilies() {
		if v, known := f.value(&p); known {
			w.begin(f.name, 1)
			w.float("", v)
			out = append(appendHead(out, &f.family, format), w.buf...)
		}
	}
	return out
}
