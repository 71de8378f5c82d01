package metrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

func TestEvents(t *testing.T) {
	st := watch.Static("one", "", star([]string{"a", "b"}, counting), nil)
	log := event.NewLog(4, 100)
	at := event.End{GUID: 0x2000, Port: 1}
	to := event.End{GUID: 0x1000, Port: 1}
	log.Add(event.Event{Fabric: "one", Kind: event.LinkDown, At: at, To: to, Time: time.Unix(1000, 0)}) // before the Collector
	c := New(always(st), log, nil)
	expect := func(what string, want map[string]float64) {
		t.Helper()
		e := read(t, text(t, c, Text))
		for series, v := range want {
			if got, ok := e.values[series]; !ok || got != v {
				t.Errorf("%s: %s = %v (%t), want %v", what, series, got, ok, v)
			}
		}
	}
	near, far, other := `{fabric="one",guid="0x0000000000002000",port="1"}`, `{fabric="one",guid="0x0000000000001000",port="1"}`, `{fabric="one",guid="0x0000000000002001",port="1"}`
	expect("one fall", map[string]float64{
		"ibscope_port_falls_total" + near: 1, "ibscope_port_falls_total" + far: 1, "ibscope_port_falls_total" + other: 0, "ibscope_port_flapping" + near: 0,
		`ibscope_events_total{fabric="one",kind="link-down"}`: 1, `ibscope_events_total{fabric="one",kind="node-moved"}`: 0,
		`ibscope_last_event_timestamp_seconds{fabric="one",kind="link-down"}`: 1000, "ibscope_event_log_last_id": 100, "ibscope_events_missed_total": 0,
	})
	log.Add(event.Event{Fabric: "one", Kind: event.LinkUp, At: at, To: to}, event.Event{Fabric: "two", Kind: event.LinkDown, At: at, To: to},
		event.Event{Fabric: "one", Kind: event.LinkFlap, At: at, To: to, Count: 2}, event.Event{Fabric: "one", Kind: event.LinkFlap, At: at, To: to, Count: 3, New: "flapping"})
	expect("flapping", map[string]float64{"ibscope_port_falls_total" + near: 6, "ibscope_port_flapping" + near: 1, "ibscope_port_flapping" + far: 1, "ibscope_port_flapping" + other: 0})
	log.Add(event.Event{Fabric: "one", Kind: event.FlapEnded, At: at, To: to, Count: 7, Old: "flapping"})
	expect("done", map[string]float64{"ibscope_port_falls_total" + near: 13, "ibscope_port_flapping" + near: 0, "ibscope_events_missed_total": 0})
	for i := range 10 {
		log.Add(event.Event{Fabric: "one", Kind: event.NodeRenamed, Old: fmt.Sprint(i)})
	}
	expect("a log that is too short", map[string]float64{"ibscope_events_missed_total": 6, `ibscope_events_total{fabric="one",kind="node-renamed"}`: 4, "ibscope_event_log_last_id": 115})
}
