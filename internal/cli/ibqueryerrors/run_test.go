package ibqueryerrors

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
)

// others are adapters beside the one that asks.
func (w *world) others() (list []*fabric.Node) {
	for n := range w.model.CAs() {
		if n != w.model.Start().Node() {
			list = append(list, n)
		}
	}
	return list
}

func (w *world) switches() (list []*fabric.Node) {
	for n := range w.model.Switches() {
		list = append(list, n)
	}
	return list
}

// TestDead: fifty nodes that do not answer, for all reasons there are, cost no more
// time than one, and each of their ports is told.
func TestDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simulate(t, "fattree?levels=2&radix=24&speed=ndr", nil)
		hosts := w.others()
		dead := map[ib.GUID]bool{}
		for _, n := range hosts[:20] { // whose agent is silent
			w.silent[n.Port(1).LID()] = true
			dead[n.GUID()] = true
		}
		leaf := w.switches()[len(w.switches())-1]
		w.silent[leaf.Port(0).LID()] = true
		dead[leaf.GUID()] = true
		w.before = func() { // die between the sweep and the counters
			for _, n := range hosts[20:35] {
				dead[n.GUID()] = true
				if err := w.sim.KillNode(n); err != nil {
					t.Error(err)
				}
			}
			for _, n := range hosts[35:49] {
				dead[n.GUID()] = true
				if err := w.sim.LinkDown(sim.Place{Node: n, Port: 1}); err != nil {
					t.Error(err)
				}
			}
		}
		bad := hosts[60]
		w.set(t, bad.Port(1), "PortCountersExtended.PortRcvErrors", 9)
		began := time.Now()
		stdout, stderr, code := w.run(t, "")
		took := time.Since(began)
		t.Logf("50 dead nodes: %v", took)
		if took > 15*time.Second {
			t.Errorf("it takes %v", took)
		}
		if code != 1 || !strings.Contains(stdout, "[PortRcvErrors == 9 (9.000)]") || !strings.Contains(stdout, "1 ports have errors") {
			t.Errorf("exit code %d\n%s", code, stdout)
		}
		if len(dead) != 50 {
			t.Fatal(len(dead))
		}
		for guid := range dead {
			if !strings.Contains(stderr, guid.String()) {
				t.Errorf("nothing is told of node %s", guid)
			}
		}
		if want := fmt.Sprintf("port 1-%d: not asked, because", leaf.NumPorts()); !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	})
}

// TestDeadline: what is known by then is printed.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simulate(t, "star?hosts=8&speed=ndr", &sim.Options{Latency: time.Millisecond})
		hosts := w.others()
		w.silent[hosts[0].Port(1).LID()] = true
		stdout, stderr, code := w.run(t, "--deadline 500ms")
		if code != diags.ExitFatal || !strings.Contains(stdout, "## Summary: 8 nodes checked") || !strings.Contains(stderr, "deadline exceeded") {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		w.set(t, hosts[1].Port(1), "PortCountersExtended.PortRcvErrors", 9)
		if stdout, _, code := w.run(t, "--deadline 500ms"); code != 1 || !strings.Contains(stdout, "[PortRcvErrors == 9") {
			t.Errorf("exit code %d\n%s", code, stdout)
		}
		var d struct {
			Complete bool
			Ports    []any
			Unread   []struct{ GUID, Error string }
		}
		stdout, _, _ = w.run(t, "--deadline 500ms --output json")
		if err := json.Unmarshal([]byte(stdout), &d); err != nil || d.Complete || len(d.Ports) != 1 || len(d.Unread) != 1 || d.Unread[0].GUID != hosts[0].GUID().String() {
			t.Errorf("%v\n%s", err, stdout)
		}
		stdout, stderr, code = w.run(t, "--deadline 3500us") // in the sweep
		if code != diags.ExitFatal || !strings.Contains(stdout, "## Summary: 0 nodes checked") {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
	})
}

// times are what differs from run to run.
var times = regexp.MustCompile(`("read": ")[^"]*|within [0-9.a-zµ]*|in \d+ tries`)

func TestJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simulate(t, "star?hosts=3&speed=qdr", nil)
		sw, hosts := w.switches()[0], w.others()
		w.set(t, sw.Port(2), "PortCounters.PortRcvErrors", 65535)
		w.set(t, sw.Port(2), "PortRcvErrorDetails.PortLoopingErrors", 7)
		w.set(t, sw.Port(2), "PortCountersExtended.PortXmitData", 1<<40)
		w.set(t, hosts[0].Port(1), "PortCounters.LinkDownedCounter", 3)
		w.silent[hosts[1].Port(1).LID()] = true
		for name, tt := range map[string]struct {
			line string
			code int
		}{
			"errors.json": {"--output json --data --details -c", 1},
			"data.json":   {"--output json --counters -D 0", 0},
			"dryrun.json": {"--output json -k --dry-run -D 0 -s LinkDownedCounter", 0},
		} {
			stdout, stderr, code := w.run(t, tt.line)
			if code != tt.code {
				t.Errorf("%s: exit code %d\n%s", tt.line, code, stderr)
			}
			testenv.Golden(t, name, times.ReplaceAll([]byte(stdout), []byte("$1…")))
		}
	})
}

// TestResets: what is reset, and what is not.
func TestResets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := simulate(t, "star?hosts=3&speed=ndr", nil)
		sw, hosts := w.switches()[0], w.others()
		for _, p := range []*fabric.Port{sw.Port(1), sw.Port(2), hosts[0].Port(1)} {
			w.set(t, p, "PortCountersExtended.PortRcvErrors", 4)
			w.set(t, p, "PortCountersExtended.PortXmitPkts", 5)
		}
		w.silent[hosts[1].Port(1).LID()] = true
		left := func(p *fabric.Port, name string) uint64 {
			v, err := w.counters.Get(sim.Place{Node: p.Node(), Port: p.Num()}, "PortCountersExtended."+name)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, tt := range []struct {
			line         string
			errors, data uint64
		}{{"", 4, 5}, {"-k --dry-run", 4, 5}, {"-k --ca", 4, 5}, {"-k", 0, 5}, {"-K", 0, 0}} {
			_, stderr, _ := w.run(t, tt.line)
			p := sw.Port(2)
			if left(p, "PortRcvErrors") != tt.errors || left(p, "PortXmitPkts") != tt.data {
				t.Errorf("%q leaves %d errors and %d packets", tt.line, left(p, "PortRcvErrors"), left(p, "PortXmitPkts"))
			}
			if failed := strings.Contains(stderr, "Failed to reset errors"); failed != (tt.line != "") {
				t.Errorf("%q: %s", tt.line, stderr)
			}
		}
	})
}

func TestRanges(t *testing.T) {
	for want, nums := range map[string][]int{"": nil, "3": {3}, "1-2": {1, 2}, "0,2-4,9": {0, 2, 3, 4, 9}} {
		if got := ranges(nums); got != want {
			t.Errorf("%v: %q", nums, got)
		}
	}
}
