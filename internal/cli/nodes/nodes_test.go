package nodes

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

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

const fattree = "fattree?levels=2&radix=4"

func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"fattree":  {"--fabric", "sim:" + fattree},
		"firmware": {"--fabric", "sim:" + fattree, "--firmware", "--type", "switch"},
		"hostile":  {"--fabric", hostile},
	} {
		for _, width := range []int{80, 160} {
			stdout, stderr, code := run(t, width, args...)
			if code != env.OK || stderr != "" {
				t.Errorf("%s: exit code %d, %s", name, code, stderr)
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

// document is what tests look at of the JSON.
type document struct {
	Schema   string
	Complete bool
	Counts   map[string]int
	Nodes    []struct {
		Name, Type, Role, GUID, Host, Model, Firmware, PSID string
		LID, Ports, Tier                                    int
		Active                                              *int `json:"ports_active"`
	}
}

func list(t *testing.T, args ...string) document {
	t.Helper()
	stdout, stderr, code := run(t, 0, append(args, "-o", "json")...)
	if code != env.OK {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr)
	}
	var d document
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCounts compares with counts over the model.
func TestCounts(t *testing.T) {
	const name = "fattree?levels=3&radix=8&hosts=40"
	model, err := gen.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	types, leaves := map[ib.NodeType]int{}, 0
	for n := range model.Nodes() {
		types[n.Type()]++
		isLeaf := false
		for p := range n.Ports() {
			isLeaf = isLeaf || n.Type() == ib.NodeSwitch && p.Remote() != nil && p.Remote().Node().Type() == ib.NodeCA
		}
		if isLeaf {
			leaves++
		}
	}
	for _, tt := range []struct {
		args []string
		want int
	}{
		{nil, model.NumNodes()},
		{[]string{"--type", "ca"}, types[ib.NodeCA]},
		{[]string{"--type", "Switch"}, types[ib.NodeSwitch]},
		{[]string{"--type", "ca,switch"}, model.NumNodes()},
		{[]string{"--role", "leaf"}, leaves},
		{[]string{"--role", "host"}, types[ib.NodeCA]},
		{[]string{"--type", "router"}, 0},
		{[]string{"--node", "node000*"}, 9},
	} {
		d := list(t, append(tt.args, "--fabric", "sim:"+name)...)
		if len(d.Nodes) != tt.want || d.Counts["listed"] != tt.want || d.Counts["nodes"] != model.NumNodes() || d.Counts["hosts"] != types[ib.NodeCA] {
			t.Errorf("%q: %d nodes, want %d; counts %v", tt.args, len(d.Nodes), tt.want, d.Counts)
		}
	}
	one := list(t, "--fabric", "sim:"+name, "--node", "node0007 *")
	n := one.Nodes[0]
	if len(one.Nodes) != 1 || n.Host != "node0007" || n.Active == nil || *n.Active != 1 || n.Ports != 1 || n.LID == 0 || n.Model == "" {
		t.Errorf("one node: %+v", one.Nodes)
	}
	if same := list(t, "--fabric", "sim:"+name, "--guid", n.GUID); len(same.Nodes) != 1 || same.Nodes[0].Name != n.Name {
		t.Errorf("by GUID: %+v", same.Nodes)
	}
}

func TestFirmware(t *testing.T) {
	d := list(t, "--fabric", "sim:"+fattree, "--firmware")
	for _, n := range d.Nodes {
		if strings.Count(n.Firmware, ".") != 2 || n.PSID == "" {
			t.Errorf("%s has firmware %q, PSID %q", n.Name, n.Firmware, n.PSID)
		}
	}
	if _, stderr, code := run(t, 0, "--fabric", hostile, "--firmware"); code != env.Failed || !strings.Contains(stderr, "has no firmware") {
		t.Errorf("stored: exit code %d, %s", code, stderr)
	}
	stdout, stderr, code := run(t, 0, "--fabric", "sim:star?hosts=3&sm=off", "--firmware")
	if code != env.Incomplete || strings.Count(stderr, "no LID") != 4 || !strings.Contains(stdout, "node0003") {
		t.Errorf("without LIDs: exit code %d, %s\n%s", code, stderr, stdout)
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
	if err != nil || len(records) != 5 || len(records[0]) != int(numColumns) {
		t.Errorf("CSV: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"x"}, {"--type", "hca"}, {"--role", "boss"}, {"-o", "xml"}, {"--columns", "nope"}, {"--sort", "-nope"}, {"--guid", "x"},
	} {
		if _, stderr, code := run(t, 0, args...); code != env.Usage || stderr == "" {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
}
