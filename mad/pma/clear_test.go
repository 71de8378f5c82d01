package pma_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/mad/pma"
)

func TestClear(t *testing.T) {
	v := pma.PortCounters{PortSelect: 3, SymbolErrors: 1, LinkDowned: 2, XmitData: 3, RcvData: 4}
	if err := pma.Clear(&v, pma.SelectPortCountersLinkDowned|pma.SelectPortCountersXmitData); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pma.PortCounters{PortSelect: 3, SymbolErrors: 1, RcvData: 4}, v); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
