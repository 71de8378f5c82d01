package congestion_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/congestion"
	"github.com/ibscope/ibscope/madrpc/resolve"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// open gives the agents of an adapter and of a switch.
func open(t *testing.T) (adapter, sw *congestion.Agent) {
	t.Helper()
	model, err := gen.Parse("star?hosts=60")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sm.Start(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sa.Start(m); err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Use(f, nil); err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	t.Cleanup(func() { client.Close() })
	for n := range model.Nodes() {
		guid := n.Info().PortGUID
		to, err := resolve.GUID(t.Context(), client, guid, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := &congestion.Agent{Client: client, Target: to}
		if n.Type() == ib.NodeSwitch {
			sw = a
		} else {
			adapter = a
		}
		if sw != nil && adapter != nil {
			break
		}
	}
	return adapter, sw
}

func TestPorts(t *testing.T) {
	_, sw := open(t)
	ctx := t.Context()
	set := cc.PortSetting{Valid: true, Threshold: 3, PacketSize: 8, MarkingRate: 77}
	for _, num := range []int{1, 40, 50} { // of two blocks
		_, after, block, err := sw.PortBlock(ctx, num, set)
		if err != nil {
			t.Fatal(err)
		}
		if err := sw.Set(ctx, &after, block); err != nil {
			t.Fatal(err)
		}
	}
	all, err := sw.Ports(ctx, 60)
	if err != nil || len(all) != 61 {
		t.Fatalf("%d ports, %v", len(all), err)
	}
	for num, got := range all {
		want := cc.PortSetting{}
		if num == 1 || num == 40 || num == 50 {
			want = set
		}
		if got != want {
			t.Errorf("port %d: %+v", num, got)
		}
	}
	if one, err := sw.Port(ctx, 50); err != nil || one != set {
		t.Errorf("%+v, %v", one, err)
	}
	var missing *congestion.Error
	if _, err := sw.Port(ctx, 256); !errors.As(err, &missing) {
		t.Errorf("port 256: %v", err)
	}
	if _, err := sw.Ports(ctx, 200); !errors.Is(err, mad.StatusInvalidValue) {
		t.Errorf("ports of blocks that are not there: %v", err)
	}
}

func TestTable(t *testing.T) {
	adapter, sw := open(t)
	ctx := t.Context()
	if limit, entries, err := adapter.Table(ctx); err != nil || limit != 0 || entries != nil {
		t.Errorf("fresh: %d, %v, %v", limit, entries, err)
	}
	want := make([]cc.TableEntry, 100)
	for i := range want {
		want[i] = cc.TableEntry{Shift: uint8(i % 4), Multiplier: uint16(i)}
	}
	if err := adapter.SetTable(ctx, want); err != nil {
		t.Fatal(err)
	}
	limit, got, err := adapter.Table(ctx)
	if err != nil || limit != 99 {
		t.Fatalf("limit %d, %v", limit, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := adapter.SetTable(ctx, make([]cc.TableEntry, 200)); !errors.Is(err, mad.StatusInvalidValue) {
		t.Errorf("too long for the adapter: %v", err)
	}
	var missing *congestion.Error
	if err := adapter.SetTable(ctx, nil); !errors.As(err, &missing) {
		t.Errorf("empty: %v", err)
	}
	if _, _, err := sw.Table(ctx); !errors.Is(err, mad.StatusUnsupportedAttr) {
		t.Errorf("of a switch: %v", err)
	}
}

// TestAfter compares what a Set is said to change with what it does.
func TestAfter(t *testing.T) {
	adapter, sw := open(t)
	ctx := t.Context()
	for m := range uint32(32) {
		set := cc.SwitchCongestionSetting{
			ControlMap: m, VictimMask: [32]byte{byte(m)}, CreditMask: [32]byte{byte(m) + 1},
			Threshold: uint8(m % 16), PacketSize: uint8(m), CSThreshold: uint8(15 - m%16), CSReturnDelay: uint16(m), MarkingRate: uint16(m),
		}
		var have cc.SwitchCongestionSetting
		if err := sw.Get(ctx, &have, 0); err != nil {
			t.Fatal(err)
		}
		want := congestion.SwitchAfter(have, set)
		if err := sw.Set(ctx, &set, 0); err != nil {
			t.Fatal(err)
		}
		if set != want {
			t.Errorf("control map %#x\n%s", m, cmp.Diff(want, set))
		}
	}
	var have cc.CACongestionSetting
	if err := adapter.Get(ctx, &have, 0); err != nil {
		t.Fatal(err)
	}
	set := cc.CACongestionSetting{PortControl: 1, ControlMap: 0x8005}
	for sl := range set.SLs {
		set.SLs[sl] = cc.CAEntry{Timer: 5, Increase: 6, TriggerThreshold: 7, Min: 8}
	}
	want := congestion.AdapterAfter(have, set)
	if err := adapter.Set(ctx, &set, 0); err != nil || set != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, set))
	}
}

func TestLog(t *testing.T) {
	adapter, sw := open(t)
	l, err := adapter.Log(t.Context())
	if err != nil || l.LogType != cc.LogCA || l.Adapter == nil || l.Switch != nil || l.Adapter.CurrentTimeStamp == 0 {
		t.Errorf("adapter: %+v, %v", l, err)
	}
	if l, err = sw.Log(t.Context()); err != nil || l.LogType != cc.LogSwitch || l.Switch == nil || l.Adapter != nil {
		t.Errorf("switch: %+v, %v", l, err)
	}
}
