package total_test

import (
	"context"
	"math"
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
)

// TestAlsoDetails: details are asked for where the counters that they divide are not 0,
// have moved, or stand at their end.
func TestAlsoDetails(t *testing.T) {
	f := model(t)
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	truth, err := agents.Use(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	at := sim.Place{Node: f.Start().Node(), Port: f.Start().Num()}
	set := func(name string, v uint64) {
		t.Helper()
		if err := truth.Counters.Set(at, name, v); err != nil {
			t.Fatal(err)
		}
	}
	a := total.New()
	const never = math.MaxInt
	pass := func() (asked []mad.AttrID, p *total.Port) {
		o := &counters.Options{
			Each: a.Add, Ports: func(p *fabric.Port) bool { return p.Node() == at.Node && p.Num() == at.Port },
			Also: func(s *counters.Sample) []mad.AttrID {
				asked = a.AlsoDetails(s, never)
				return asked
			},
		}
		if _, err := counters.Collect(context.Background(), client, f, o); err != nil {
			t.Fatal(err)
		}
		return asked, a.Table(epoch).Port(at.Node.GUID(), at.Port)
	}
	for i, step := range []struct {
		name  string
		value uint64
		asked mad.AttrID // 0: none
	}{
		{"PortCountersExtended.PortXmitWait", 9, 0},
		{"PortCountersExtended.PortRcvErrors", 4, pma.AttrPortRcvErrorDetails},
		{"PortCountersExtended.PortXmitWait", 10, 0},
		{"PortCountersExtended.PortRcvSwitchRelayErrors", 1, pma.AttrPortRcvErrorDetails},
		{"PortCountersExtended.PortXmitDiscards", 1, pma.AttrPortXmitDiscardDetails},
		{"PortCountersExtended.PortXmitDiscards", 0, pma.AttrPortXmitDiscardDetails},
		{"PortCountersExtended.PortXmitWait", 11, 0},
		{"PortCountersExtended.PortXmitDiscards", math.MaxUint64, pma.AttrPortXmitDiscardDetails},
		{"PortCountersExtended.PortXmitWait", 12, pma.AttrPortXmitDiscardDetails}, // the other one is at its end
	} {
		set(step.name, step.value)
		if asked, _ := pass(); len(asked) > 1 || (len(asked) == 0) != (step.asked == 0) || len(asked) == 1 && asked[0] != step.asked {
			t.Errorf("step %d: asked for %v", i, asked)
		}
	}

	set("PortRcvErrorDetails.PortLoopingErrors", math.MaxUint16)
	set("PortCountersExtended.PortRcvErrors", 6)
	_, p := pass()
	if v, ok := p.Details.Value(total.LoopingErrors); !ok || v != math.MaxUint16 || !p.Details.IsSaturated(total.LoopingErrors) || p.Details.IsSaturated(total.VLMappingErrors) {
		t.Errorf("looping errors are %d (%t)", v, ok)
	}
	n := 0
	for d, v := range p.Details.All() {
		if by, ok := total.DetailByName(d.String()); !ok || by != d || (v != 0) != (d == total.LoopingErrors) {
			t.Errorf("%s is %d", d, v)
		}
		n++
	}
	if n != total.NumDetails {
		t.Errorf("%d details", n)
	}
}
