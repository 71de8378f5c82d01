package pma_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/mad/pma"
)

func TestAdd(t *testing.T) {
	sum := &pma.PortCounters{PortSelect: 1, SymbolErrors: 0xfff0, LocalLinkIntegrity: 14, LinkDowned: 200, XmitData: 5, RcvData: math.MaxUint32}
	next := &pma.PortCounters{PortSelect: 2, CounterSelect: 7, SymbolErrors: 0x20, LocalLinkIntegrity: 1, LinkDowned: 56, XmitData: 6, RcvData: 1, VL15Dropped: 3}
	want := &pma.PortCounters{PortSelect: 2, CounterSelect: 7, SymbolErrors: 0xffff, LocalLinkIntegrity: 15, LinkDowned: 255, XmitData: 11, RcvData: math.MaxUint32, VL15Dropped: 3}
	if err := pma.Add(sum, next); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wide := &pma.PortCountersExtended{XmitData: math.MaxUint64 - 1, UnicastRcvPkts: 1}
	if err := pma.Add(wide, &pma.PortCountersExtended{XmitData: 3, UnicastRcvPkts: 1 << 40}); err != nil {
		t.Fatal(err)
	}
	if wide.XmitData != math.MaxUint64 || wide.UnicastRcvPkts != 1<<40+1 {
		t.Errorf("64 bits: %d %d", wide.XmitData, wide.UnicastRcvPkts)
	}
	lanes := &pma.PortVLXmitFlowCtlUpdateErrors{VLs: [16]uint8{1, 3}}
	if err := pma.Add(lanes, &pma.PortVLXmitFlowCtlUpdateErrors{VLs: [16]uint8{1, 1, 2}}); err != nil {
		t.Fatal(err)
	}
	if lanes.VLs != [16]uint8{2, 3, 2} {
		t.Errorf("arrays: %d", lanes.VLs)
	}
	if pma.Add(sum, wide) == nil {
		t.Error("two kinds of counters were added up")
	}
}

func TestSelect(t *testing.T) {
	p := &pma.PortCounters{SymbolErrors: 4, VL15Dropped: 5}
	if err := pma.SelectCounters(p, 9, 0x3abcd); err != nil {
		t.Fatal(err)
	}
	if want := (pma.PortCounters{PortSelect: 9, CounterSelect: 0xabcd, CounterSelect2: 3}); *p != want {
		t.Errorf("PortCounters: %+v", *p)
	}
	x := &pma.PortCountersExtended{}
	if err := pma.SelectCounters(x, 9, 0x1fff00ff); err != nil || x.CounterSelect2 != 0x1fff || x.CounterSelect != 0xff {
		t.Errorf("PortCountersExtended: %+v, %v", *x, err)
	}
	s := &pma.PortExtendedSpeedsCounters{}
	if err := pma.SelectCounters(s, 255, math.MaxUint64); err != nil || s.CounterSelect != math.MaxUint64 || s.PortSelect != pma.AllPorts {
		t.Errorf("PortExtendedSpeedsCounters: %+v, %v", *s, err)
	}
	// PortSamplesControl has counter selections of another kind.
	if pma.SelectCounters(&pma.PortSamplesControl{}, 1, 1) == nil {
		t.Error("PortSamplesControl was made a reset")
	}
	c := &pma.PortSamplesControl{Tag: 3}
	if err := pma.SelectPort(c, 7); err != nil || c.PortSelect != 7 || c.Tag != 3 {
		t.Errorf("SelectPort: %+v, %v", *c, err)
	}
	if pma.SelectPort(&pma.PortSamplesResult{}, 1) == nil {
		t.Error("PortSamplesResult has a PortSelect")
	}
}
