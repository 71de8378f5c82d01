package perf_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
)

const star = "star?hosts=2&speed=edr"

// TestSaturation sets each counter to its largest value and counts one more:
// all stop there, but for 64 bits, which begin again.
func TestSaturation(t *testing.T) {
	w := newWorld(t, star)
	at := w.host()
	names := w.counters.Names()
	if len(names) < 200 {
		t.Errorf("only %d counters", len(names))
	}
	for _, name := range names {
		w.set(at, name, 1<<64-1)
		top := w.get(at, name)
		if width := top + 1; width&(width-1) != 0 || top == 0 {
			t.Errorf("%s: the largest value is %#x", name, top)
		}
		w.count(at, name, 1)
		want := top
		if top == 1<<64-1 {
			want = 0
		}
		if got := w.get(at, name); got != want {
			t.Errorf("%s: %#x and one is %#x", name, top, got)
		}
		w.set(at, name, 0)
	}
}

// TestShared: the counters of one thing in two attributes have their own resets.
func TestShared(t *testing.T) {
	w := newWorld(t, star)
	at := w.host()
	w.count(at, "PortCounters.SymbolErrorCounter", 70_000)
	if b, x := w.basic(at, 1), w.extended(at, 1); b.SymbolErrors != 0xffff || x.SymbolErrors != 70_000 {
		t.Errorf("%d and %d", b.SymbolErrors, x.SymbolErrors)
	}
	w.ask(at, mad.MethodSet, pma.AttrPortCounters, 0, 1, 0, 1)
	w.count(at, "portcountersextended.symbolerrorcounter", 5)
	if b, x := w.basic(at, 1), w.extended(at, 1); b.SymbolErrors != 5 || x.SymbolErrors != 70_005 {
		t.Errorf("%d and %d", b.SymbolErrors, x.SymbolErrors)
	}
}

// TestReset resets each counter of each attribute alone: the others stay.
func TestReset(t *testing.T) {
	edr, fdr := newWorld(t, star), newWorld(t, "star?hosts=2&speed=fdr")
	for _, a := range pma.Attributes() {
		w := edr
		if a.Name == "PortExtendedSpeedsCounters" { // RSFECSpeedsCounters on the other
			w = fdr
		}
		for i := range a.Fields {
			f := &a.Fields[i]
			for e := range f.Elements() {
				if f.Mask != 0 {
					one := f.Element(e)
					w.resetOne(w.leaf(1), a.ID, a.Name, one.C, one.Mask&-one.Mask)
				}
			}
		}
	}
}

// resetOne sets all counters of an attribute to 3 and resets one.
func (w *world) resetOne(at sim.Place, attr mad.AttrID, attribute, field string, bit uint64) {
	w.Helper()
	names := w.counters.Names()
	for _, name := range names {
		if strings.HasPrefix(name, attribute+".") {
			w.set(at, name, 3)
		}
	}
	request := []byte{0, byte(at.Port), byte(bit >> 8), byte(bit), 8: 0, 18: 0}
	switch attr {
	case pma.AttrPortCounters:
		request[18] = byte(bit >> 16)
	case pma.AttrPortCountersExtended:
		request[6], request[7] = byte(bit>>24), byte(bit>>16)
	case pma.AttrPortExtendedSpeedsCounters:
		request[2], request[3] = 0, 0
		for i := range 8 {
			request[8+i] = byte(bit >> (56 - 8*i))
		}
	}
	w.ask(at, mad.MethodSet, attr, request...)
	for _, name := range names {
		if !strings.HasPrefix(name, attribute+".") {
			continue
		}
		want := uint64(3)
		if name == attribute+"."+field {
			want = 0
		}
		if got := w.get(at, name); got != want {
			w.Errorf("reset of %s.%s (%#x): %s is %d, want %d", attribute, field, bit, name, got, want)
		}
	}
}

// TestPassing: what passes a port is counted at both ends of its cable.
func TestPassing(t *testing.T) {
	w := newWorld(t, star)
	before := [2]pma.PortCountersExtended{w.extended(w.host(), 1), w.extended(w.leaf(1), 1)}
	const n = 10
	for range n {
		w.exchange(pma.AttrPortCounters)
	}
	host, leaf := w.extended(w.host(), 1), w.extended(w.leaf(1), 1)
	if host.XmitPkts != leaf.RcvPkts || host.RcvPkts != leaf.XmitPkts {
		t.Errorf("the ends disagree: %+v %+v", host, leaf)
	}
	want := before[0]
	want.XmitPkts, want.RcvPkts, want.UnicastXmitPkts, want.UnicastRcvPkts = n, n, n, n
	want.XmitData, want.RcvData = 72*n, 72*n
	if diff := cmp.Diff(want, host); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if b := w.basic(w.host(), 1); b.XmitPkts != n || b.XmitData != 72*n {
		t.Errorf("%+v", b)
	}
}

// exchange asks the switch over the fabric, and waits for the reply.
func (w *world) exchange(attr mad.AttrID) {
	w.Helper()
	var m mad.Packet
	m.Init(mad.ClassPerf, mad.MethodGet, attr, 0)
	m.Data()[1] = 1
	to := mad.Addr{LID: w.leaf(0).Node.Port(0).LID(), QP: mad.QPGeneral, QKey: mad.WellKnownQK}
	if err := w.port.Send(&m, to, 0); err != nil {
		w.Fatal(err)
	}
	if _, err := w.port.Recv(&m); err != nil || m.Status() != mad.StatusOK || m.Method() != mad.MethodGetResp {
		w.Fatal(m.Method(), m.Status(), err)
	}
}

// TestDiscarded: packets that end on the way count where they end.
func TestDiscarded(t *testing.T) {
	w := newWorld(t, star)
	var m mad.Packet
	m.Init(mad.ClassPerf, mad.MethodGet, pma.AttrPortCounters, 0)
	if err := w.port.Send(&m, mad.Addr{LID: 0x99, QP: mad.QPGeneral}, 0); err != nil {
		t.Fatal(err)
	}
	if c := w.basic(w.leaf(1), 1); c.RcvSwitchRelayErrors != 1 {
		t.Errorf("%+v", c)
	}
	if n := w.get(w.leaf(1), "PortRcvErrorDetails.PortDLIDMappingErrors"); n != 1 {
		t.Errorf("%d DLID mapping errors", n)
	}
	w.counters.Discarded(w.leaf(2), sim.DiscardInactive)
	w.counters.Discarded(w.leaf(2), sim.DiscardPKey)
	w.counters.Discarded(w.leaf(2), sim.DiscardVL15)
	w.counters.Discarded(w.leaf(2), sim.DiscardQP1)
	w.counters.Discarded(w.leaf(2), sim.DiscardQP1)
	w.counters.LinkDowned(w.leaf(2))
	w.counters.Discarded(w.leaf(255), sim.DiscardInactive) // nowhere
	c := w.basic(w.leaf(0), 2)
	if c.XmitDiscards != 1 || c.RcvConstraintErrors != 1 || c.LinkDowned != 1 || c.VL15Dropped != 1 || c.QP1Dropped != 2 {
		t.Errorf("%+v", c)
	}
	if n := w.get(w.leaf(2), "PortXmitDiscardDetails.PortInactiveDiscards"); n != 1 {
		t.Errorf("%d inactive discards", n)
	}
}

// TestAllPorts: port 255 is the sum, which stops like any counter, and resets all.
func TestAllPorts(t *testing.T) {
	w := newWorld(t, star)
	for port, n := range []uint64{1: 0xfffe, 2: 1} {
		if port > 0 {
			w.set(w.leaf(port), "PortCounters.PortXmitDiscards", n)
			w.set(w.leaf(port), "PortCounters.LocalLinkIntegrityErrors", 9)
			w.set(w.leaf(port), "PortCountersExtended.PortXmitData", 1<<63)
		}
	}
	all := w.basic(w.leaf(0), pma.AllPorts)
	if all.PortSelect != pma.AllPorts || all.XmitDiscards != 0xffff || all.LocalLinkIntegrity != 15 {
		t.Errorf("%+v", all)
	}
	if x := w.extended(w.leaf(0), pma.AllPorts); x.XmitData != 0 {
		t.Errorf("64 bits add up to %#x", x.XmitData)
	}
	w.set(w.leaf(2), "PortCounters.PortXmitDiscards", 2)
	if all := w.basic(w.leaf(0), pma.AllPorts); all.XmitDiscards != 0xffff {
		t.Errorf("sum stops at %#x", all.XmitDiscards)
	}
	w.ask(w.leaf(0), mad.MethodSet, pma.AttrPortCounters, 0, pma.AllPorts, 0xff, 0xff)
	if diff := cmp.Diff(pma.PortCounters{PortSelect: pma.AllPorts}, w.basic(w.leaf(0), pma.AllPorts)); diff != "" {
		t.Errorf("after reset (-want +got)\n%s", diff)
	}
}

// TestRefused: who may be asked for what.
func TestRefused(t *testing.T) {
	w := newWorld(t, star)
	old := newWorld(t, "star?hosts=2&speed=qdr")
	for _, tt := range []struct {
		name   string
		w      *world
		at     sim.Place
		method mad.Method
		attr   mad.AttrID
		port   byte
		want   mad.Status
	}{
		{"own port", w, w.host(), mad.MethodGet, pma.AttrPortCounters, 1, mad.StatusOK},
		{"port 0 of an adapter", w, w.host(), mad.MethodGet, pma.AttrPortCounters, 0, mad.StatusInvalidValue},
		{"all ports of an adapter", w, w.host(), mad.MethodGet, pma.AttrPortCounters, 255, mad.StatusInvalidValue},
		{"reset all ports of an adapter", w, w.host(), mad.MethodSet, pma.AttrPortCountersExtended, 255, mad.StatusInvalidValue},
		{"other port of an adapter", w, w.host(), mad.MethodGet, pma.AttrPortXmitDataSL, 2, mad.StatusInvalidValue},
		{"port of a switch", w, w.leaf(1), mad.MethodGet, pma.AttrPortCounters, 2, mad.StatusOK},
		{"port 0 of a switch", w, w.leaf(1), mad.MethodGet, pma.AttrPortCounters, 0, mad.StatusOK},
		{"beyond the last", w, w.leaf(1), mad.MethodGet, pma.AttrPortCounters, byte(w.leaf(1).Node.NumPorts()) + 1, mad.StatusInvalidValue},
		{"sampling at another port", w, w.host(), mad.MethodSet, pma.AttrPortSamplesControl, 2, mad.StatusInvalidValue},
		{"result is not set", w, w.host(), mad.MethodSet, pma.AttrPortSamplesResult, 1, mad.StatusUnsupportedAttr},
		{"ClassPortInfo is not set", w, w.host(), mad.MethodSet, pma.AttrClassPortInfo, 1, mad.StatusUnsupportedAttr},
		{"no such attribute", w, w.host(), mad.MethodGet, 0x13, 1, mad.StatusUnsupportedAttr},
		{"no such attribute at all", w, w.host(), mad.MethodGet, 0xff12, 1, mad.StatusUnsupportedAttr},
		{"congestion of a switch", w, w.leaf(1), mad.MethodGet, pma.AttrSwPortVLCongestion, 1, mad.StatusOK},
		{"congestion of an adapter", w, w.host(), mad.MethodGet, pma.AttrSwPortVLCongestion, 1, mad.StatusUnsupportedAttr},
		{"lanes", w, w.host(), mad.MethodGet, pma.AttrPortExtendedSpeedsCounters, 1, mad.StatusOK},
		{"lanes of QDR", old, old.host(), mad.MethodGet, pma.AttrPortExtendedSpeedsCounters, 1, mad.StatusUnsupportedAttr},
		{"method", w, w.host(), mad.MethodGetTable, pma.AttrPortCounters, 1, mad.StatusUnsupportedMethod},
	} {
		if got := tt.w.ask(tt.at, tt.method, tt.attr, 0, tt.port).Status(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	var m mad.Packet
	m.Init(mad.ClassPerf, mad.MethodGet, pma.AttrPortCounters, 1)
	m.Data()[1] = 1
	if w.counters.Answer(sim.Request{At: w.host()}, &m); m.Status() != mad.StatusInvalidValue {
		t.Errorf("modifier 1: %v", m.Status())
	}
	m.Init(mad.ClassPerf, mad.MethodTrap, 2, 0)
	if got := w.counters.Answer(sim.Request{At: w.host()}, &m); got != sim.Declined {
		t.Errorf("trap: outcome %d", got)
	}
}

func TestCapabilities(t *testing.T) {
	for topology, want := range map[string][3]uint32{
		star:                     {0xd200, 0xd300, pma.Cap2AdditionalExtCounters},
		"star?hosts=2&speed=fdr": {0x1200, 0x1300, 0},
		"star?hosts=2&speed=qdr": {0x1200, 0x1300, 0},
	} {
		w := newWorld(t, topology)
		for i, at := range []sim.Place{w.host(), w.leaf(1)} {
			var v pma.ClassPortInfo
			v.Decode((*[72]byte)(w.ask(at, mad.MethodGet, pma.AttrClassPortInfo, 0, 1).Data()))
			if v.BaseVersion != 1 || v.ClassVersion != 1 || uint32(v.CapMask) != want[i] || v.CapMask2 != want[2] {
				t.Errorf("%s: %#v", topology, v.ClassPortInfo)
			}
		}
	}
	// Counters that are not there stay 0.
	w := newWorld(t, "star?hosts=2&speed=qdr")
	w.count(w.host(), "PortCounters.SymbolErrorCounter", 4)
	w.count(w.host(), "PortCounters.QP1Dropped", 4)
	if b, x := w.basic(w.host(), 1), w.extended(w.host(), 1); b.SymbolErrors != 4 || b.QP1Dropped != 0 || x.SymbolErrors != 0 {
		t.Errorf("%+v %+v", b, x)
	}
}

func TestNames(t *testing.T) {
	w := newWorld(t, star)
	w.set(w.host(), "PortRcvErrorDetails.PortMalformedPacketErrors", 7) // as in ibsim
	w.set(w.host(), "PORTVLXMITWAITCOUNTERS.PortVLXmitWaitCounters9", 8)
	w.set(w.host(), "PortCountersExtended.PortMultiCastXmitPkts", 9)
	for name, want := range map[string]uint64{
		"PortRcvErrorDetails.PortMalformedPktErrors": 7, "PortVLXmitWaitCounters.PortVLXmitWait9": 8,
		"PortCountersExtended.PortMulticastXmitPkts": 9,
	} {
		if got := w.get(w.host(), name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for _, name := range []string{"", "PortCounters", "PortCounters.X", "X.PortXmitData", "PortCounters.PortSelect"} {
		if _, err := w.counters.Get(w.host(), name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, err := range []error{
		w.counters.Set(w.leaf(255), "PortCounters.PortXmitData", 1),
		w.counters.Count(w.leaf(-1), "PortCounters.PortXmitData", 1),
	} {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
}
