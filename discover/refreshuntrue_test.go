package discover_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// TestRefreshUntrue: one reply that is not true takes no node away, nor what is behind
// it. Each NodeInfo of a refresh is spoilt in turn.
func TestRefreshUntrue(t *testing.T) {
	for _, level := range []discover.Level{discover.Normal, discover.Quick} {
		for nth := range 40 {
			synctest.Test(t, func(t *testing.T) { checkUntrue(t, level, nth) })
		}
	}
}

func checkUntrue(t *testing.T, level discover.Level, nth int) {
	model := smallTree(t)
	sound, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer sound.Close()
	spoilt, err := sim.New(model, &sim.Options{Faults: []sim.Fault{{
		Kind: sim.WrongNodeGUID, GUID: 0xbad, Attr: (*smp.NodeInfo)(nil).AttrID(), After: nth + 1, Times: 1,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer spoilt.Close()
	open := func(s *sim.Fabric) *madrpc.Client {
		port, err := s.Attach(nil)
		if err != nil {
			t.Fatal(err)
		}
		return madrpc.New(port, nil)
	}
	before, after := open(sound), open(spoilt)
	defer before.Close()
	defer after.Close()
	known, err := discover.Walk(t.Context(), before, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := discover.Refresh(t.Context(), after, known, &discover.RefreshOptions{Level: level, Period: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(everything(known), everything(got)); diff != "" {
		t.Errorf("level %d, NodeInfo %d: (-known +refresh)\n%s", level, nth, diff)
	}
}
