package metrics

import (
	"time"

	"github.com/ibscope/ibscope/watch"
)

// collectors are what that exporter calls its parts.
var treydockCollectors = []string{"ibnetdiscover", "switch", "hca"}

// treydockSelf are about collecting. That exporter has one collection for the page,
// so only the first fabric tells of it.
func treydockSelf() families {
	return families{
		treydockCollector("infiniband_exporter_collector_duration_seconds", "How long the last sweep, or the last pass over the counters, took.",
			func(w *writer, v *view, name, l string) { w.float(l, v.runFor(name).Duration.Seconds()) }),
		treydockCollector("infiniband_exporter_collect_errors", "Devices of which something could not be read.",
			func(w *writer, v *view, name, l string) { w.uint(l, v.failures(name)) }),
		treydockCollector("infiniband_exporter_collect_timeouts", "Requests without an answer in all their tries.",
			func(w *writer, v *view, name, l string) { w.uint(l, uint64(max(0, v.runFor(name).TimedOut))) }),
		treydockCollector("infiniband_exporter_last_execution", "When this was last collected, in seconds since 1970.",
			func(w *writer, v *view, name, l string) { writeTime(w, l, v.collected(name)) }),
	}
}

// treydockCollector declares a metric of each collector.
func treydockCollector(name, help string, write func(w *writer, v *view, name, labels string)) *family {
	return &family{name: name, help: help, kind: gauge, labels: "collector", write: func(w *writer, v *view) {
		if !v.first {
			return
		}
		for _, c := range treydockCollectors {
			write(w, v, c, labels("collector", c+v.suffix))
		}
	}}
}

// runFor is the run in which a collector's share was read.
func (v *view) runFor(collector string) *watch.Run {
	if collector != "ibnetdiscover" {
		return &v.state.Pass
	}
	if v.state.Refresh.Started.After(v.state.Verify.Started) {
		return &v.state.Refresh
	}
	return &v.state.Verify
}

// collected is when a collector's share was read.
func (v *view) collected(collector string) time.Time {
	if collector == "ibnetdiscover" {
		return v.state.At
	}
	if v.state.Totals == nil {
		return time.Time{}
	}
	return v.state.Totals.At
}

// failures are the devices of a collector of which something is missing.
func (v *view) failures(collector string) uint64 {
	n := uint64(0)
	switch collector {
	case "ibnetdiscover":
		if v.runFor(collector).Err != nil || v.state.Fabric == nil {
			n++
		}
	case treydockSwitch.word, treydockHCA.word:
		d := treydockSwitch
		if collector == treydockHCA.word {
			d = treydockHCA
		}
		for _, r := range d.readings(v) {
			if r.failed {
				n++
			}
		}
	}
	return n
}

// reading is how well the counters of a device were read in the last pass.
type reading struct {
	labels  string
	failed  bool // ports of it have never been read
	expired bool // ports of it were not read in the last pass
}

// readings are those of all devices of this half.
func (d device) readings(v *view) []reading {
	var out []reading
	at := map[string]int{}
	for i := range v.ports {
		p := &v.ports[i]
		if p.Node().Type() != d.kind {
			continue
		}
		l := labels("guid", p.GUID().String(), "collector", d.word+v.suffix)
		j, known := at[l]
		if !known {
			j = len(out)
			at[l] = j
			out = append(out, reading{labels: l})
		}
		switch {
		case p.total == nil:
			out[j].failed = true
		case p.total.Missed > 0:
			out[j].expired = true
		}
	}
	return out
}

// collections say how each device was read. All are read at the same time: the
// duration is that of the pass.
func (d device) collections() families {
	return families{
		d.collection("duration_seconds", "How long the pass took in which the counters were read.", func(w *writer, v *view, r *reading) {
			w.float(r.labels, v.state.Pass.Duration.Seconds())
		}),
		d.collection("error", "1 if counters of the device have never been read.", func(w *writer, v *view, r *reading) { w.flag(r.labels, r.failed) }),
		d.collection("timeout", "1 if counters of the device were not read in the last pass.", func(w *writer, v *view, r *reading) { w.flag(r.labels, r.expired) }),
	}
}

func (d device) collection(word, help string, write func(*writer, *view, *reading)) *family {
	return &family{
		name: "infiniband_" + d.word + "_collect_" + word, kind: gauge, labels: "guid,collector", help: help,
		write: func(w *writer, v *view) {
			for _, r := range d.readings(v) {
				write(w, v, &r)
			}
		},
	}
}
