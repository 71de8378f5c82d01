package watch_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/vendors"
	"github.com/ibscope/ibscope/watch"
)

// burnt is a transport behind which one device tells another firmware.
type burnt struct {
	madrpc.Transport
	lid   *atomic.Uint32 // of the device; 0 for none
	minor uint32
}

func (b *burnt) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := b.Transport.Recv(p)
	if err == nil && p.Class() == vendors.ClassMLNX && p.AttrID() == mlnx.AttrGeneralInfo && from.LID != 0 && uint32(from.LID) == b.lid.Load() {
		data := (*[232]byte)(p.Data())
		var v mlnx.GeneralInfoExtended
		v.Decode(data)
		v.FWExtMinor = b.minor
		v.Encode(data)
	}
	return from, err
}

// TestFirmwareBurnt: the nodes of the fabric have their firmware; one that is started
// again with another one tells it soon after it is back, and nobody else is asked.
func TestFirmwareBurnt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Firmware: true})
		defer func() { w.end() }()
		c := w.count()
		device := hosts(w.sim.Model())[7]
		count, lid := w.wrap, new(atomic.Uint32)
		w.wrap = func(p madrpc.Transport) madrpc.Transport {
			return count(&burnt{Transport: p, lid: lid, minor: 99})
		}
		w.run()
		s := w.after(5 * time.Minute)
		nodes := s.Fabric.NumNodes()
		before := firmwareOf(t, s.Fabric, device.GUID())
		if c.firmware() != nodes || before == "" {
			t.Fatalf("%d requests for %d nodes, firmware %q", c.firmware(), nodes, before)
		}
		at := sim.Place{Node: device, Port: 1}
		_ = w.sim.LinkDown(at)
		s = w.after(3 * time.Minute)
		if _, there := s.Fabric.NodeByGUID(device.GUID()); there {
			t.Fatal("the device is still there")
		}
		_ = w.sim.LinkUp(at)
		w.manager.Sweep()
		lid.Store(uint32(device.Port(1).LID()))
		s = w.after(3 * time.Minute)
		if now := firmwareOf(t, s.Fabric, device.GUID()); now == before || now != s.Devices[device.GUID()].Version {
			t.Errorf("the firmware is %q, %q before; Devices have %+v", now, before, s.Devices[device.GUID()])
		}
		if n := c.firmware() - nodes; n > 8 { // with those that are sent again
			t.Errorf("%d requests because of one device", n)
		}
		for _, s := range w.all() {
			if s.Fabric == nil || s.Asking.Count == 0 {
				continue
			}
			for n := range s.Fabric.Nodes() {
				if f, known := n.Firmware(); !known || f != s.Devices[n.GUID()].Firmware {
					t.Fatalf("state %d by %s: %s has firmware %q, and %q in Devices", s.Number, s.Cause, n.GUID(), f, s.Devices[n.GUID()].Firmware)
				}
			}
		}
	})
}

func firmwareOf(t *testing.T, f *fabric.Fabric, guid ib.GUID) string {
	t.Helper()
	n, ok := f.NodeByGUID(guid)
	if !ok {
		t.Fatalf("there is no node %s", guid)
	}
	firmware, _ := n.Firmware()
	return firmware.Version
}
