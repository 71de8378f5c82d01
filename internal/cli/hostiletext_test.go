package cli

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
)

// topologies are the lines of ibnetdiscover that give a file to read.
var topologies = []string{"", "-g", "-f", "-m", "{out}", "--cache {out}"}

// TestHostileFabric runs every tool and every command on a fabric of hostile
// descriptions, in all forms of output. Nothing that a terminal could act on comes
// through, no description makes lines, documents can be read, and files of a format
// that we read hold the same fabric.
func TestHostileFabric(t *testing.T) {
	bad, good := newHost(t, wild), newHost(t, tame)
	bad.control(t)
	t.Chdir(t.TempDir()) // some tools leave a file where they run
	for _, name := range slices.Sorted(maps.Keys(toolLines)) {
		lines := toolLines[name]
		for _, line := range lines {
			t.Run(name+" "+line, func(t *testing.T) {
				w := bad.run(t, name, line)
				checkText(t, w)
				if want := good.run(t, name, line); !strings.Contains(line, "--diff ") && strings.Count(w.stdout.String(), "\n") != strings.Count(want.stdout.String(), "\n") {
					t.Errorf("descriptions break lines:\n%s\nwith others\n%s", &w.stdout, &want.stdout)
				}
				if name == "ibnetdiscover" && slices.Contains(topologies, line) {
					checkFabric(t, bad, keepOut(t, bad, line, w.stdout.String()))
				}
				document := bad.run(t, name, "--output json "+line)
				checkText(t, document)
				text := document.stdout.String()
				if text == "" { // it went into the file
					text = readOut(t, bad)
				}
				documentOf(t, text)
			})
		}
		for _, line := range []string{"{evil}", "-Q{evil} x", "--{evil}", "-t {evil}", "--output json {evil}", "{evil} {evil} {evil}"} {
			t.Run(name+" "+line, func(t *testing.T) { checkText(t, bad.run(t, name, line)) })
		}
	}
	for _, name := range slices.Sorted(maps.Keys(commandLines)) {
		for _, line := range append(slices.Clone(commandLines[name]), "{evil}", "--output {evil}", "--fabric {evil}") {
			t.Run(name+" "+line, func(t *testing.T) {
				w := bad.run(t, "ibscope "+name, line)
				checkText(t, w)
				if strings.Contains(line, "{evil}") {
					return
				}
				if w.stdout.Len() == 0 && !strings.Contains(line, "{out}") {
					t.Errorf("nothing is printed: %s", &w.stderr)
				}
				checkOutput(t, bad, name+" "+line, w.stdout.String())
			})
		}
	}
}

func readOut(t *testing.T, h *host) string {
	t.Helper()
	b, err := os.ReadFile(h.path("out"))
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// checkText wants text that is safe on a terminal.
func checkText(t *testing.T, w *world) {
	t.Helper()
	for name, text := range map[string]string{"stdout": w.stdout.String(), "stderr": w.stderr.String()} {
		if !utf8.ValidString(text) {
			t.Errorf("%s is not UTF-8: %q", name, text)
		}
		for _, r := range text {
			if !strconv.IsPrint(r) && r != '\n' && r != '\t' {
				t.Errorf("%s has %U: %q", name, r, text)
				break
			}
		}
	}
}

// checkOutput looks at what the form of an output requires.
func checkOutput(t *testing.T, h *host, line, out string) {
	t.Helper()
	switch {
	case strings.Contains(line, "ndjson"):
		for record := range strings.Lines(out) {
			if !json.Valid([]byte(record)) {
				t.Errorf("not JSON: %q", record)
			}
		}
	case strings.HasPrefix(line, "sim ctl --json"), strings.HasPrefix(line, "sim topologies --json"): // lists
		if !json.Valid([]byte(out)) {
			t.Errorf("not JSON: %.1000s", out)
		}
	case strings.Contains(line, "json"):
		documentOf(t, out)
	case strings.Contains(line, "dot"):
		for statement := range strings.Lines(out) {
			if !dotLine.MatchString(strings.TrimSuffix(statement, "\n")) {
				t.Errorf("a line that is no statement: %q", statement)
			}
		}
	}
	if strings.HasPrefix(line, "snapshot") || strings.HasPrefix(line, "sim export -o ib") || strings.HasPrefix(line, "sim export -o cache") || strings.HasSuffix(line, "-o ibnetdiscover") {
		checkFabric(t, h, keepOut(t, h, line, out))
	}
}

// keepOut makes a file of what a command has printed, if it has not made one itself.
func keepOut(t *testing.T, h *host, line, out string) string {
	t.Helper()
	file := h.path("out")
	if !strings.Contains(line, "{out}") {
		if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// checkFabric reads a file back.
func checkFabric(t *testing.T, h *host, file string) {
	t.Helper()
	got, err := format.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := format.Load(h.words["{cache}"])
	if err != nil {
		t.Fatal(err)
	}
	if n, w := links(got), links(want); got.NumNodes() != want.NumNodes() || n != w {
		t.Errorf("%d nodes and %d links, not %d and %d", got.NumNodes(), n, want.NumNodes(), w)
	}
}

func links(f *fabric.Fabric) (n int) {
	for range f.Links() {
		n++
	}
	return n
}

// oddLIDs is a switch without a LID, and hosts with LIDs that are for multicast, or
// permissive.
const oddLIDs = `switchguid=0x200001(200001)
Switch	4 "S-0000000000200001"		# "sw" base port 0 lid 0 lmc 0
[1]	"H-0000000000100001"[1](100002) 		# "a" lid 65000 4xSDR
[2]	"H-0000000000100003"[1](100004) 		# "b" lid 49152 4xSDR
[3]	"H-0000000000100005"[1](100006) 		# "c" lid 65535 4xSDR

caguid=0x100001
Ca	1 "H-0000000000100001"		# "a"
[1](100002) 	"S-0000000000200001"[1]		# lid 65000 lmc 0 "sw" lid 0 4xSDR

caguid=0x100003
Ca	1 "H-0000000000100003"		# "b"
[1](100004) 	"S-0000000000200001"[2]		# lid 49152 lmc 7 "sw" lid 0 4xSDR

caguid=0x100005
Ca	1 "H-0000000000100005"		# "c"
[1](100006) 	"S-0000000000200001"[3]		# lid 65535 lmc 0 "sw" lid 0 4xSDR
`

// TestOddLIDs: every tool comes to an end on it.
func TestOddLIDs(t *testing.T) {
	synctest.Test(t, testOddLIDs) // no time passes while nobody answers
}

func testOddLIDs(t *testing.T) {
	h := newHost(t, tame)
	file := h.path("odd")
	if err := os.WriteFile(file, []byte(oddLIDs), 0o600); err != nil {
		t.Fatal(err)
	}
	h.uri = "sim:" + file
	for _, lids := range [][3]string{{"65000", "49152", "0"}, {"65535", "65000", "49152"}} {
		h.words["{host}"], h.words["{other}"], h.words["{switch}"] = lids[0], lids[1], lids[2]
		for _, name := range slices.Sorted(maps.Keys(toolLines)) {
			for _, line := range toolLines[name] {
				checkText(t, h.run(t, name, line))
			}
		}
	}
	if w := h.run(t, "ibqueryerrors", "--skip-sl"); !strings.Contains(w.stdout.String(), "## Summary: 4 nodes checked") {
		t.Errorf("ibqueryerrors: %s%s", &w.stdout, &w.stderr)
	}
}
