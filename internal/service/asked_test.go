package service

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/sim"
)

// TestDetails: who wants details gets them, in all sets of names as the simulator has
// them; who does not, does not.
func TestDetails(t *testing.T) {
	on, off := true, false
	for _, tt := range []struct {
		compat  []string
		details *bool
		there   bool
	}{
		{nil, nil, false},
		{[]string{"node"}, nil, false},
		{nil, &on, true},
		{[]string{"treydock"}, nil, true},
		{[]string{"guilbaults"}, nil, true},
		{[]string{"treydock", "guilbaults"}, &off, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			defer w.close()
			f := w.fabric("sim:star?hosts=3")
			at := sim.Place{Node: f.Model().Start().Node(), Port: 1}
			for name, v := range map[string]uint64{
				"PortCountersExtended.PortRcvErrors": 5, "PortRcvErrorDetails.PortMalformedPktErrors": 4321,
				"PortCountersExtended.PortXmitDiscards": 6, "PortXmitDiscardDetails.PortInactiveDiscards": 1234,
			} {
				if err := f.agents.Counters.Set(at, name, v); err != nil {
					t.Fatal(err)
				}
			}
			c := complete(t, "demo=sim:star?hosts=3")
			c.Metrics = config.Metrics{Compat: tt.compat, Details: tt.details}
			w.run(c)
			wait(5 * time.Second)
			page := w.ask("/metrics?compat=" + strings.Join(append([]string{"own"}, tt.compat...), ",")).Body.String()
			for _, v := range []string{" 4321\n", " 1234\n"} {
				if v == " 1234\n" && len(tt.compat) == 1 && tt.compat[0] == "treydock" {
					v = fmt.Sprintf("_port_inactive_discards_total{fabric=\"demo\",guid=\"%s\",port=\"1\"}%s", at.Node.GUID(), v)
				}
				if n := strings.Count(page, v); (n > 0) != tt.there {
					t.Errorf("%v, %v: %q is there %d times", tt.compat, tt.details, v, n)
				}
			}
		})
	}
}

// TestHardware: metrics have the firmware of devices, and what the client has done.
func TestHardware(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		c := complete(t, "demo=sim:star?hosts=3&speed=hdr", "old=file:star?hosts=2")
		c.Metrics.Compat = []string{"treydock"}
		w.fabric("sim:star?hosts=3&speed=hdr")
		wait(10 * time.Second)
		w.run(c)
		wait(25 * time.Second)
		page := w.ask("/metrics?compat=own,treydock").Body.String()
		stats, ok := w.service.requests("demo")
		for _, line := range []string{
			`firmware="27.2012.1010",psid="SIM0000054000"`,
			`firmware_version="27.2012.1010",psid="SIM0000054000",part_number="",serial_number=""`,
			fmt.Sprintf("ibscope_requests_total{fabric=\"demo\"} %d\n", stats.Sent),
			fmt.Sprintf("ibscope_requests_window{fabric=\"demo\"} %d\n", stats.Window),
		} {
			if !strings.Contains(page, line) {
				t.Errorf("no %s", line)
			}
		}
		switches := w.service.States()[0].Fabric.Switches()
		for n := range switches {
			line := fmt.Sprintf("infiniband_switch_uptime_seconds{guid=\"%s\"} %d\n", n.Port(1).GUID(), 30)
			if !strings.Contains(page, line) {
				t.Errorf("no %s", line)
			}
		}
		if !ok || stats.Sent == 0 || stats.Window == 0 || strings.Contains(page, `ibscope_requests_total{fabric="old"}`) {
			t.Errorf("%+v (%t)", stats, ok)
		}
	})
}
