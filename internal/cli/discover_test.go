package cli

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ibscope/ibscope/internal/testenv"
)

var outputs = []string{"summary", "ibnetdiscover", "ports", "list", "json", "ndjson", "dot"}

// TestDiscoverGolden pins each output on a stored fabric with hostile text.
func TestDiscoverGolden(t *testing.T) {
	for _, output := range outputs {
		t.Run(output, func(t *testing.T) {
			stdout, stderr, code := run(t, "ibscope", "discover", "--fabric", "file:testdata/hostile.topo", "-o", output)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			testenv.Golden(t, "hostile."+output+".golden", []byte(stdout))
		})
	}
}

// TestHostileText sends descriptions that attack terminals, quotes and graphs
// through every output, from a file and through a sweep.
func TestHostileText(t *testing.T) {
	for _, source := range []string{"file", "sim"} {
		for _, output := range outputs {
			w := &world{}
			if code := w.run("ibscope", "discover", "--fabric", source+":testdata/hostile.topo", "-o", output); code != 0 {
				t.Fatalf("%s %s: exit code %d: %s", source, output, code, &w.stderr)
			}
			for name, text := range map[string]string{"stdout": w.stdout.String(), "stderr": w.stderr.String()} {
				if !utf8.ValidString(text) {
					t.Errorf("%s %s: %s is not UTF-8", source, output, name)
				}
				for _, r := range text {
					if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
						t.Errorf("%s %s: %s has %U", source, output, name, r)
					}
				}
			}
		}
	}
}

func TestJSONIsWellFormed(t *testing.T) {
	stdout, _, _ := run(t, "ibscope", "discover", "--fabric", "file:testdata/hostile.topo", "-o", "json")
	var doc struct {
		Schema   string
		Version  int
		Complete bool
		Counts   map[string]int
		Nodes    []struct {
			GUID, Description string
			DescriptionHex    string `json:"description_hex"`
		}
		Links []struct {
			A, B struct {
				GUID, Description string
				Port              int
			}
			Degraded bool
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "ibscope.fabric" || doc.Version != 1 || !doc.Complete || len(doc.Nodes) != 4 || len(doc.Links) != 3 || doc.Counts["links"] != 3 {
		t.Errorf("got %+v", doc)
	}
	found := map[string]bool{}
	for _, n := range doc.Nodes {
		found[n.Description] = true
	}
	for _, want := range []string{"sw\x1b[31mred\x1b[0m", "];}; digraph{ \\N \\G"} {
		if !found[want] {
			t.Errorf("no node has the description %q: %q", want, slices.Collect(maps.Keys(found)))
		}
	}
}

func TestNDJSONLines(t *testing.T) {
	stdout, _, _ := run(t, "ibscope", "discover", "--fabric", "sim:star?hosts=3", "-o", "ndjson")
	count := map[string]int{}
	last := ""
	for line := range strings.Lines(stdout) {
		var record struct{ Record string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		last = record.Record
		count[last]++
	}
	if last != "end" || count["fabric"] != 1 || count["node"] != 4 || count["link"] != 3 {
		t.Errorf("got %v, the last one is %q", count, last)
	}
}

// dotLine is every line that a graph may have.
var dotLine = regexp.MustCompile(`^(graph fabric \{|\}|  (rankdir=BT|node \[[^"]*\]|edge \[[^"]*\]);|  \{ rank=same;( "[0-9a-fx/]+";)+ \}|  "[0-9a-fx/]+"( -- "[0-9a-fx/]+")? \[("(\\.|[^"\\])*"|[^"])*\];)$`)

func TestDotLines(t *testing.T) {
	stdout, _, _ := run(t, "ibscope", "discover", "--fabric", "file:testdata/hostile.topo", "-o", "dot")
	for line := range strings.Lines(stdout) {
		if !dotLine.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("a line that is no statement: %q", line)
		}
	}
}

func TestDiscoverExitCodes(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	lossy := "sim:fattree?levels=2&radix=16&loss=40%&seed=3"
	for _, test := range []struct {
		name   string
		args   []string
		ctx    context.Context
		code   int
		stderr string
	}{
		{name: "complete", args: []string{"--fabric", "sim:star"}, code: 0},
		{name: "no kernel port", code: 1, stderr: `fabric "umad:"`},
		{name: "scheme", args: []string{"--fabric", "foo:bar"}, code: 2, stderr: `scheme: found "foo", expected`},
		{name: "generator", args: []string{"--fabric", "sim:star?hosts=-1"}, code: 2, stderr: "hosts=-1"},
		{name: "no such file", args: []string{"--fabric", "file:/nonexistent"}, code: 1, stderr: "/nonexistent"},
		{name: "flag", args: []string{"--nonsense"}, code: 2, stderr: "unknown flag"},
		{name: "operand", args: []string{"x"}, code: 2},
		{name: "output", args: []string{"-o", "xml"}, code: 2, stderr: "summary, ibnetdiscover"},
		{name: "from", args: []string{"--from", "lid:x"}, code: 2, stderr: "--from"},
		{name: "from no GUID", args: []string{"--from", "guid:0"}, code: 2, stderr: "--from: ib: \"0\" is not a valid GUID of a node or port"},
		{name: "from multicast", args: []string{"--from", "lid:0xc000"}, code: 2, stderr: "--from"},
		{name: "from nowhere", args: []string{"--fabric", "sim:star", "--from", "guid:1"}, code: 1, stderr: "no node or port"},
		{name: "negative", args: []string{"--retries", "-1"}, code: 2, stderr: "--retries -1: expected a number from 0"},
		{name: "no retries", args: []string{"--fabric", "sim:star", "--retries", "0"}, code: 0},
		{name: "no time", args: []string{"--timeout", "0s"}, code: 2, stderr: "--timeout 0s: expected a time above 0"},
		{name: "no key", args: []string{"--fabric", "sim:star", "--m-key", "ask"}, code: 2, stderr: "--m-key: expected a number"},
		{name: "start does not answer", args: []string{"--fabric", "sim:star", "--from", "0,9", "--timeout", "1ms"}, code: 1},
		{name: "lossy", args: []string{"--fabric", lossy, "--timeout", "2ms", "--retries", "2", "-o", "list"}, code: 3, stderr: "no-reply"},
		{name: "unwritable", args: []string{"--fabric", "sim:star", "--output-file", "/nonexistent/x"}, code: 1, stderr: "/nonexistent"},
		{name: "canceled before the start", args: []string{"--fabric", "sim:star"}, ctx: canceled, code: 1, stderr: "canceled"},
		{name: "deadline", args: []string{"--fabric", "sim:fattree?levels=3&radix=16&latency=20ms", "--deadline", "150ms", "-o", "list"}, code: 3, stderr: "deadline"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &world{ctx: test.ctx}
			code := w.run(append([]string{"ibscope", "discover"}, test.args...)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d; stderr: %s", code, test.code, &w.stderr)
			}
			if !strings.Contains(w.stderr.String(), test.stderr) {
				t.Errorf("stderr %q does not say %q", &w.stderr, test.stderr)
			}
			if test.code == 3 && w.stdout.Len() == 0 {
				t.Error("nothing of what is known was printed")
			}
			if test.code != 0 && test.code != 3 && w.stdout.Len() != 0 {
				t.Errorf("stdout has %q", &w.stdout)
			}
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	w := &world{}
	w.run("ibscope", "discover", "--fabric", "sim:fattree?levels=2&radix=16&loss=40%&seed=3", "--timeout", "2ms", "--retries", "2", "-o", "list")
	lines := strings.Count(w.stderr.String(), "\n")
	if lines < 3 || lines > 25 {
		t.Errorf("%d lines on stderr:\n%s", lines, &w.stderr)
	}
}

func TestOutputFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fabric.json")
	stdout, stderr, code := run(t, "ibscope", "discover", "--fabric", "sim:star", "-o", "json", "--output-file", file)
	if code != 0 || stdout != "" {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if data, err := os.ReadFile(file); err != nil || !json.Valid(data) {
		t.Errorf("%v: not JSON: %.100s", err, data)
	}
}

func TestColour(t *testing.T) {
	for _, test := range []struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		{false, nil, false},
		{true, nil, true},
		{true, map[string]string{"NO_COLOR": "1"}, false},
		{true, map[string]string{"TERM": "dumb"}, false},
	} {
		w := &world{terminal: test.terminal, env: test.env}
		w.run("ibscope", "discover", "--fabric", "sim:star")
		if got := strings.Contains(w.stdout.String(), "\x1b["); got != test.want {
			t.Errorf("terminal %v, env %v: coloured %v", test.terminal, test.env, got)
		}
	}
}

// TestProgressLine lets the clock run fast, so that the line comes up.
func TestProgressLine(t *testing.T) {
	clock := time.Unix(0, 0)
	fast := func() time.Time { clock = clock.Add(2 * time.Second); return clock }
	args := []string{"ibscope", "discover", "--fabric", "sim:fattree?levels=2&radix=16&latency=2ms", "-o", "list"}
	w := &world{terminal: true, now: fast}
	w.run(args...)
	if text := w.stderr.String(); !strings.Contains(text, " SMPs") || !strings.HasSuffix(text, "\r\x1b[K") || strings.Contains(text, "\n") {
		t.Errorf("stderr %q is no line that was drawn and erased", text)
	}
	quiet := &world{now: fast}
	quiet.run(args...)
	if quiet.stderr.Len() != 0 {
		t.Errorf("without a terminal stderr has %q", &quiet.stderr)
	}
}

func TestEnvironmentNamesTheFabric(t *testing.T) {
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=3"}}
	if code := w.run("ibscope", "discover"); code != 0 || !strings.Contains(w.stdout.String(), "Nodes: 4") {
		t.Errorf("exit code %d: %s", code, &w.stdout)
	}
}

func TestNodeNameMap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(file, []byte("# names\n0x2000 \"first host\"\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		"summary": "Nodes: 4", "list": `"first host"`, "ports": "'first host'",
		"json": `"name":"first host"`, "ndjson": `"name":"first host"`, "dot": `[label="first host"]`,
	} {
		w := &world{}
		code := w.run("ibscope", "discover", "--fabric", "file:testdata/hostile.topo", "--node-name-map", file, "-o", output)
		if code != 0 || !strings.Contains(w.stdout.String(), want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", output, code, want, &w.stdout)
		}
		if !strings.Contains(w.stderr.String(), "names:3") {
			t.Errorf("%s: stderr does not name the bad line: %q", output, &w.stderr)
		}
	}
	missing := &world{}
	if code := missing.run("ibscope", "discover", "--fabric", "sim:star", "--node-name-map", "/nonexistent"); code != 1 {
		t.Errorf("missing map: exit code %d", code)
	}
	drop := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:star"}}
	want := "WARNING failed to open node name map \"/nonexistent\" (No such file or directory)\n"
	if code := drop.run("ibnetdiscover", "-l", "--node-name-map", "/nonexistent"); code != 0 || drop.stderr.String() != want {
		t.Errorf("ibnetdiscover with a missing map: %d, %q", code, &drop.stderr)
	}
}

// TestSimulatedFileWithMistakes pins that lines which the simulator does not
// know are told of, for the fabric that it shows lacks them.
func TestSimulatedFileWithMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.net")
	if err := os.WriteFile(file, []byte("Switch 2 \"a\"\n[1] \"nobody\"[1]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"ibscope discover -o list --fabric sim:" + file, "ibnetdiscover -l"} {
		w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:" + file}}
		if code := w.run(strings.Fields(command)...); code != 0 || strings.Count(w.stderr.String(), `there is no node "nobody"`) != 1 {
			t.Errorf("%s: exit code %d, stderr %q", command, code, &w.stderr)
		}
	}
}
