package metrics

import (
	"runtime"
	"slices"
	"sync/atomic"
)

// scrapes are counts of what was served.
type scrapes struct {
	served [numSets]atomic.Uint64
	failed atomic.Uint64 // whose client went away
}

// selfFamily is a metric that is not of a fabric.
type selfFamily struct {
	family
	write func(*writer, *Collector, *book)
}

// selfFamilies are about the exporter itself; they are written at each scrape.
var selfFamilies = []selfFamily{
	{
		family{name: "ibscope_build_info", kind: gauge, labels: "version,goversion", help: "Always 1: what program this is."},
		func(w *writer, c *Collector, b *book) {
			w.uint(labels("version", c.o.Version, "goversion", runtime.Version()), 1)
		},
	},
	{
		family{name: "ibscope_start_time_seconds", kind: gauge, help: "When the service began."},
		func(w *writer, c *Collector, b *book) { writeTime(w, "", c.began) },
	},
	{
		family{name: "ibscope_scrapes_total", kind: counter, labels: "set", help: "Scrapes that were answered, by the set of names."},
		func(w *writer, c *Collector, b *book) {
			for set := range Set(numSets) {
				if c.Serves(set) {
					w.uint(labels("set", set.String()), c.scrapes.served[set].Load())
				}
			}
		},
	},
	{
		family{name: "ibscope_scrape_failures_total", kind: counter, help: "Scrapes whose client went away before it had everything."},
		func(w *writer, c *Collector, b *book) { w.uint("", c.scrapes.failed.Load()) },
	},
	{
		family{name: "ibscope_renderings_total", kind: counter, help: "How often what is served has been made anew."},
		func(w *writer, c *Collector, b *book) { w.uint("", b.rendered) },
	},
	{
		family{name: "ibscope_last_rendering_duration_seconds", kind: gauge, help: "How long that took the last time."},
		func(w *writer, c *Collector, b *book) { w.float("", b.render.Seconds()) },
	},
	{
		family{name: "ibscope_event_log_last_id", kind: gauge, help: "Number of the last event that has been counted."},
		func(w *writer, c *Collector, b *book) {
			if b.hasLog {
				w.uint("", b.lastID)
			}
		},
	},
	{
		family{name: "ibscope_events_missed_total", kind: counter, help: "Events that were gone from the log before they were counted."},
		func(w *writer, c *Collector, b *book) {
			if b.hasLog {
				w.uint("", b.missed)
			}
		},
	},
}

// self are the lines about the exporter, and its process if it is scraped.
func (c *Collector) self(b *book, format Format, scraped bool) []byte {
	var out []byte
	var w writer
	for _, f := range slices.Concat(selfFamilies, requestFamilies) {
		w.begin(f.name, c.o.MaxSeries)
		f.write(&w, c, b)
		if w.samples > 0 {
			out = append(appendHead(out, &f.family, format), w.buf...)
		}
	}
	if c.o.Figures != nil {
		out = c.appendFigures(out, c.o.Figures(), format)
	}
	if scraped {
		out = appendProcess(out, format)
	}
	return out
}
