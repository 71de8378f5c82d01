package traffic

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

func line(t testing.TB) *fabric.Fabric {
	t.Helper()
	f, err := gen.Line(2)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func rule(t testing.TB, text string) Rule {
	t.Helper()
	r, err := ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func model(t testing.TB, f *fabric.Fabric, texts ...string) *Model {
	t.Helper()
	var rules []Rule
	for _, text := range texts {
		rules = append(rules, rule(t, text))
	}
	m, err := New(f, 7, rules)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]Rule{
		"30%":                  {Load: 0.3},
		"load:0.5, wait:2%":    {Load: 0.5, Wait: 0.02},
		"on:0x17/3,discards:9": {Node: 0x17, Port: 3, Events: [NumEvents]float64{XmitDiscards: 9}},
		"symbol-errors:36/h":   {Events: [NumEvents]float64{SymbolErrors: 0.01}},
		"link-downed:1/d,size:256,period:10s,swing:1,spread:0,multicast:1%,marked:1": {
			Events:     [NumEvents]float64{LinkDowned: 1.0 / 86400},
			PacketSize: 256, Period: 10 * time.Second, Swing: 1, Multicast: 0.01, Marked: 1,
		},
	} {
		if diff := cmp.Diff(want, rule(t, text)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
	for _, text := range []string{
		"", "x", "load:", "load:2", "load:-1", "load:NaN", "speed:1", "discards:1/y", "discards:-1", "discards:Inf",
		"on:3x", "on:0", "on:0x17/0", "on:0x17/256", "size:31", "size:5000", "period:1us", "period:-1s", "wait:1,",
	} {
		if r, err := ParseRule(text); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

func TestParseRules(t *testing.T) {
	rules, err := ParseRules("30%|discards:2,on:0x17/3")
	if want := []Rule{rule(t, "load:0.3"), rule(t, "discards:2,on:0x17/3")}; err != nil || !cmp.Equal(want, rules) {
		t.Errorf("%+v, %v", rules, err)
	}
	for _, text := range []string{"30%|", "|", strings.Repeat("1|", maxRules) + "1"} {
		if rules, err := ParseRules(text); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%.20q: %d rules, %v", text, len(rules), err)
		}
	}
}

func TestUnknownPlace(t *testing.T) {
	f := line(t)
	for n := range f.CAs() {
		for _, r := range []Rule{{Node: 0x99}, {Node: n.GUID(), Port: n.NumPorts() + 1}} {
			if _, err := New(f, 0, []Rule{r}); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%+v: %v", r, err)
			}
		}
		return
	}
}

// TestLoad: the mean of a load is what the rule says, and one end receives what
// the other sends.
func TestLoad(t *testing.T) {
	f := line(t)
	m := model(t, f, "load:50%,swing:0.9,period:10s,multicast:10%,wait:25%,size:1024")
	for p := range f.Ports() {
		if p.Remote() == nil {
			continue
		}
		var here, there Totals
		at := 1000 * time.Second
		m.Read(p.Node(), p.Num(), at, &here)
		m.Read(p.Remote().Node(), p.Remote().Num(), at, &there)
		if here.Xmit != there.Rcv || here.Rcv != there.Xmit {
			t.Errorf("the ends of a link disagree: %+v %+v", here, there)
		}
		rate := p.Active()
		want := ib.RateGbps(rate.Width, rate.Speed) * 1e9 / 8 / 4 * 0.5 * at.Seconds()
		if got := float64(here.Xmit.Words); math.Abs(got/want-1) > 0.001 {
			t.Errorf("%v words, want %v", got, want)
		}
		if x := here.Xmit; x.Words/256 != x.Packets || x.Packets/10 != x.Multicast || x.Wait != 250*time.Second {
			t.Errorf("%+v", x)
		}
	}
}

// TestMonotone: nothing ever goes back, however short the time between.
func TestMonotone(t *testing.T) {
	f := line(t)
	m := model(t, f, "load:1,swing:1,period:1ms,symbol-errors:1000,fec-corrected:1e9")
	p := f.Start()
	var before, now Totals
	for _, start := range []time.Duration{0, time.Hour, 100 * 24 * time.Hour} {
		m.Read(p.Node(), p.Num(), start, &before)
		for i := range 5000 {
			m.Read(p.Node(), p.Num(), start+time.Duration(i)*777, &now)
			if now.Xmit.Words < before.Xmit.Words || now.Xmit.Packets < before.Xmit.Packets ||
				now.Events[SymbolErrors] < before.Events[SymbolErrors] || now.Events[FECCorrected] < before.Events[FECCorrected] {
				t.Fatalf("after %v step %d: %+v, before %+v", start, i, now, before)
			}
			before = now
		}
	}
}

// TestEvents: on average as often as the rule says, not at regular times, and
// only where it says.
func TestEvents(t *testing.T) {
	f := line(t)
	p := f.Start()
	text := "symbol-errors:10/s,on:" + p.Node().GUID().String()
	m := model(t, f, "load:10%", text)
	var total Totals
	gaps := map[int]bool{}
	last := 0
	for ms := range 100_000 {
		m.Read(p.Node(), p.Num(), time.Duration(ms)*time.Millisecond, &total)
		if n := total.Events[SymbolErrors]; ms > 0 && int(n) != last {
			gaps[ms%100] = true
			last = int(n)
		}
	}
	if last < 999 || last > 1000 {
		t.Errorf("%d events in 100 s, want 1000", last)
	}
	if len(gaps) < 50 {
		t.Errorf("events at only %d phases", len(gaps))
	}
	for q := range f.Ports() {
		m.Read(q.Node(), q.Num(), time.Minute, &total)
		onLink := q == p || q == p.Remote()
		if q.Remote() != nil && (total.Events[SymbolErrors] != 0) != onLink || total.Xmit.Words == 0 && q.Remote() != nil {
			t.Errorf("node %s port %d: %+v", q.Node().GUID(), q.Num(), total)
		}
	}
}

// TestSeed: another seed is other traffic, the same seed the same.
func TestSeed(t *testing.T) {
	f := line(t)
	rules := []Rule{rule(t, "load:30%,spread:1")}
	read := func(seed uint64) (total Totals) {
		m, err := New(f, seed, rules)
		if err != nil {
			t.Fatal(err)
		}
		m.Read(f.Start().Node(), f.Start().Num(), time.Second, &total)
		return total
	}
	one, again, two := read(1), read(1), read(2)
	if one != again || one == two {
		t.Errorf("seed 1: %+v, then %+v; seed 2: %+v", one, again, two)
	}
}

func FuzzParseRule(f *testing.F) {
	f.Add("load:30%,spread:0.5,wait:2%,symbol-errors:3/h,on:0x506b4b0300ab12cd/7")
	f.Add("30%")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule(text)
		if err != nil {
			if !errors.Is(err, os.ErrInvalid) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if err := r.check("", ""); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
