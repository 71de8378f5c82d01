package survey_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
	"github.com/ibscope/ibscope/survey"
)

// world is a simulated fabric, swept.
type world struct {
	sim    *sim.Fabric
	agents *agents.Agents
	client *madrpc.Client
	swept  *fabric.Fabric
}

func open(t *testing.T, uri string, managed bool, faults func(*fabric.Fabric) []sim.Fault) *world {
	t.Helper()
	model, err := gen.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	o := &sim.Options{NoTraps: true}
	if faults != nil {
		o.Faults = faults(model)
	}
	w := &world{}
	if w.sim, err = sim.New(model, o); err != nil {
		t.Fatal(err)
	}
	if w.agents, err = agents.Use(w.sim, nil); err != nil {
		t.Fatal(err)
	}
	if managed {
		m, err := sm.Start(w.sim, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		if _, err := sa.Start(m); err != nil {
			t.Fatal(err)
		}
	}
	port, err := w.sim.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	w.client = madrpc.New(port, &madrpc.Options{Timeout: 100 * time.Millisecond, Retries: -1})
	t.Cleanup(func() { w.client.Close() })
	if w.swept, err = discover.Walk(t.Context(), w.client, nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// model is the switch of the simulator that a swept one is.
func (w *world) model(t *testing.T, n *fabric.Node) *fabric.Node {
	t.Helper()
	m, ok := w.sim.Model().NodeByGUID(n.GUID())
	if !ok {
		t.Fatalf("no node %v", n.GUID())
	}
	return m
}

func TestTake(t *testing.T) {
	w := open(t, "fattree?levels=2&radix=8", true, nil)
	masks := [mad.DataSize]byte{3: 0x06}
	var first *fabric.Node
	for first = range w.swept.Switches() {
		break
	}
	at := sim.Place{Node: w.model(t, first)}
	if s := w.sim.Direct(at, mad.MethodSet, smp.AttrMulticastForwardingTable, smp.MFTModifier(0, 2), &masks); s != mad.StatusOK {
		t.Fatal(s)
	}
	info, _ := first.RawSwitchInfo()
	info[18], info[19] = 0xc0, 0x50 // MulticastFDBTop
	if s := w.sim.Direct(at, mad.MethodSet, smp.AttrSwitchInfo, 0, &info); s != mad.StatusOK {
		t.Fatal(s)
	}
	var err error
	if w.swept, err = discover.Walk(t.Context(), w.client, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.agents.Counters.Set(sim.Place{Node: at.Node, Port: 3}, "PortCountersExtended.SymbolErrorCounter", 65535); err != nil {
		t.Fatal(err)
	}
	s, err := survey.Take(t.Context(), w.client, w.swept, &survey.Options{Routes: true, Counters: true, Manager: true})
	if err != nil || !s.IsComplete() {
		t.Fatal(err, s.Problems)
	}
	for sw := range s.Fabric.Switches() {
		for lid, port := range sw.LFT() {
			if want, ok := w.sim.Next(w.model(t, sw), ib.LID(lid)); ok && want != int(port) || !ok && port != smp.NoPort {
				t.Errorf("switch %v: LID %d by port %d, not %d", sw.GUID(), lid, port, want)
			}
		}
		if len(sw.LFT()) < 44 || s.Multicast[sw] == nil {
			t.Errorf("switch %v: tables of %d LIDs, %d blocks", sw.GUID(), len(sw.LFT()), len(s.Multicast[sw]))
		}
	}
	if s.Manager == nil || s.Manager.NumNodes() != w.swept.NumNodes() {
		t.Error("no manager's view")
	}
	for sw, blocks := range s.Multicast {
		if sw.GUID() == first.GUID() && (len(blocks) != 1 || blocks[0].Block != 2 || blocks[0].Masks != masks) {
			t.Errorf("multicast blocks %v", blocks)
		}
	}
	checkCounters(t, s, first.GUID())
	var b bytes.Buffer
	if err := snapshot.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	again, err := snapshot.Read(&b, "again")
	if err != nil || len(again.Counters) != len(s.Counters) {
		t.Error(err)
	}
}

func checkCounters(t *testing.T, s *snapshot.Snapshot, guid ib.GUID) {
	t.Helper()
	found := false
	for _, c := range s.Counters {
		if len(c.Names) != len(c.Values) || !c.HasMasks || c.Before.IsZero() || c.After.Before(c.Before) {
			t.Fatalf("%+v", c)
		}
		if i := slices.Index(c.Names, "symbol_errors"); c.Node.GUID() == guid && c.Port == 3 && c.Values[i] == 65535 {
			found = true
		}
	}
	if !found || len(s.Counters) < 32+12*8 {
		t.Errorf("%d ports, the set counter found: %v", len(s.Counters), found)
	}
}

// TestSilent: a switch that stops to answer costs its tables, and few requests.
func TestSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dead ib.GUID
		w := open(t, "fattree?levels=2&radix=8", false, func(f *fabric.Fabric) []sim.Fault {
			for sw := range f.Switches() {
				dead = sw.GUID()
			}
			return []sim.Fault{{Kind: sim.DeadSMA, Node: dead, Attr: smp.AttrLinearForwardingTable}}
		})
		began := time.Now()
		s, err := survey.Take(t.Context(), w.client, w.swept, &survey.Options{Routes: true, Manager: true})
		if err != nil || s.IsComplete() || s.Manager != nil {
			t.Errorf("%v, complete %v", err, s.IsComplete())
		}
		for sw := range s.Fabric.Switches() {
			if (sw.LFT() == nil) != (sw.GUID() == dead) {
				t.Errorf("switch %v: a table: %v", sw.GUID(), sw.LFT() != nil)
			}
		}
		if len(s.Problems) != 2 || s.Problems[0].GUID != dead || s.Problems[0].Kind != fabric.NoReply || s.Problems[0].Attr != smp.AttrLinearForwardingTable {
			t.Errorf("%v", s.Problems)
		}
		if p := s.Problems[len(s.Problems)-1]; !errors.Is(p, os.ErrDeadlineExceeded) { // nobody answers at the manager's LID
			t.Error(p)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// TestCanceled: what was known by then is in the snapshot.
func TestCanceled(t *testing.T) {
	w := open(t, "star?hosts=3", false, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := survey.Take(ctx, w.client, w.swept, &survey.Options{Routes: true, Counters: true})
	var e *survey.Error
	if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || s.Fabric != w.swept || s.IsComplete() {
		t.Errorf("%v, %+v", err, s)
	}
	for _, p := range s.Problems {
		if p.Kind != fabric.NotFinished {
			t.Error(p)
		}
	}
}

// TestFirmwareAndManagers: devices tell their firmware, managers what they are.
func TestFirmwareAndManagers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "fattree?levels=2&radix=4", true, nil)
		host, _ := w.swept.NodeByGUID(w.swept.Start().Node().GUID())
		s, err := survey.Take(t.Context(), w.client, w.swept, &survey.Options{Firmware: true, SMInfo: true})
		if err != nil || len(s.Problems) > 0 {
			t.Fatal(err, s.Problems)
		}
		for n := range w.swept.Nodes() {
			if fw, ok := n.Firmware(); !ok || fw.Version == "" || fw.PSID == "" {
				t.Errorf("%s: %+v", n.GUID(), fw)
			}
		}
		if info, ok := s.SMInfo[host.Port(1)]; len(s.SMInfo) != 1 || !ok || info.State != ib.SMMaster || info.GUID != host.Port(1).GUID() {
			t.Errorf("managers %+v", s.SMInfo)
		}
	})
}
