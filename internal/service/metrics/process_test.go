package metrics

import (
	"runtime"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	dto "github.com/prometheus/client_model/go"

	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/watch"
)

func TestProcess(t *testing.T) {
	c := New(always(), nil, &Options{Version: "1.2", Figures: func() []Figure {
		return []Figure{
			{Name: "ibscope_webhook_queue_events", Help: "Events that wait.", Value: 3, Labels: []string{"hook", "a\"b"}},
			{Name: "ibscope_webhook_sent_total", Help: "Sent.", Counter: true, Value: 7},
			{Name: "ibscope_webhook_queue_events", Value: 4, Labels: []string{"hook", "other"}},
			{Name: "ibscope_webhook_queue_events", Value: 5, Labels: []string{"hook", "other"}},
			{Name: "ibscope_webhook_queue_events", Value: 5, Labels: []string{"bad name", "other"}},
			{Name: "ibscope_webhook_queue_events", Value: 5, Labels: []string{"odd"}},
			{Name: "ibscope_build_info", Value: 2},
			{Name: "process_open_fds", Value: 2},
			{Name: "bad-name", Value: 1},
			{},
		}
	}})
	_, page := get(t, c, "/metrics")
	promtool(t, page)
	e := read(t, page)
	for series, want := range map[string]float64{
		`ibscope_webhook_queue_events{hook="a\"b"}`: 3, `ibscope_webhook_queue_events{hook="other"}`: 4, "ibscope_webhook_sent_total": 7,
	} {
		if e.values[series] != want {
			t.Errorf("%s = %v", series, e.values[series])
		}
	}
	for _, name := range []string{"process_resident_memory_bytes", "process_open_fds", "process_cpu_seconds_total", "go_goroutines"} {
		if e.values[name] <= 0 {
			t.Errorf("%s = %v", name, e.values[name])
		}
	}
	if _, open := get(t, c, "/metrics", "Accept", "application/openmetrics-text"); !strings.Contains(open, "# TYPE process_cpu_seconds counter\n") || strings.Count(open, "# EOF") != 1 {
		t.Error("the process is not in OpenMetrics")
	}
}

// TestProcessNames makes sure that what has the name of one of client_golang's metrics is
// of its type, and about as large.
func TestProcessNames(t *testing.T) {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	runtime.GC() // both see a heap without what others have left
	list, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string]*dto.MetricFamily{}
	for _, f := range list {
		theirs[f.GetName()] = f
	}
	own := process{usage: usageNow()}
	runtime.GC()
	runtime.ReadMemStats(&own.memory)
	same := 0
	for _, f := range processFamilies() {
		their, known := theirs[f.name]
		if !known {
			continue
		}
		same++
		m := their.Metric[0]
		want := m.GetGauge().GetValue() + m.GetCounter().GetValue()
		if got, ok := f.value(&own); !ok || got < want/4-10 || got > want*4+10 {
			t.Errorf("%s is %v, client_golang has %v", f.name, got, want)
		}
		if (their.GetType() == dto.MetricType_COUNTER) != (f.kind == counter) {
			t.Errorf("%s is a %s, that of client_golang a %s", f.name, f.kind, their.GetType())
		}
	}
	if same < 18 {
		t.Errorf("only %d names are those of client_golang", same)
	}
}

func TestRequests(t *testing.T) {
	client := func(fabric string) (madrpc.Stats, bool) {
		return madrpc.Stats{Sent: 7, Resent: 2, TimedOut: 1, Late: 3, Unsent: 1, Returned: 4, InFlight: 5}, fabric == "one"
	}
	c := New(always(&watch.State{Name: "one"}, &watch.State{Name: "two"}), nil, &Options{Requests: client})
	page := text(t, c, Text)
	promtool(t, page)
	e := read(t, page)
	for series, want := range map[string]float64{
		`ibscope_requests_total{fabric="one"}`: 7, `ibscope_requests_undeliverable_total{fabric="one"}`: 5, `ibscope_requests_in_flight{fabric="one"}`: 5,
		`ibscope_replies_dropped_total{fabric="one",reason="late"}`: 3, `ibscope_replies_dropped_total{fabric="one",reason="foreign"}`: 0,
	} {
		if got, ok := e.values[series]; !ok || got != want {
			t.Errorf("%s = %v (%t)", series, got, ok)
		}
	}
	if _, ok := e.values[`ibscope_requests_total{fabric="two"}`]; ok {
		t.Error("requests of a client that is not known")
	}
}
