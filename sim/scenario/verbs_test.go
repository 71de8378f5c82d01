package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

const small = "topology: sim:fattree?levels=2&radix=8&hosts=8\nseed: 1\n"

// after plays a command at ten seconds and looks at the fabric at twelve.
func after(t *testing.T, commands string, check func(w *world, found *fabric.Fabric)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		list := strings.Split(commands, "; ")
		for i := range list {
			list[i] = fmt.Sprintf("      - '%s'\n", list[i])
		}
		w := play(t, load(t, small+"timeline:\n  - at: 10s\n    do:\n"+strings.Join(list, "")))
		w.start()
		w.sweep()
		time.Sleep(9 * time.Second)
		if got := w.r.Log(); len(got) != 0 {
			t.Errorf("before its time there is %v", got)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		w.noFailures()
		for _, e := range w.r.Log() {
			if e.At < 10*time.Second || e.At > 12*time.Second {
				t.Errorf("%v is not in its time", e)
			}
		}
		check(w, w.sweep())
	})
}

// remote is the other end of a port in a sweep: "NAME/PORT", "" for none.
func remote(w *world, f *fabric.Fabric, prefix string, port int) string {
	p := w.node(f, prefix).Port(port)
	if p == nil || p.Remote() == nil {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(p.Remote().Node().Description(), "MF0;"), ":")
	name, _, _ = strings.Cut(name, " ")
	return fmt.Sprintf("%s/%d", name, p.Remote().Num())
}

// Each command shows in the next sweep.
func TestVerbs(t *testing.T) {
	nodes := 0 // of the sound fabric
	synctest.Test(t, func(t *testing.T) {
		w := play(t, load(t, small))
		nodes = w.sweep().NumNodes()
	})
	counts := func(want int) func(*world, *fabric.Fabric) {
		return func(w *world, f *fabric.Fabric) {
			if f.NumNodes() != want {
				w.Errorf("%d nodes, want %d", f.NumNodes(), want)
			}
		}
	}
	is := func(prefix string, port int, want string) func(*world, *fabric.Fabric) {
		return func(w *world, f *fabric.Fabric) {
			if got := remote(w, f, prefix, port); got != want {
				w.Errorf("%s port %d leads to %q, want %q", prefix, port, got, want)
			}
		}
	}
	for commands, check := range map[string]func(*world, *fabric.Fabric){
		"link down node0002/1":                                         counts(nodes - 1),
		"link down node0002/1; link up node0002/1":                     counts(nodes),
		"link down leaf01/2":                                           counts(nodes - 1),
		"unplug node0002/1":                                            counts(nodes - 1),
		"unplug node0002/1; replug node0002":                           counts(nodes),
		"unplug leaf01/2; replug */*":                                  counts(nodes), // a pattern names both ends
		"unplug leaf01/2; replug leaf01/*":                             counts(nodes),
		"unplug leaf01/2; replug random/random":                        counts(nodes),
		"unplug leaf01/2; plug node0002/* leaf01/random":               is("node0002", 1, "leaf01/2"),
		"unplug node0002/1; unplug leaf02/1; plug node0002/1 leaf02/1": is("node0002", 1, "leaf02/1"),
		"unplug node0003/1; move leaf01/2 leaf01/3":                    is("node0002", 1, "leaf01/3"),
		"clear node0002":                                               counts(nodes - 1),
		"kill node0002":                                                counts(nodes - 1),
		"kill node0002; revive node0002":                               counts(nodes),
		"kill leaf02":                                                  counts(nodes - 5),
		"loss node0002/1 100%":                                         counts(nodes - 1),
		"loss node0002/1 100%; loss leaf01/2 1; loss leaf01/2 0; loss node0002/1 0": counts(nodes),
		"flap node0002/1 times=3 period=500ms":                                      checkFlapped,
		"speed node0002/1 1xEDR":                                                    hasRate("1xEDR"),
		"speed node0002/1 4xQDR":                                                    hasRate("4xQDR"),
		"speed leaf01/2 DDR":                                                        hasRate("4xDDR"),
		"speed node0002/1 1xEDR; speed leaf01/2 full":                               hasRate("4xHDR"),
		"guid node0002 0xabcdef00":                                                  hasNode(0xabcdef00, "node0002 mlx5_0"),
		"replace node0002 guid=0xabcdef00 \"description=new one\" revision=7":       hasNode(0xabcdef00, "new one"),
		"rename node0002 \"the other\"":                                             checkRenamed,
		"lid node0002/1 77":                                                         checkLID,
		"set node0002/1 symbolerrorcounter=9":                                       hasCounter("PortCounters.SymbolErrorCounter", 9),
		"set node0002/1 PortCounters.SymbolErrorCounter=999":                        hasCounter("PortCounters.SymbolErrorCounter", 999),
		"count node0002/1 PortRcvErrors=3; count node0002/1 PortRcvErrors=4":        hasCounter("PortCountersExtended.PortRcvErrors", 7),
		"burst node0002/1 PortRcvErrors=1000 over=1s":                               hasCounter("PortCountersExtended.PortRcvErrors", 1000),
		"set node0002/1 PortRcvErrors=3; replace node0002":                          hasCounter("PortCounters.PortRcvErrors", 0),
		"sm stop; link down leaf01/2; link up leaf01/2":                             hasState(ib.PortInitialize),
		"sm stop; link down leaf01/2; link up leaf01/2; sm start":                   hasState(ib.PortActive),
		"lid node0002/1 1; sm sweep":                                                checkNoLID1,
	} {
		t.Run(commands, func(t *testing.T) { after(t, commands, check) })
	}
}

func checkFlapped(w *world, f *fabric.Fabric) {
	if n := w.counter(w.at("node0002", 1), "PortCounters.LinkDownedCounter"); n != 3 || f.IsComplete() == false {
		w.Errorf("the link was down %d times, want 3", n)
	}
	var verbs []string
	for _, e := range w.r.Log() {
		verbs = append(verbs, e.Do)
		if e.A.Node != "node0002 mlx5_0" || e.A.Port != 1 || e.B.Port != 2 || !strings.Contains(e.B.Node, "leaf01") {
			w.Errorf("%v does not have both ends", e)
		}
	}
	if got := strings.Join(verbs, " "); got != "flap flap up flap flap up flap flap up" {
		w.Errorf("the log has %s", got)
	}
}

func hasRate(want string) func(*world, *fabric.Fabric) {
	return func(w *world, f *fabric.Fabric) {
		if got := w.node(f, "node0002").Port(1).Active().String(); got != want {
			w.Errorf("the rate is %s, want %s", got, want)
		}
	}
}

func hasState(want ib.PortState) func(*world, *fabric.Fabric) {
	return func(w *world, f *fabric.Fabric) {
		if got := w.node(f, "node0002").Port(1).State(); got != want {
			w.Errorf("the state is %s, want %s", got, want)
		}
	}
}

func hasNode(guid ib.GUID, text string) func(*world, *fabric.Fabric) {
	return func(w *world, f *fabric.Fabric) {
		n, ok := f.NodeByGUID(guid)
		if !ok || n.Description() != text || n.Port(1).State() != ib.PortActive || n.Port(1).GUID() != guid+1 {
			w.Errorf("%s is there: %v", guid, ok)
		}
	}
}

func hasCounter(name string, want uint64) func(*world, *fabric.Fabric) {
	return func(w *world, _ *fabric.Fabric) {
		if got := w.counter(w.at("node0002", 1), name); got != want {
			w.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func checkRenamed(w *world, f *fabric.Fabric) {
	n, ok := f.NodeByGUID(w.at("node0002", 1).Node.GUID())
	if !ok || n.Description() != "the other" {
		w.Errorf("the node is called %q", n.Description())
	}
	if _, err := w.r.Do(`link down "the other"/1`); err != nil {
		w.Errorf("by its new name: %v", err)
	}
}

func checkLID(w *world, f *fabric.Fabric) {
	if lid := w.node(f, "node0002").Port(1).LID(); lid != 77 {
		w.Errorf("the LID is %d", lid)
	}
}

func checkNoLID1(w *world, f *fabric.Fabric) {
	if lid := w.node(f, "node0002").Port(1).LID(); lid == 1 || lid == 0 {
		w.Errorf("the LID is %d after a sweep of the manager", lid)
	}
}

// Entries repeat as they say.
func TestRepetition(t *testing.T) {
	for text, want := range map[string]string{
		"{at: 5s, do: note x}":                              "5s",
		"{every: 10s, do: note x}":                          "10s 20s 30s 40s 50s 1m0s",
		"{at: 0s, every: 20s, do: note x}":                  "0s 20s 40s 1m0s",
		"{at: 5s, every: 10s, until: 30s, do: note x}":      "5s 15s 25s",
		"{at: 5s, every: 10s, until: 25s, do: note x}":      "5s 15s 25s",
		"{at: 5s, every: 1s, repeat: 3, do: note x}":        "5s 6s 7s",
		"{every: 10s, repeat: 9, until: 35s, do: [note x]}": "10s 20s 30s",
		"{at: 1s, do: [note x, note y]}":                    "1s 1s",
	} {
		s := load(t, small+"timeline:\n  - "+text+"\n")
		w := play(t, s).byHand()
		w.r.Advance(time.Minute)
		var times []string
		for _, e := range w.r.Log() {
			times = append(times, e.At.String())
		}
		if got := strings.Join(times, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		_, ends := s.Length()
		_, more := w.r.Next()
		if ends == more {
			t.Errorf("%s: ends: %v, more is due: %v", text, ends, more)
		}
	}
}

// The same seed makes the same choices, another makes others.
func TestRandom(t *testing.T) {
	play := func(seed string) string {
		w := play(t, load(t, "seed: "+seed+"\ntopology: sim:fattree?levels=2&radix=8\ntimeline:\n  - {every: 1s, do: [link down random:leaf*/random, kill 'random:ca', replace random:switch]}\n")).byHand()
		w.r.Advance(10 * time.Second)
		var b strings.Builder
		for _, e := range w.r.Log() {
			b.WriteString(e.String() + "\n")
		}
		return b.String()
	}
	first := play("1")
	if n := strings.Count(first, "\n"); n != 30 || strings.Contains(first, "failed") {
		t.Errorf("%d events:\n%s", n, first)
	}
	if play("1") != first {
		t.Error("the same seed does something else")
	}
	if play("2") == first {
		t.Error("another seed does the same")
	}
}

// At 60 times the speed an hour takes a minute.
func TestSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := play(t, load(t, small+"speed: 60x\ntimeline:\n  - {at: 1h, do: note done}\n")).start()
		start := time.Now()
		<-w.r.Finished()
		if d := time.Since(start); d < time.Minute || d > time.Minute+time.Second {
			t.Errorf("it took %v", d)
		}
		if e := w.r.Log()[0]; e.At != time.Hour {
			t.Errorf("the event is at %v", e.At)
		}
		time.Sleep(time.Second)
		if e := w.do("note later")[0]; e.At < time.Hour+time.Minute || e.At > time.Hour+time.Minute+time.Second {
			t.Errorf("a minute later is %v", e.At)
		}
	})
}

// What a command adds at once is carried out in its time, though the timeline
// was at its end.
func TestDoWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := play(t, load(t, small)).start()
		<-w.r.Finished()
		at := w.at("node0002", 1)
		w.do("flap node0002/1 period=4s down=3s")
		time.Sleep(2900 * time.Millisecond)
		if w.sim.IsUp(at) {
			t.Error("the link is up too soon")
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if !w.sim.IsUp(at) {
			t.Error("the link is still down")
		}
	})
}

// Names mean what they say.
func TestNames(t *testing.T) {
	w := play(t, load(t, small)).byHand()
	guid := w.at("node0002", 1).Node.GUID().String()
	for text, want := range map[string]int{
		"node0002": 1, "node0002 mlx5_0": 1, guid: 1, "node000*": 8, "node000?": 8, "*": w.sim.Model().NumNodes(), "all:ca": 8,
		"MF0;leaf01:MQM8700/U1": 1, "random": 1, "random:switch": 1, "random:leaf*": 1, "n*1 *": 1, "?ode0002*": 1,
	} {
		nodes, err := w.r.Nodes(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if len(nodes) != want {
			t.Errorf("%s means %d nodes, want %d", text, len(nodes), want)
		}
	}
	for _, text := range []string{"", "nobody", "random:nobody", "all:", "0x1"} {
		if nodes, err := w.r.Nodes(text); err == nil {
			t.Errorf("%q means %d nodes", text, len(nodes))
		}
	}
	if events := w.do("link down all:switch/*"); len(events) < 8 {
		t.Errorf("all links are %d", len(events))
	}
	for p := range w.sim.Model().Ports() {
		if at := (sim.Place{Node: p.Node(), Port: p.Num()}); w.sim.IsUp(at) {
			t.Errorf("%s port %d is still up", p.Node().Description(), p.Num())
		}
	}
}
