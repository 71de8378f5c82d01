package perf_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// virtual runs a test on a fabric in virtual time.
func virtual(t *testing.T, test func(w *world)) {
	synctest.Test(t, func(t *testing.T) { test(newWorld(t, star)) })
}

// TestTraffic: counters move with time, by the rates of the rules, and both ends
// of a link agree.
func TestTraffic(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:40%,multicast:10%,size:1000,wait:5%,marked:20%,symbol-errors:100/s,rcv-errors:10/s,discards:20/s,fec-corrected:400/s")
		if diff := cmp.Diff(pma.PortCountersExtended{PortSelect: 1}, w.extended(w.host(), 1)); diff != "" {
			t.Errorf("at the start (-want +got)\n%s", diff)
		}
		time.Sleep(100 * time.Second)
		const words = 100e9 / 8 / 4 * 0.4 * 100
		want := pma.PortCountersExtended{
			PortSelect: 1, XmitData: words, RcvData: words, XmitPkts: words / 250, RcvPkts: words / 250,
			UnicastXmitPkts: words / 250 * 0.9, UnicastRcvPkts: words / 250 * 0.9,
			MulticastXmitPkts: words / 250 * 0.1, MulticastRcvPkts: words / 250 * 0.1,
			SymbolErrors: 10_000, RcvErrors: 1000, XmitDiscards: 2000, XmitWait: 5e9 / 10.24, // ticks of 32 bytes on each of four lanes
		}
		near := cmp.Comparer(func(a, b uint64) bool { return max(a, b)-min(a, b) <= max(a, b)/1000 })
		host, leaf := w.extended(w.host(), 1), w.extended(w.leaf(1), 1)
		if diff := cmp.Diff(want, host, near); diff != "" {
			t.Errorf("after 100 s (-want +got)\n%s", diff)
		}
		if host.XmitData != leaf.RcvData || host.RcvPkts != leaf.XmitPkts {
			t.Errorf("the ends disagree: %+v %+v", host, leaf)
		}
		if b := w.basic(w.host(), 1); b.XmitData != 1<<32-1 || b.SymbolErrors < 9990 || b.XmitWait < 488e6 {
			t.Errorf("%+v", b)
		}
		for name, want := range map[string]uint64{
			"PortXmitDataSL.XmtDataSL0": 1<<32 - 1, "PortXmitDataSL.XmtDataSL1": 0,
			"PortVLXmitWaitCounters.PortVLXmitWait0":                1<<16 - 1,
			"PortRcvConCtrl.PortPktRcvFECN":                         words / 250 / 5,
			"PortRcvErrorDetails.PortLocalPhysicalErrors":           host.RcvErrors,
			"RSFECSpeedsCounters.FECCorrectableSymbolCtrLane3":      10_000,
			"RSFECSpeedsCounters.FECCorrectableSymbolCtrLane4":      0,
			"RSFECSpeedsCounters.PortFECCorrectedSymbolCtr":         40_000,
			"PortXmitDiscardDetails.PortSwHOQLifetimeLimitDiscards": host.XmitDiscards,
		} {
			if got := w.get(w.host(), name); max(got, want)-min(got, want) > want/1000+1 {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	})
}

// TestResetMoving: after a reset a counter begins at 0 and goes on.
func TestResetMoving(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:1%,size:1000")
		time.Sleep(time.Second)
		first := w.extended(w.host(), 1)
		w.ask(w.host(), mad.MethodSet, pma.AttrPortCountersExtended, 0, 1, 0, 1)
		if x := w.extended(w.host(), 1); x.XmitData != 0 || x.RcvData != first.RcvData {
			t.Errorf("%+v", x)
		}
		time.Sleep(2 * time.Second)
		if x := w.extended(w.host(), 1); x.XmitData != 2*first.XmitData || x.RcvData != 3*first.RcvData {
			t.Errorf("%+v, in the first second %+v", x, first)
		}
	})
}

// TestChangedTraffic: other traffic goes on from where the counters are.
func TestChangedTraffic(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:1%,size:1000,symbol-errors:1000")
		time.Sleep(time.Second)
		before := w.extended(w.host(), 1)
		w.traffic("load:2%,size:1000")
		if now := w.extended(w.host(), 1); now != before {
			t.Errorf("%+v, before the change %+v", now, before)
		}
		time.Sleep(time.Second)
		after := w.extended(w.host(), 1)
		if after.XmitData != 3*before.XmitData || after.RcvPkts != 3*before.RcvPkts || after.SymbolErrors != before.SymbolErrors {
			t.Errorf("%+v, before the change %+v", after, before)
		}
		w.counters.SetTraffic(nil)
		time.Sleep(time.Second)
		if now := w.extended(w.host(), 1); now != after {
			t.Errorf("%+v, before the end of traffic %+v", now, after)
		}
	})
}

// TestLinkDown: a link that goes down has no traffic until it is up again, at
// either end.
func TestLinkDown(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:1%,size:1000")
		time.Sleep(time.Second)
		first := w.extended(w.host(), 1).XmitData
		if err := w.sim.LinkDown(w.leaf(1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		host, leaf, other := w.extended(w.host(), 1), w.extended(w.leaf(1), 1), w.extended(w.leaf(2), 2)
		if host.XmitData != first || leaf.RcvData != first || other.XmitData != 2*first {
			t.Errorf("%d, %d and at another link %d, want %d", host.XmitData, leaf.RcvData, other.XmitData, first)
		}
		if host.LinkDowned+leaf.LinkDowned == 0 {
			t.Error("no end of the link has counted that it went down")
		}
		if err := w.sim.LinkUp(w.leaf(1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		w.extended(w.host(), 1)
		time.Sleep(time.Second)
		if got := w.extended(w.leaf(1), 1).RcvData; got != 2*first {
			t.Errorf("up again: %d, want %d", got, 2*first)
		}
	})
}

// TestOpcode: an opcode is counted from when it is chosen.
func TestOpcode(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:1%,size:1000")
		read := func(method mad.Method, opcode byte) (v pma.PortOpRcvCounters) {
			v.Decode((*[192]byte)(w.ask(w.host(), method, pma.AttrPortOpRcvCounters, opcode, 1).Data()))
			return v
		}
		time.Sleep(time.Second)
		if v := read(mad.MethodGet, 9); v != (pma.PortOpRcvCounters{PortSelect: 1}) {
			t.Errorf("no opcode chosen: %+v", v)
		}
		if v := read(mad.MethodSet, 7); v != (pma.PortOpRcvCounters{PortSelect: 1, OpCode: 7}) {
			t.Errorf("just chosen: %+v", v)
		}
		time.Sleep(time.Second)
		if v := read(mad.MethodGet, 0); v.OpCode != 7 || v.OpRcvPkts != 125_000 || v.OpRcvData != 125_000*250 {
			t.Errorf("after a second: %+v", v)
		}
	})
}

// TestSampling counts what passes between start and end, however late one looks.
func TestSampling(t *testing.T) {
	virtual(t, func(w *world) {
		w.traffic("load:1%,size:1000")
		control := func(method mad.Method, v pma.PortSamplesControl) pma.PortSamplesControl {
			var data [192]byte
			v.Encode(&data)
			v.Decode((*[192]byte)(w.ask(w.leaf(2), method, pma.AttrPortSamplesControl, data[:]...).Data()))
			return v
		}
		result := func() (v pma.PortSamplesResult) {
			v.Decode((*[192]byte)(w.ask(w.leaf(2), mad.MethodGet, pma.AttrPortSamplesResult).Data()))
			return v
		}
		if v := control(mad.MethodGet, pma.PortSamplesControl{PortSelect: 1}); v.SampleStatus != pma.SampleDone || v.CounterMasks10to14 != 0x1249 || v.CounterMasks1to9 != 0x1249249 {
			t.Errorf("%+v", v)
		}
		if v := result(); v != (pma.PortSamplesResult{}) {
			t.Errorf("no sampling: %+v", v)
		}
		const second = 97_656_250 // ticks of 128 bytes at 100 Gb/s
		ask := pma.PortSamplesControl{PortSelect: 1, SampleStart: second, SampleInterval: second, Tag: 77}
		copy(ask.CounterSelect[:], []uint16{3, 1, 99})
		if v := control(mad.MethodSet, ask); v.SampleStatus != pma.SampleStarted || v.Tag != 77 {
			t.Errorf("%+v", v)
		}
		time.Sleep(1500 * time.Millisecond)
		if v := result(); v.SampleStatus != pma.SampleRunning || v.Tag != 77 || v.Counters[0] != 62_500 {
			t.Errorf("half way: %+v", v)
		}
		ask.Tag = 78
		if v := control(mad.MethodSet, ask); v.Tag != 77 || v.SampleStatus != pma.SampleRunning {
			t.Errorf("set while it runs: %+v", v)
		}
		time.Sleep(time.Hour)
		want := pma.PortSamplesResult{Tag: 77, Counters: [15]uint32{125_000, 31_250_000}}
		if diff := cmp.Diff(want, result()); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}
