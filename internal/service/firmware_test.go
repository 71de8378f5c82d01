package service

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// burnt is a transport behind which one device tells another firmware.
type burnt struct {
	madrpc.Transport
	lid atomic.Uint32 // of the device; 0 for none
}

func (b *burnt) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := b.Transport.Recv(p)
	var v mlnx.GeneralInfoExtended
	if err == nil && p.Class() == v.Class() && p.AttrID() == v.AttrID() && from.LID != 0 && uint32(from.LID) == b.lid.Load() {
		data := (*[232]byte)(p.Data())
		v.Decode(data)
		v.FWExtMinor = 99
		v.Encode(data)
	}
	return from, err
}

// TestFirmwareBurnt: a host that is back with another firmware is an event with both
// versions, and a difference to the time before.
func TestFirmwareBurnt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		device := &burnt{}
		w.wrap = func(p madrpc.Transport) madrpc.Transport {
			device.Transport = p
			return device
		}
		c := complete(t, "a="+tree)
		c.State = t.TempDir()
		w.run(c)
		wait(3 * time.Minute)
		hosts := slices.Collect(w.fabric(tree).Model().CAs())
		host := hosts[len(hosts)-1]
		at := sim.Place{Node: host, Port: 1}
		if err := w.fabric(tree).LinkDown(at); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		device.lid.Store(uint32(host.Port(1).LID()))
		if err := w.fabric(tree).LinkUp(at); err != nil {
			t.Fatal(err)
		}
		w.fabric(tree).manager.Sweep()
		wait(2 * time.Minute)
		if kinds := w.kinds("a", 0); !slices.Equal(kinds, []string{"node-vanished", "node-appeared", "node-rebooted"}) {
			t.Fatalf("events: %v", kinds)
		}
		events := read[api.Events](w, "/events?after=0&kind=node-rebooted").Items
		e := events[0]
		if e.Field != "firmware" || e.Old == "" || e.New == e.Old || e.At == nil || e.At.GUID != host.GUID() {
			t.Errorf("%+v", e)
		}
		node := read[api.NodeAnswer](w, "/fabrics/a/nodes/"+host.GUID().String()).Node
		if node.Firmware != e.New {
			t.Errorf("the node has firmware %s, and the event %s", node.Firmware, e.New)
		}
		diff := read[api.Differences](w, "/fabrics/a/diff?from=4m")
		if diff.Total != 1 || diff.Changes[0].Field != "firmware" || *diff.Changes[0].InA != e.Old || *diff.Changes[0].InB != e.New {
			t.Errorf("%+v", diff)
		}
	})
}
