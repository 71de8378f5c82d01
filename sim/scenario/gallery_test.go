package scenario_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

func TestGallery(t *testing.T) {
	checks := map[string]func(*world){
		"bad-cable.yaml":   checkBadCable,
		"flapping.yaml":    checkFlapping,
		"maintenance.yaml": checkMaintenance,
		"sm-gone.yaml":     checkSMGone,
		"chaos.yaml":       func(w *world) { w.start(); time.Sleep(10 * time.Minute) },
		"living.yaml":      checkLiving,
	}
	files, err := filepath.Glob(filepath.Join(gallery, "*.yaml"))
	if err != nil || len(files) != len(checks) {
		t.Fatalf("%d files, %d checks, %v", len(files), len(checks), err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := play(t, loadFile(t, name))
				checks[name](w)
				if name != "chaos.yaml" && name != "living.yaml" { // these have no end
					<-w.r.Finished()
				}
				w.noFailures()
			})
		})
	}
}

func (w *world) rate(at sim.Place) string {
	p := w.sweep()
	n, ok := p.NodeByGUID(w.sim.GUID(at.Node))
	if !ok {
		return "gone"
	}
	if n.Port(at.Port) == nil || n.Port(at.Port).Remote() == nil {
		return "down"
	}
	return n.Port(at.Port).Active().String()
}

func checkBadCable(w *world) {
	w.start()
	at := w.at("leaf01", 5)
	for _, c := range []struct {
		at     time.Duration
		rate   string
		symbol uint64
	}{
		{5 * time.Second, "4xHDR", 0},
		{35 * time.Second, "4xHDR", 3 * 40},
		{85 * time.Second, "1xSDR", 5*40 + 5000},
		{121 * time.Second, "down", 5*40 + 5000},
		{241 * time.Second, "4xHDR", 0},
	} {
		time.Sleep(c.at - w.r.Now())
		synctest.Wait()
		if got := w.rate(at); got != c.rate {
			w.Errorf("after %v the link is %s, want %s", c.at, got, c.rate)
		}
		if got := w.counter(at, "PortCountersExtended.SymbolErrorCounter"); got != c.symbol {
			w.Errorf("after %v there are %d symbol errors, want %d", c.at, got, c.symbol)
		}
	}
}

func checkLiving(w *world) {
	w.start()
	for _, c := range []struct {
		after time.Duration
		at    sim.Place
		rate  string
	}{
		{time.Second, w.at("leaf05", 8), "4xHDR"},
		{20 * time.Second, w.at("leaf05", 8), "1xHDR"},
		{21 * time.Second, w.at("leaf11", 9), "4xEDR"},
		{22 * time.Second, w.at("node0100", 1), "gone"},
		{30 * time.Second, w.at("leaf14", 10), "down"},
		{130 * time.Second, w.at("leaf14", 10), "4xHDR"},
		{131 * time.Second, w.at("node0100", 1), "4xHDR"},
	} {
		time.Sleep(c.after - w.r.Now())
		synctest.Wait()
		if got := w.rate(c.at); got != c.rate {
			w.Errorf("after %v the link is %s, want %s", c.after, got, c.rate)
		}
	}
}

func checkFlapping(w *world) {
	w.start()
	at := w.at("node0003", 1)
	far, _ := w.sim.Cable(at)
	time.Sleep(10*time.Second + 500*time.Millisecond)
	if w.sim.IsUp(at) {
		w.Error("the link is up while it flaps")
	}
	time.Sleep(20 * time.Second)
	synctest.Wait()
	if v := w.sim.PortInfo(at); !w.sim.IsUp(at) || v.State != ib.PortActive {
		w.Errorf("afterwards the link is %s", v.State)
	}
	if n := w.counter(far, "PortCounters.LinkDownedCounter"); n != 5 {
		w.Errorf("the link was down %d times, want 5", n)
	}
	<-w.r.Finished()
	flaps := 0
	for _, e := range w.r.Log() {
		if e.Do == "flap" && e.A.GUID != w.sim.GUID(at.Node) {
			flaps++
			if e.B.GUID == 0 {
				w.Errorf("%v has one end", e)
			}
		}
	}
	if flaps != 20 {
		w.Errorf("%d flaps of random links, want 20", flaps)
	}
}

func checkMaintenance(w *world) {
	w.start()
	time.Sleep(5 * time.Minute)
	before := w.sim.Model().NumNodes()
	if got := w.sweep().NumNodes(); got != before-1-4 {
		w.Errorf("without leaf02 there are %d nodes of %d", got, before)
	}
	time.Sleep(time.Hour)
	synctest.Wait()
	found := w.sweep()
	if found.NumNodes() != before {
		w.Errorf("afterwards there are %d nodes of %d", found.NumNodes(), before)
	}
	for guid, text := range map[ib.GUID]string{
		0x0002c90300fe0200: "MF0;leaf02b:MQM8700/U1", 0x0002c90300fe0400: "node0004 mlx5_0",
		w.node(w.sim.Model(), "node0009").GUID(): "db0001 mlx5_0",
	} {
		n, ok := found.NodeByGUID(guid)
		if !ok || n.Description() != text {
			w.Errorf("%s is there: %v, want %s", guid, ok, text)
			continue
		}
		for p := range n.Ports() {
			if p.Remote() != nil && p.State() != ib.PortActive {
				w.Errorf("%s port %d is %s", text, p.Num(), p.State())
			}
		}
	}
	if far := w.node(found, "node0001").Port(1).Remote(); far == nil || far.Num() != 2 {
		w.Error("node0001 is not where node0002 was")
	}
}

func checkSMGone(w *world) {
	w.start()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	found := w.sweep()
	leaf := w.node(found, "leaf03")
	if state := leaf.Port(1).State(); state != ib.PortInitialize {
		w.Errorf("without a manager the link is %s", state)
	}
	if lid := w.node(found, "node0002").Port(1).LID(); lid != 1 {
		w.Errorf("the LID is %d", lid)
	}
	time.Sleep(10 * time.Minute)
	synctest.Wait()
	found = w.sweep()
	if state := w.node(found, "leaf03").Port(1).State(); state != ib.PortActive {
		w.Errorf("with a manager the link is %s", state)
	}
	lids := map[ib.LID]string{}
	for n := range found.CAs() {
		lid := n.Port(1).LID()
		if lids[lid] != "" {
			w.Errorf("%s and %s have LID %d", n.Description(), lids[lid], lid)
		}
		lids[lid] = n.Description()
	}
}
