package total_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/traffic"
)

// TestTruth: rates and congestion are what the simulator's rules say, at all
// generations of hardware, whatever their ticks.
func TestTruth(t *testing.T) {
	for _, speed := range []string{"FDR", "EDR", "HDR", "NDR", "XDR"} {
		t.Run(speed, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkTruth(t, speed) })
		})
	}
}

func checkTruth(t *testing.T, speed string) {
	model, err := gen.Parse("fattree?levels=2&radix=8&speed=" + speed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, &sim.Options{Latency: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rules, err := traffic.ParseRules("load:1%,size:1000,wait:20%,symbol-errors:200/s")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Use(s, &agents.Options{Traffic: rules}); err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	f, err := discover.Walk(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := total.New()
	c := counters.New(client, f, &counters.Options{Each: a.Add, Also: a.Also, Ports: func(p *fabric.Port) bool { return p.Remote() != nil }})
	var requests []int
	for range 3 {
		time.Sleep(10 * time.Second)
		pass, err := c.Collect(t.Context())
		if err != nil || pass.Unread > 0 {
			t.Fatalf("%d unread: %v", pass.Unread, err)
		}
		requests = append(requests, pass.Requests)
		a.Table(time.Now())
	}
	if requests[1] != requests[2] {
		t.Errorf("requests of three passes: %d: ticks are asked for again", requests)
	}
	last := a.Table(time.Now())
	for _, p := range last.Ports {
		n, _ := f.NodeByGUID(p.Node)
		checkPort(t, p, n.Port(p.Num))
	}
}

func checkPort(t *testing.T, p *total.Port, at *fabric.Port) {
	t.Helper()
	isNear := func(got, want float64) bool { return math.Abs(got-want) <= want/50 }
	rate := at.Active()
	want := ib.RateGbps(rate.Width, rate.Speed) * 1e9 / 8 / 100
	where := fmt.Sprintf("%s %d", at.Node().Description(), at.Num())
	if !p.Rated.Has(counters.XmitData) || !isNear(p.Rates[counters.XmitData], want) {
		t.Errorf("%s: %.0f bytes per second, known %v, want %.0f", where, p.Rates[counters.XmitData], p.Rated.Has(counters.XmitData), want)
	}
	if p.Rated.Has(counters.XmitWait) && !isNear(p.Congestion, 0.2) || !p.Rated.Has(counters.XmitWait) && p.Congestion != -1 {
		t.Errorf("%s: congestion %v", where, p.Congestion)
	}
	if !isNear(p.Rates[counters.SymbolErrors], 200) {
		t.Errorf("%s: %v symbol errors per second", where, p.Rates[counters.SymbolErrors])
	}
}
