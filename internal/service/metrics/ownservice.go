package metrics

import (
	"strconv"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// serviceFamilies say how well a fabric is known, and by what effort.
func serviceFamilies() families {
	return families{
		ofState("ibscope_fabric_info", "fabric,source", "Always 1: where the fabric is read from.",
			func(w *writer, v *view) { w.uint(v.ofFabric("source", v.state.Source), 1) }),
		ofState("ibscope_fabric_connected", "fabric", "1 while the fabric can be asked: the last sweep got an answer from more than the own node.",
			func(w *writer, v *view) { w.flag(v.ofFabric(), v.state.Connected) }),
		ofState("ibscope_fabric_stored", "fabric", "1 while what is shown comes from a snapshot and nothing has been read yet.",
			func(w *writer, v *view) { w.flag(v.ofFabric(), v.state.Stored) }),
		ofState("ibscope_fabric_lost_timestamp_seconds", "fabric", "Since when the fabric cannot be asked; absent while it can.",
			func(w *writer, v *view) { writeTime(w, v.ofFabric(), v.state.Lost) }),
		ofState("ibscope_fabric_timestamp_seconds", "fabric", "When the sweep ended that gave what is shown of the graph.",
			func(w *writer, v *view) { writeTime(w, v.ofFabric(), v.state.At) }),
		ofState("ibscope_counters_timestamp_seconds", "fabric", "When the pass ended that gave the counters.",
			func(w *writer, v *view) {
				if v.state.Totals != nil {
					writeTime(w, v.ofFabric(), v.state.Totals.At)
				}
			}),
		ofState("ibscope_subnet_managers", "fabric,state", "Subnet managers that answered in the last sweep, by their state.", writeManagers),
		ofState("ibscope_subnet_manager_info", "fabric,guid,port,lid,state,priority", "Always 1: a subnet manager that answered in the last sweep.",
			func(w *writer, v *view) {
				for _, m := range distinct(v.state.Managers) {
					w.uint(v.ofFabric("guid", m.Node.String(), "port", strconv.Itoa(m.Port), "lid", strconv.Itoa(int(m.LID)),
						"state", m.State.String(), "priority", strconv.Itoa(int(m.Priority))), 1)
				}
			}),
		{
			name: "ibscope_subnet_manager_activity_total", kind: counter, labels: portLabels,
			help: "The subnet manager's own count of what it does: one that stands still tells that it hangs.",
			write: func(w *writer, v *view) {
				for _, m := range distinct(v.state.Managers) {
					w.uint(v.ofFabric("guid", m.Node.String(), "port", strconv.Itoa(m.Port)), uint64(m.Activity))
				}
			},
		},
		ofRunCount("ibscope_runs_total", "Sweeps that look for changes (refresh) or ask everything (verify), and passes over the counters (pass).",
			func(r *watch.Run) uint64 { return uint64(max(0, r.Count)) }),
		ofRunCount("ibscope_run_failures_total", "Of these, how many ended without a result.",
			func(r *watch.Run) uint64 { return uint64(max(0, r.Failed)) }),
		ofRun("ibscope_last_run_timestamp_seconds", "When the last run began.",
			func(w *writer, l string, r *watch.Run) { writeTime(w, l, r.Started) }),
		ofRun("ibscope_last_run_duration_seconds", "How long the last run took.",
			func(w *writer, l string, r *watch.Run) { w.float(l, r.Duration.Seconds()) }),
		ofRun("ibscope_last_run_requests", "Requests that the last run sent, repetitions not counted.",
			func(w *writer, l string, r *watch.Run) { w.uint(l, uint64(max(0, r.Requests))) }),
		ofRun("ibscope_last_run_resent_requests", "Repetitions of requests in the last run.",
			func(w *writer, l string, r *watch.Run) { w.uint(l, uint64(max(0, r.Resent))) }),
		ofRun("ibscope_last_run_timed_out_requests", "Requests without an answer in all their tries in the last run.",
			func(w *writer, l string, r *watch.Run) { w.uint(l, uint64(max(0, r.TimedOut))) }),
		ofRun("ibscope_last_run_problems", "What was wrong or missing in the last run.",
			func(w *writer, l string, r *watch.Run) { w.uint(l, uint64(max(0, r.Problems))) }),
		ofRun("ibscope_last_run_complete", "1 if nothing was missing in the last run.",
			func(w *writer, l string, r *watch.Run) { w.flag(l, r.Complete) }),
		{
			name: "ibscope_series", kind: gauge, labels: "fabric", part: partSeries,
			help:  "Series of the own names that are shown of the fabric, these two not counted.",
			write: func(w *writer, v *view) { w.uint(v.ofFabric(), uint64(v.series[0])) },
		},
		{
			name: "ibscope_series_dropped", kind: gauge, labels: "fabric", part: partSeries,
			help:  "Series beyond the limit, which are left out.",
			write: func(w *writer, v *view) { w.uint(v.ofFabric(), uint64(v.series[1])) },
		},
	}
}

// ofState declares a gauge of a fabric as a whole.
func ofState(name, labels, help string, write func(*writer, *view)) *family {
	return &family{name: name, help: help, kind: gauge, labels: labels, write: write}
}

// ofRun declares a gauge of the last run of each kind, as far as there was one.
func ofRun(name, help string, write func(*writer, string, *watch.Run)) *family {
	return ofState(name, "fabric,run", help, func(w *writer, v *view) {
		for _, r := range runsOf(v.state) {
			if r.run.Count > 0 {
				write(w, v.ofFabric("run", r.word), r.run)
			}
		}
	})
}

// ofRunCount declares a counter of all runs.
func ofRunCount(name, help string, value func(*watch.Run) uint64) *family {
	return &family{name: name, help: help, kind: counter, labels: "fabric,run", write: func(w *writer, v *view) {
		for _, r := range runsOf(v.state) {
			w.uint(v.ofFabric("run", r.word), value(r.run))
		}
	}}
}

type namedRun struct {
	word string
	run  *watch.Run
}

func runsOf(s *watch.State) []namedRun {
	return []namedRun{{"refresh", &s.Refresh}, {"verify", &s.Verify}, {"pass", &s.Pass}}
}

// writeTime writes a point in time, if it is one.
func writeTime(w *writer, labels string, t time.Time) {
	if !t.IsZero() {
		w.float(labels, float64(t.UnixMilli())/1000)
	}
}

// managerStates are all states, so that those without a manager are 0.
var managerStates = []ib.SMState{ib.SMNotActive, ib.SMDiscovering, ib.SMStandby, ib.SMMaster}

func writeManagers(w *writer, v *view) {
	n := map[ib.SMState]uint64{}
	for _, m := range distinct(v.state.Managers) {
		n[m.State]++
	}
	for _, s := range managerStates {
		w.uint(v.ofFabric("state", s.String()), n[s])
	}
}

// distinct leaves out managers at a port that another one has been seen at.
func distinct(managers []watch.Manager) []watch.Manager {
	type place struct {
		node ib.GUID
		port int
	}
	seen := map[place]bool{}
	var out []watch.Manager
	for _, m := range managers {
		if at := (place{m.Node, m.Port}); !seen[at] {
			seen[at] = true
			out = append(out, m)
		}
	}
	return out
}
