package counters_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

func TestResets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "star?hosts=4&speed=ndr", nil, nil)
		defer w.client.Close()
		w.sim.Watch(nil)
		for p := range w.model.Ports() {
			w.set(t, p, "PortCountersExtended.PortRcvErrors", 7)
			w.set(t, p, "PortCountersExtended.PortXmitDiscards", 8)
		}
		gone := first(w.model.CAs())
		for n := range w.model.CAs() {
			if n != w.model.Start().Node() {
				gone = n
			}
		}
		if err := w.sim.KillNode(gone); err != nil {
			t.Fatal(err)
		}
		failed := 0
		r := counters.NewResets(w.client, &counters.ResetOptions{MaxOutstanding: 2, Failed: func(reset counters.Reset, err error) {
			failed++
			if reset.Node != gone && reset.Attr != 0x3f || !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%+v: %v", reset, err)
			}
		}})
		defer r.Close()
		add := func(reset counters.Reset) {
			if err := r.Add(t.Context(), reset); err != nil {
				t.Fatal(err)
			}
		}
		for p := range w.model.Ports() {
			add(counters.Reset{Node: p.Node(), Num: p.Num(), Attr: pma.AttrPortCountersExtended, Mask: pma.SelectPortCountersExtendedRcvErrors})
			add(counters.Reset{Node: p.Node(), Num: p.Num(), Attr: pma.AttrPortCounters})
		}
		add(counters.Reset{Node: first(w.model.Switches()), Num: 1, Attr: mad.AttrID(0x3f), Mask: 1})
		if err := r.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if failed != gone.NumPorts()+1 {
			t.Errorf("%d have failed", failed)
		}
		for _, s := range collect(t, w, nil).Samples {
			if s.Node != gone && (s.Values[counters.RcvErrors] != 0 || s.Values[counters.XmitDiscards] != 8) {
				t.Errorf("%s port %d: %v", s.Node.GUID(), s.Num, s.Values)
			}
		}
	})
}
