package event_test

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// TestFirmware: a device that runs another firmware was started again, which is told
// once, with both versions; one whose firmware becomes known was not.
func TestFirmware(t *testing.T) {
	model, err := gen.Parse("fattree?levels=2&radix=8&hosts=4")
	if err != nil {
		t.Fatal(err)
	}
	var guid ib.GUID
	for n := range model.CAs() {
		guid = n.GUID()
	}
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	runs := func(number int, version string) *watch.State {
		at = at.Add(time.Hour)
		s := &watch.State{Number: number, Cause: watch.Asking, Since: at, Name: "lab", Connected: true, At: at, Fabric: model}
		if version != "" {
			firmware := fabric.Firmware{Version: version, PSID: "MT_0000000001"}
			s.Devices = map[ib.GUID]watch.Device{guid: {Firmware: firmware, At: at}}
			s.Fabric = model.Copy(func(b *fabric.Builder, n *fabric.Node) {
				if n.GUID() == guid {
					b.SetFirmware(n, firmware)
				}
			})
		}
		return s
	}
	d := event.NewDetector(nil)
	old := runs(0, "")
	for i, step := range []struct{ version, was string }{
		{"28.39.1002", ""}, {"28.39.1002", ""}, {"28.40.1000", "28.39.1002"}, {"28.40.1000", ""}, {"", ""}, {"28.40.1000", ""},
	} {
		now := runs(i+1, step.version)
		since := old.Devices[guid].At
		events := d.Next(old, now)
		old = now
		if step.was == "" {
			if len(events) > 0 {
				t.Errorf("step %d: %v", i, events)
			}
			continue
		}
		if len(events) != 1 {
			t.Fatalf("step %d: %d events: %v", i, len(events), events)
		}
		e := &events[0]
		if e.Kind != event.NodeRebooted || e.At.GUID != guid || e.Field != "firmware" || e.Old != step.was || e.New != step.version ||
			e.How != "firmware" || !e.Since.Equal(since) {
			t.Errorf("step %d: %+v", i, *e)
		}
	}
}
