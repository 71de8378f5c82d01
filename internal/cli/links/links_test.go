package links

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// run runs the command in a terminal of a width, 0 for none.
func run(t *testing.T, width int, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	columns := map[string]string{}
	if width > 0 {
		columns["COLUMNS"] = strconv.Itoa(width)
	}
	e := &env.Env{
		Sources: source.Others,
		Args:    []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(name string) string { return columns[name] }, IsTerminal: func(any) bool { return false },
	}
	c := Command(e)
	c.SetArgs(append([]string{}, args...))
	c.SilenceErrors, c.SilenceUsage = true, true
	var exit *env.ExitError
	if err := c.ExecuteContext(t.Context()); errors.As(err, &exit) {
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	} else if err != nil {
		return out.String(), err.Error(), env.Usage
	}
	return out.String(), told.String(), code
}

func TestGolden(t *testing.T) {
	uri := damaged(t)
	for name, args := range map[string][]string{
		"damaged":  {"--fabric", uri},
		"degraded": {"--fabric", uri, "--degraded"},
		"down":     {"--fabric", uri, "--down"},
		"errors":   {"--fabric", uri, "--errors"},
		"fattree":  {"--fabric", "sim:fattree?levels=2&radix=4"},
	} {
		for _, width := range []int{80, 160} {
			stdout, stderr, code := run(t, width, args...)
			if want := incomplete(name == "errors"); code != want || (stderr != "") != (code != 0) {
				t.Errorf("%s: exit code %d, want %d, %s", name, code, want, stderr)
			}
			for line := range strings.Lines(stdout) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%s: %q has %d characters, more than %d", name, line, n, width)
				}
			}
			testenv.Golden(t, fmt.Sprintf("%s.%d", name, width), []byte(stdout))
		}
	}
}

// incomplete is the exit code of a report from which counters are missing, or not.
func incomplete(yes bool) int {
	if yes {
		return env.Incomplete
	}
	return env.OK
}

// document is what tests look at of the JSON.
type document struct {
	Schema   string
	Complete bool
	Counts   map[string]int
	Links    []link
}

type link struct {
	A, B         end
	State, Width string
	Speed, Best  string
	Degraded     string
	Rate         float64 `json:"rate_gbps"`
	Tier         *int
}

type end struct {
	Name, GUID string
	Port       int
	Errors     *uint64
}

func list(t *testing.T, args ...string) document {
	t.Helper()
	stdout, stderr, code := run(t, 0, append(args, "-o", "json")...)
	if code != env.OK && code != env.Incomplete {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr)
	}
	var d document
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCounts compares with counts over the ports of the model.
func TestCounts(t *testing.T) {
	const name = "fattree?levels=3&radix=8&hosts=40"
	model, err := gen.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	isHost := func(p *fabric.Port) bool { return p.Node().Type() == ib.NodeCA }
	ends, hosts := 0, 0
	for p := range model.Ports() {
		if p.Remote() != nil {
			ends++
		}
		if p.Remote() != nil && isHost(p) {
			hosts++
		}
	}
	for tier, want := range map[string]int{"-1": ends / 2, "0": hosts} {
		d := list(t, "--fabric", "sim:"+name, "--tier", tier)
		if len(d.Links) != want || d.Counts["links"] != ends/2 || d.Counts["active"] != ends/2 || !d.Complete || d.Schema != "ibscope.links" {
			t.Errorf("tier %s: %d links, want %d; counts %v", tier, len(d.Links), want, d.Counts)
		}
	}
	between := list(t, "--fabric", "sim:"+name, "--between", "*leaf*", "node*")
	if len(between.Links) != hosts {
		t.Errorf("%d links between leaves and nodes, want %d", len(between.Links), hosts)
	}
	one := list(t, "--fabric", "sim:"+name, "--node", "node0007 *")
	if len(one.Links) != 1 || one.Links[0].A.Name != "node0007 mlx5_0" && one.Links[0].B.Name != "node0007 mlx5_0" {
		t.Errorf("links of one node: %+v", one.Links)
	}
	host := one.Links[0].A
	if one.Links[0].B.Name == "node0007 mlx5_0" {
		host = one.Links[0].B
	}
	same := list(t, "--fabric", "sim:"+name, "--guid", host.GUID, "--node", "node0007*")
	if len(same.Links) != 1 {
		t.Errorf("by GUID: %+v", same.Links)
	}
}

func TestFilters(t *testing.T) {
	uri := damaged(t)
	all := list(t, "--fabric", uri)
	if all.Counts["degraded"] != 2 || all.Counts["links"] != len(all.Links) || all.Counts["unlinked_ports"] < 1 {
		t.Errorf("counts %v", all.Counts)
	}
	found := map[string]int{}
	for _, l := range list(t, "--fabric", uri, "--degraded").Links {
		found[l.Degraded]++
		if l.Best != "4x HDR" {
			t.Errorf("best of %+v", l)
		}
	}
	if found["width"] != 1 || found["speed"] != 1 || len(found) != 2 {
		t.Errorf("degraded are %v", found)
	}
	down := list(t, "--fabric", uri, "--down").Links
	if last := down[len(down)-1]; len(down) != 3 || down[0].State != "Initialize" || last.State != "Down" || last.B.GUID != "" {
		t.Errorf("down are %+v", down)
	}
	errors := list(t, "--fabric", uri, "--errors")
	most := uint64(0)
	for _, l := range errors.Links { // links that were trained again have counted that too
		most = max(most, *l.A.Errors)
	}
	if len(errors.Links) != 3 || most != 17 || errors.Complete {
		t.Errorf("with errors are %+v", errors)
	}
}

// hostile has descriptions that attack whatever prints them.
const hostile = "file:../testdata/hostile.topo"

func TestHostileNames(t *testing.T) {
	for _, output := range []string{"table", "json", "csv", "markdown", "html"} {
		stdout, stderr, code := run(t, 0, "--fabric", hostile, "-o", output)
		if code != env.OK || stdout == "" {
			t.Errorf("%s: exit code %d, %s", output, code, stderr)
		}
		for _, r := range stdout {
			if !strconv.IsPrint(r) && r != '\n' && (r != '\r' || output != "csv") {
				t.Errorf("%s has %U", output, r)
			}
		}
	}
	stdout, _, _ := run(t, 0, "--fabric", hostile, "-o", "csv")
	records, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(records) != 4 || len(records[0]) != int(numColumns) {
		t.Errorf("CSV: %v", err)
	}
}

func TestErrors(t *testing.T) {
	const at = "0xfc6a1c0300000020/1"
	d := list(t, "--fabric", "sim:star?hosts=4&traffic=symbol-errors:100000000/s,on:"+at, "--errors")
	if len(d.Links) != 1 || d.Counts["with_errors"] != 1 || d.Counts["links"] != 4 {
		t.Fatalf("got %+v", d)
	}
	l := d.Links[0]
	if l.A.Errors == nil || l.B.Errors == nil || *l.A.Errors+*l.B.Errors == 0 {
		t.Errorf("errors of %+v", l)
	}
	_, stderr, code := run(t, 0, "--fabric", hostile, "--errors")
	if code != env.Failed || !strings.Contains(stderr, "has no counters") {
		t.Errorf("stored: exit code %d, %s", code, stderr)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"x"},
		{"--between", "a"},
		{"--between", "a", "b", "c"},
		{"-o", "xml"},
		{"--columns", "nope"},
		{"--sort", "-nope"},
		{"--guid", "x"},
		{"-o", "html", "--no-header"},
		{"--fabric", "nope:"},
	} {
		if _, stderr, code := run(t, 0, args...); code != env.Usage || stderr == "" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
}

// TestCorpus lists the links of real files, as many as these have.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "*", "*.topo*"))
	if err != nil || len(files) == 0 {
		t.Skipf("the corpus has no topologies: %v", err)
	}
	for _, file := range files[:min(len(files), 8)] {
		if info, err := os.Stat(file); err != nil || info.Size() > 4<<20 {
			continue
		}
		f, err := format.Load(file)
		if err != nil {
			continue
		}
		want := 0
		for range f.Links() {
			want++
		}
		stdout, _, _ := run(t, 0, "--fabric", "file:"+file, "-o", "csv", "--no-header")
		if got := strings.Count(stdout, "\n"); got != want {
			t.Errorf("%s: %d lines, want %d", filepath.Base(file), got, want)
		}
	}
}
