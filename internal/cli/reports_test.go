package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/columns"
)

// reportLines are command lines of all reports, those with tables first. {uri} is
// the fabric, {plan} its wiring as it should be, {a} and {b} LIDs of two of its
// adapters.
var reportLines = []string{
	"links", "links --errors", "links --down", "links --degraded",
	"nodes", "nodes --firmware", "errors", "errors --explain",
	"summary -o table", "health -o table --routes --firmware",
	"verify {plan}", "trace {a} {b}", "trace {a} {b} --counters", "routes check", "routes load", "compare", "diff {plan} --routes --firmware",
}

// textLines are those whose default is not a table, and documents.
var textLines = []string{
	"summary", "health", "health --all --routes --firmware", "discover", "compare -o text",
	"discover -o json", "discover -o ibnetdiscover", "discover -o ports", "discover -o list", "discover -o dot",
	"topology slurm", "topology slurm -o yaml", "topology slurm --plugin block", "topology k8s", "topology graph -o graphml", "topology graph -o dot", "topology graph -o cytoscape",
	"draw", "draw -o html", "draw --colour errors",
}

// generators make the fabrics that these tests look at.
var generators = []string{
	"fattree?levels=2&radix=8&hosts=9", "fattree?levels=3&radix=4", "gpupod?hosts=4&rails=4&radix=8", "dragonfly+?groups=3&leaves=2",
	"torus?dims=3x3", "hypercube?dims=3", "director?hosts=20", "star",
}

// subject is a fabric whose counters stand still, live and stored.
type subject struct {
	live, file string
	words      *strings.Replacer
}

// newSubject makes a simulated fabric that answers the same at any time, and keeps
// all of it in a file.
func newSubject(t *testing.T, generator string) *subject {
	t.Helper()
	dir := t.TempDir()
	base, file := filepath.Join(dir, "base.json.gz"), filepath.Join(dir, "stored.json.gz")
	runAt(t, "snapshot", "--fabric", "sim:"+generator, "--all", "-o", base)
	s := load(t, base)
	for i := range s.Counters {
		c := &s.Counters[i]
		for j, name := range c.Names {
			if slices.Contains([]string{"symbol_errors", "link_downed", "xmit_discards"}, name) && i%5 == 0 {
				c.Values[j] = uint64(i + j)
			}
		}
	}
	f, err := os.Create(base)
	if err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Write(f, s); err != nil {
		t.Fatal(err)
	}
	f.Close()
	live := "sim:" + base + "?sm=on"
	runAt(t, "snapshot", "--fabric", live, "--all", "-o", file)
	var lids []string
	for p := range load(t, file).Fabric.Ports() {
		if p.Node().Type() == 1 && p.LID() != 0 {
			lids = append(lids, fmt.Sprint(p.LID()))
		}
	}
	return &subject{live, file, strings.NewReplacer("{plan}", file, "{a}", lids[0], "{b}", lids[len(lids)-1])}
}

// runAt runs a command line at one and the same time.
func runAt(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	w := &world{}
	synctest.Test(t, func(t *testing.T) { code = w.run(append([]string{"ibscope"}, args...)...) })
	return w.stdout.String(), w.stderr.String(), code
}

// formats are those that all reports have.
var formats = []string{"table", "json", "csv", "markdown", "html"}

// TestReportsOfSnapshots: every report of a stored fabric is that of the live one, of
// the first in each format; documents of some.
func TestReportsOfSnapshots(t *testing.T) {
	for i, generator := range generators {
		s := newSubject(t, generator)
		var lines []string
		for _, line := range reportLines {
			for _, format := range formats[i%2:] {
				lines = append(lines, strings.ReplaceAll(line, " -o table", "")+" -o "+format)
				if i > 0 {
					break
				}
			}
		}
		if i%3 == 0 {
			lines = append(lines, textLines...)
		}
		for _, line := range lines {
			t.Run(generator+" "+line, func(t *testing.T) {
				args := strings.Fields(s.words.Replace(line))
				want, told, code := runAt(t, append(args, "--fabric", s.live)...)
				got, toldStored, codeStored := runAt(t, append(args, "--fabric", "file:"+s.file)...)
				if code != 0 && code != 4 || want == "" {
					t.Errorf("code %d, %q", code, told)
				}
				same := func(s1 string) string { return strings.ReplaceAll(s1, "file:"+s.file, s.live) }
				if codeStored != code || same(toldStored) != told {
					t.Errorf("code %d, live %d; %q, live %q", codeStored, code, toldStored, told)
				}
				if d := cmp.Diff(want, same(got)); d != "" {
					t.Errorf("(-live +stored)\n%.3000s", d)
				}
			})
		}
	}
}

// TestReportsComplete: every report has all formats, and completes them.
func TestReportsComplete(t *testing.T) {
	for _, line := range reportLines {
		command := strings.Fields(line)
		if command[0] == "routes" {
			command = command[:2]
		} else {
			command = command[:1]
		}
		stdout, _, _ := run(t, append(append([]string{"ibscope", "__complete"}, command...), "-o", "")...)
		for _, format := range formats {
			if !slices.Contains(strings.Split(stdout, "\n"), format) {
				t.Errorf("%s does not complete %s: %q", command, format, stdout)
			}
		}
		if help, _, _ := run(t, append(append([]string{"ibscope"}, command...), "--help")...); strings.Contains(help, "\n      --output-file") && !strings.Contains(help, "table, ") {
			t.Errorf("%s does not tell its formats", command)
		}
	}
}

// long gives nodes names that are as long as a description may be.
func long(number int) string {
	return fmt.Sprintf("compute-node-%04d.rack-%02d.row-c.hall-two.cluster.example mlx5_%d", number, number%42, number%4)
}

// TestReportsWidth: no line of any report is wider than the terminal, unless it is one
// word that cannot be broken.
func TestReportsWidth(t *testing.T) {
	h := newHost(t, long)
	subjects := []*subject{{
		live: "sim:" + h.words["{cache}"] + "?sm=on", file: h.words["{cache}"],
		words: strings.NewReplacer("{plan}", h.words["{tame}"], "{a}", h.words["{host}"], "{b}", h.words["{other}"]),
	}}
	for _, generator := range generators[1:5] {
		subjects = append(subjects, newSubject(t, generator))
	}
	for _, s := range subjects {
		for _, line := range slices.Concat(reportLines, textLines[:4]) {
			if strings.HasPrefix(line, "compare -o text") {
				continue // lines for grep
			}
			for _, width := range []int{80, 160} {
				checkWidth(t, s, line, width)
			}
		}
	}
}

func checkWidth(t *testing.T, s *subject, line string, width int) {
	t.Helper()
	w := &world{env: map[string]string{"COLUMNS": fmt.Sprint(width)}}
	args := append([]string{"ibscope"}, strings.Fields(s.words.Replace(line))...)
	synctest.Test(t, func(*testing.T) { w.run(append(args, "--fabric", s.live)...) })
	for text := range strings.Lines(w.stdout.String()) {
		text = strings.TrimRight(text, "\n")
		if columns.Width(text) > width && len(strings.Fields(text)) > 1 {
			t.Errorf("%s in %d columns: %d columns\n%s", line, width, columns.Width(text), text)
			return
		}
	}
}

// TestErrorsOfFiles: what other tools have printed of the counters is as good as
// reading them.
func TestErrorsOfFiles(t *testing.T) {
	s := newSubject(t, generators[0])
	dir := t.TempDir()
	for name, line := range map[string]string{"topology": "ibnetdiscover", "errors": "ibqueryerrors --counters", "some": "ibqueryerrors"} {
		w := &world{env: map[string]string{"IBSCOPE_FABRIC": s.live}}
		synctest.Test(t, func(*testing.T) { w.run(strings.Fields(line)...) })
		if err := os.WriteFile(filepath.Join(dir, name), w.stdout.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	live, _, _ := runAt(t, "errors", "-o", "csv", "--columns", "counter,value,port.guid,port.port", "--sort", "port.guid,port.port,counter", "--fabric", s.live)
	kept := filepath.Join(t.TempDir(), "kept.json.gz") // a snapshot of files has their counters
	if _, stderr, code := runAt(t, "snapshot", "--fabric", "file:"+dir, "-o", kept); code != 0 {
		t.Errorf("snapshot of files: code %d, %s", code, stderr)
	}
	for _, files := range []string{dir, filepath.Join(dir, "topology") + "," + filepath.Join(dir, "some"), kept} {
		got, stderr, code := runAt(t, "errors", "-o", "csv", "--columns", "counter,value,port.guid,port.port", "--sort", "port.guid,port.port,counter", "--fabric", "file:"+files)
		if d := cmp.Diff(live, got); d != "" || code != 4 || strings.Count(live, "\n") < 5 {
			t.Errorf("%s: code %d, %s(-live +files)\n%s", files, code, stderr, d)
		}
	}
	if _, stderr, code := run(t, "ibscope", "errors", "--fabric", "file:"+filepath.Join(dir, "topology")); code != 1 || !strings.Contains(stderr, "has no counters") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// TestErrorsEarlier: rates are those between two snapshots: of what has counted on, and
// what was reset and has counted again; what stands still is not rising.
func TestErrorsEarlier(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	runAt(t, "snapshot", "--fabric", "sim:star?hosts=4", "--counters", "-o", first)
	const symbols, downs = "symbol_errors", "link_downed"
	values := map[string][3]map[string]uint64{ // of switch ports 1, 2 and 3
		first:  {{symbols: 10}, {symbols: 70, downs: 5}, {symbols: 3}},
		second: {{symbols: 70}, {symbols: 7, downs: 5}, {symbols: 3}},
	}
	s := load(t, first)
	for _, file := range []string{first, second} {
		for i := range s.Counters {
			c := &s.Counters[i]
			if file == second {
				c.Before, c.After = c.Before.Add(time.Minute), c.After.Add(time.Minute)
			}
			for j, name := range c.Names {
				if c.Node.Type() == ib.NodeSwitch && c.Port >= 1 && c.Port <= 3 {
					c.Values[j] = values[file][c.Port-1][name]
				}
			}
		}
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := snapshot.Write(f, s); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	const columns = "port.port,counter,value,rate_per_second,rate_status,counted"
	stdout, stderr, code := run(t, "ibscope", "errors", "--fabric", "file:"+second, "--earlier", first, "--rising", "-o", "csv", "--columns", columns, "--sort", "port.port")
	want := columns + "\n1,SymbolErrorCounter,70,1,known,60\n2,SymbolErrorCounter,7,,reset,\n"
	if stdout != want || code != 4 {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
	for _, tt := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"--earlier", filepath.Join(dir, "none")}, 1, "no such file"},
		{[]string{"--earlier", first, "--interval", "1s"}, 2, "give one"},
		{[]string{"--rising"}, 2, "--earlier"},
	} {
		_, stderr, code := run(t, append([]string{"ibscope", "errors", "--fabric", "file:" + second}, tt.args...)...)
		if code != tt.code || !strings.Contains(stderr, tt.text) {
			t.Errorf("%q: code %d, %s", tt.args, code, stderr)
		}
	}
}
