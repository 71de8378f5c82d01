package metrics

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

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

func TestGather(t *testing.T) {
	_, _, c := full(t)
	list, err := c.Gather()
	if err != nil {
		t.Fatal(err)
	}
	complaints, err := promlint.NewWithMetricFamilies(list).Lint()
	if err != nil || len(complaints) > 0 {
		t.Errorf("%v %v", complaints, err)
	}
	for _, f := range list {
		const ports = 8 + 6*4 + 6 // of adapters and of switches, with port 0
		if f.GetName() == "ibscope_port_state" && len(f.Metric) != ports {
			t.Errorf("%d states", len(f.Metric))
		}
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
