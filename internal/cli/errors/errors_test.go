package errors

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/measure"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
)

// damage lets three ports count.
func damage(t *testing.T, w *world) {
	w.count(t, 2, "SymbolErrorCounter", 40)
	w.count(t, 3, "SymbolErrorCounter", 7000)
	w.count(t, 3, "PortXmitDiscards", 12)
	w.count(t, 4, "PortRcvSwitchRelayErrors", 99)
	w.count(t, 4, "PortXmitWait", 5000)
	w.count(t, 2, "LinkDownedCounter", 1000) // ends at 255 where the field has 8 bits
}

func TestGolden(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	for _, width := range []int{80, 160} {
		w.columns = width
		stdout, stderr, code := w.run(t, "--explain")
		if code != env.Findings || stderr != "" {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		testenv.Golden(t, fmt.Sprintf("explain.%d", width), []byte(stdout))
	}
}

func TestClean(t *testing.T) {
	w := simulate(t)
	w.count(t, 4, "PortXmitWait", 5000)
	stdout, stderr, code := w.run(t)
	if code != env.OK || stderr != "" || !strings.Contains(stdout, "no counter is beyond") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// document is what tests look at of the JSON.
type document struct {
	Schema       string
	Complete     bool
	Counts       map[string]int
	Findings     []record
	Thresholds   []struct{ Counter string }
	Explanations []map[string]string
	Absent       []struct {
		Counter string
		Ports   int
	}
}

type record struct {
	Severity, Counter, Field string
	Value, Threshold         uint64
	Port, Peer               struct {
		Name string
		Port int
	}
	Saturated bool
	Rate      *float64 `json:"rate_per_second"`
	Status    string   `json:"rate_status"`
	Counted   *uint64
	Interval  float64 `json:"interval_seconds"`
}

func (w *world) document(t *testing.T, args ...string) document {
	t.Helper()
	stdout, stderr, code := w.run(t, append(args, "-o", "json")...)
	if code != env.Findings && code != env.OK {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr)
	}
	var d document
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRanking compares the findings with what was counted.
func TestRanking(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	d := w.document(t, "--explain")
	var got []string
	for _, f := range d.Findings {
		got = append(got, fmt.Sprintf("%s/%d %s %d", f.Severity, f.Port.Port, f.Counter, f.Value))
		if f.Peer.Name == "" || f.Peer.Port != 1 || f.Rate != nil || f.Status != "" {
			t.Errorf("finding %+v", f)
		}
	}
	want := []string{
		"fault/3 SymbolErrorCounter 7000", "fault/2 LinkDownedCounter 1000", "fault/2 SymbolErrorCounter 40",
		"loss/3 PortXmitDiscards 12", "sign/4 PortRcvSwitchRelayErrors 99",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if d.Schema != "ibscope.errors" || !d.Complete || d.Counts["findings"] != 5 || d.Counts["faults"] != 3 || d.Counts["bad_ports"] != 3 || len(d.Explanations) != 4 {
		t.Errorf("document %+v", d)
	}
}

func TestThresholds(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	file := filepath.Join(t.TempDir(), "thresholds")
	if err := os.WriteFile(file, []byte("# file\nSymbolErrorCounter=40\nnonsense\nLinkDownedCounter=2000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := w.run(t, "--thresholds", file)
	if code != env.Findings || !strings.Contains(stderr, file+":3") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	d := w.document(t, "--thresholds", file, "--threshold", "PortXmitWait=4999", "--threshold", "xmit_discards=off", "--threshold", "PortRcvSwitchRelayErrors=99")
	var got []string
	for _, f := range d.Findings {
		got = append(got, fmt.Sprintf("%s>%d", f.Counter, f.Threshold))
	}
	if want := "SymbolErrorCounter>40 PortXmitWait>4999"; strings.Join(got, " ") != want {
		t.Errorf("findings %q, want %q", got, want)
	}
}

// TestInterval lets a counter count between two readings, and another one be reset.
func TestInterval(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	w.between = func() {
		w.count(t, 3, "SymbolErrorCounter", 500)
		if err := w.counters.Set(w.port(2), "PortCountersExtended.SymbolErrorCounter", 3); err != nil {
			t.Error(err)
		}
	}
	d := w.document(t, "--interval", "10s")
	w.between = nil
	byName := map[string]record{}
	for _, f := range d.Findings {
		byName[fmt.Sprintf("%d %s", f.Port.Port, f.Counter)] = f
	}
	f := byName["3 SymbolErrorCounter"]
	if f.Status != "known" || f.Counted == nil || *f.Counted != 500 || f.Rate == nil || *f.Rate <= 0 || f.Interval > 5 {
		t.Errorf("what counted: %+v", f)
	}
	if d.Findings[0].Counter != "SymbolErrorCounter" || d.Findings[0].Port.Port != 3 {
		t.Errorf("the first finding is %+v", d.Findings[0])
	}
	if f := byName["2 SymbolErrorCounter"]; f.Status != "reset" || f.Rate != nil {
		t.Errorf("what was reset: %+v", f)
	}
	if f := byName["3 PortXmitDiscards"]; f.Status != "known" || f.Rate == nil || *f.Rate != 0 {
		t.Errorf("what stands still: %+v", f)
	}
	if f := w.document(t, "--interval", "10s", "--rising").Findings; len(f) != 0 {
		t.Errorf("--rising finds %+v", f)
	}
}

// TestUnread silences an adapter: the rest is complete, the exit code tells.
func TestUnread(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	if err := w.sim.Disturb(hostAt(w, 3), 0, sim.Disturbance{Loss: 1, Attr: pma.AttrPortCountersExtended}); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := w.run(t, "-o", "json")
	if code != env.Incomplete || !strings.Contains(stdout, `"complete": false`) || !strings.Contains(stdout, "7000") || stderr == "" {
		t.Errorf("exit code %d, %s\n%s", code, stderr, stdout)
	}
}

func hostAt(w *world, num int) *fabric.Node {
	return w.port(num).Node.Port(num).Remote().Node()
}

func TestFilter(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	d := w.document(t, "--node", hostAt(w, 4).Description())
	if d.Counts["ports"] != 2 || len(d.Findings) != 1 || d.Findings[0].Port.Port != 4 {
		t.Errorf("found %+v", d)
	}
}

func TestFormatsParse(t *testing.T) {
	w := simulate(t)
	damage(t, w)
	stdout, _, _ := w.run(t, "-o", "csv", "--interval", "10ms")
	records, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(records) != 6 || len(records[0]) != int(numColumns) {
		t.Errorf("%d records, %v", len(records), err)
	}
	stdout, _, _ = w.run(t, "-o", "markdown", "--explain")
	if strings.Count(stdout, "\n|") != 6 || strings.Count(stdout, "\n- **") != 4 {
		t.Errorf("markdown:\n%s", stdout)
	}
	stdout, _, _ = w.run(t, "-o", "html", "--explain")
	if strings.Count(stdout, "<tr>") != 6 || strings.Count(stdout, "<dt>") != 4 {
		t.Errorf("html:\n%s", stdout)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"--rising"},
		{"--interval", "-1s"},
		{"--threshold", "x=1"},
		{"--threshold", "SymbolErrorCounter"},
		{"-o", "xml"},
		{"--guid", "x"},
		{"--fabric", "file:../testdata/hostile.topo", "--interval", "1s"},
	} {
		var out, told bytes.Buffer
		e := &env.Env{
			Sources: source.Others,
			Args:    []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: time.Now,
			Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
		}
		c := Command(e)
		c.SetArgs(args)
		c.SilenceErrors, c.SilenceUsage = true, true
		var exit *env.ExitError
		if err := c.ExecuteContext(t.Context()); !errors.As(err, &exit) || exit.Code != env.Usage || out.Len() > 0 {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestAbsent counts the ports whose agents do not have a counter.
func TestAbsent(t *testing.T) {
	f := &finder{settings: &settings{}}
	f.absent[counters.QP1Dropped] = 3
	var err error
	if f.limits, err = measure.Limits(nil, "", nil); err != nil {
		t.Fatal(err)
	}
	table := f.absentTable()
	if len(table.Rows) != 1 || table.Rows[0][0].String() != "QP1Dropped" || table.Rows[0][1].String() != "3" {
		t.Errorf("got %+v", table.Rows)
	}
}

// TestSaturated says of a counter at the end of its field that it may be more, in
// place of a rate too.
func TestSaturated(t *testing.T) {
	w := simulate(t)
	before := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	first := counters.Sample{
		Node: w.port(2).Node, Num: 2, Has: counters.SetOf(counters.LinkDowned), Before: before, After: before,
		Saturated: counters.SetOf(counters.LinkDowned),
	}
	first.Values[counters.LinkDowned] = 255
	last := first
	last.Before, last.After = before.Add(10*time.Second), before.Add(10*time.Second)
	f := &finder{settings: &settings{}, names: names.In(w.model, nil), limits: threshold.Default()}
	f.look(&measure.Readings{All: []measure.Reading{{First: &first, Last: &last}}})
	if len(f.findings) != 1 {
		t.Fatalf("findings %+v", f.findings)
	}
	row := f.row(&f.findings[0])
	if row[value].String() != "≥255" || row[rate].String() != "saturated" || row[interval].String() != "10" {
		t.Errorf("value %q, rate %q, interval %q", row[value], row[rate], row[interval])
	}
}
