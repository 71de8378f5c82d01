package watch_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/vendors"
	"github.com/ibscope/ibscope/watch"
)

// firmware are how many requests for it were sent.
func (c *counting) firmware() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[asked{vendors.ClassMLNX, mlnx.AttrGeneralInfo}]
}

// TestFirmware: all devices are asked once after each verification, and tell what they
// are; nobody is unless that is wanted.
func TestFirmware(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, wanted := range []bool{false, true} {
			w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Firmware: wanted})
			c := w.count()
			w.run()
			s := w.after(50 * time.Minute)
			nodes := s.Fabric.NumNodes()
			if !wanted {
				if c.firmware() > 0 || len(s.Devices) > 0 {
					t.Errorf("%d requests that nobody wants, %d devices", c.firmware(), len(s.Devices))
				}
				w.end()
				continue
			}
			if c.firmware() != nodes || s.Asking.Requests != nodes || !s.Asking.Complete || s.Asking.Count != 1 {
				t.Errorf("%d requests for %d nodes: %+v", c.firmware(), nodes, s.Asking)
			}
			for n := range s.Fabric.Nodes() {
				d := s.Devices[n.GUID()]
				if want := fmt.Sprintf("SIM%010d", n.Info().DeviceID); d.PSID != want || d.Version == "" || d.Version == "0.0.0" || time.Since(d.At) > 50*time.Minute {
					t.Errorf("%s: %+v, want %s", n.GUID(), d, want)
				}
			}
			if w.after(20 * time.Minute); c.firmware() != 2*nodes {
				t.Errorf("%d requests for %d nodes in two verifications", c.firmware(), nodes)
			}
			w.end()
		}
	})
}

// TestFirmwareSilent: devices that do not answer delay neither refreshes nor passes, and
// are left alone after two times.
func TestFirmwareSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Firmware: true, Verify: watch.Pace{Every: 6 * time.Minute}})
		defer func() { w.end() }()
		c := w.count()
		silent := map[ib.LID]bool{}
		for _, n := range hosts(w.sim.Model())[5:25] {
			silent[n.Port(1).LID()] = true
		}
		c.drop = func(p *mad.Packet, to mad.Addr) bool { return p.Class() == vendors.ClassMLNX && silent[to.LID] }
		w.run()
		s := w.after(5 * time.Minute)
		nodes := s.Fabric.NumNodes()
		if s.Asking.Problems != len(silent) || len(s.Devices) != nodes-len(silent) || s.Asking.Duration > time.Minute {
			t.Errorf("%d of %d devices: %+v", len(s.Devices), nodes, s.Asking)
		}
		if s.Refresh.Count < 9 || s.Pass.Count != 5 || s.Refresh.Duration > time.Second {
			t.Errorf("%d refreshes, %d passes: %+v", s.Refresh.Count, s.Pass.Count, s.Refresh)
		}
		s = w.after(8 * time.Minute)
		if s.Asking.Count != 3 || s.Asking.Problems > 0 || s.Asking.Requests != nodes-len(silent) {
			t.Errorf("the third time: %+v", s.Asking)
		}
		if s = w.after(126 * time.Minute); s.Asking.Count != 24 || s.Asking.Problems != len(silent) {
			t.Errorf("the 24th time: %+v", s.Asking)
		}
	})
}
