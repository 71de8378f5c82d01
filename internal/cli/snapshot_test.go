package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/format/snapshot"
)

const snapshotURI = "sim:fattree?levels=2&radix=8&node=node0001 mlx5_0"

// take takes a snapshot of a simulated fabric.
func take(t *testing.T, uri string, args ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "f.json.gz")
	stdout, stderr, code := run(t, append([]string{"ibscope", "snapshot", "--fabric", uri, "-o", file}, args...)...)
	if code != 0 || stdout != file+"\n" || stderr != "" {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	return file
}

func load(t *testing.T, file string) *snapshot.Snapshot {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := snapshot.Read(f, file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// undated takes the line with the time out of a topology.
func undated(text string) string {
	first, rest, _ := strings.Cut(text, "generated on")
	_, rest, _ = strings.Cut(rest, "\n")
	return first + rest
}

// TestSimulatedSnapshot: the drop-in tools print the same of the fabric and of its
// snapshot when that is simulated.
func TestSimulatedSnapshot(t *testing.T) {
	live := snapshotURI + "&routing=updn"
	file := take(t, live, "--counters", "--routes", "--sa")
	for _, line := range []string{
		"ibnetdiscover", "ibnetdiscover -p", "ibnetdiscover -l", "ibroute 2", "ibroute -M 2", "dump_fts", "dump_mfts", "ibtracert 13 30", "smpquery nodeinfo 5",
		"smpquery portinfo 5 2", "smpquery switchinfo 5", "iblinkinfo",
	} {
		got := map[string]string{}
		for _, uri := range []string{live, "sim:" + file} {
			w := &world{env: map[string]string{"IBSCOPE_FABRIC": uri}}
			if code := w.run(strings.Fields(line)...); code != 0 {
				t.Errorf("%s on %s: exit code %d: %s", line, uri, code, &w.stderr)
			}
			got[uri] = undated(w.stdout.String())
		}
		if d := cmp.Diff(got[live], got["sim:"+file]); d != "" {
			t.Errorf("%s (-fabric, +snapshot):\n%s", line, d)
		}
	}
}

// TestSimulatedCounters: perfquery shows what was stored.
func TestSimulatedCounters(t *testing.T) {
	file := take(t, snapshotURI+"&traffic=load:30%,symbol-errors:3/s", "--counters")
	s := load(t, file)
	var c *snapshot.PortCounters
	for i := range s.Counters {
		if s.Counters[i].Node.Port(s.Counters[i].Port).LID() == 20 {
			c = &s.Counters[i]
		}
	}
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:" + file}}
	if code := w.run("perfquery", "-x", "20", "1"); code != 0 {
		t.Fatal(w.stderr.String())
	}
	for i, name := range c.Names {
		if name == "unicast_rcv_pkts" && (c.Values[i] == 0 || !strings.Contains(w.stdout.String(), "PortUnicastRcvPkts")) {
			t.Errorf("%v", c.Values)
		}
	}
	again := load(t, take(t, "sim:"+file+"?node=node0001 mlx5_0", "--counters"))
	for i := range again.Counters {
		a, b := &s.Counters[i], &again.Counters[i]
		for j, name := range a.Names {
			if strings.Contains(name, "rcv_errors") && a.Values[j] != b.Values[j] || a.Values[j] > b.Values[j] || b.Values[j] > a.Values[j]+1<<20 {
				t.Errorf("%v port %d: %s is %d, was %d", a.Node.GUID(), a.Port, name, b.Values[j], a.Values[j])
			}
		}
	}
}

// TestStoredSnapshot: the outputs of a snapshot are those of what it was taken of.
func TestStoredSnapshot(t *testing.T) {
	const source = "file:testdata/hostile.topo"
	file := take(t, source)
	for _, output := range outputs {
		want, _, _ := run(t, "ibscope", "discover", "--fabric", source, "-o", output)
		got, stderr, code := run(t, "ibscope", "discover", "--fabric", "file:"+file, "-o", output)
		if code != 0 || got != want {
			t.Errorf("%s: code %d, %s\n%s", output, code, stderr, cmp.Diff(want, got))
		}
	}
	// What a snapshot holds beside the fabric is not lost on the way through one more.
	full := take(t, snapshotURI, "--counters", "--routes", "--sa")
	a, b := load(t, full), load(t, take(t, "file:"+full))
	if len(a.Counters) == 0 || len(a.Counters) != len(b.Counters) || len(a.Multicast) != len(b.Multicast) || b.Manager == nil || b.Tool != "ibscope 1.2.3" {
		t.Errorf("%d and %d counters, %v", len(a.Counters), len(b.Counters), b.Tool)
	}
}

func TestSnapshotName(t *testing.T) {
	t.Chdir(t.TempDir())
	stdout, stderr, code := run(t, "ibscope", "snapshot", "--fabric", "sim:star")
	if code != 0 || stdout != "fabric-20261129T194342Z.json.gz\n" || stderr != "" {
		t.Errorf("code %d, %q, %q", code, stdout, stderr)
	}
	load(t, strings.TrimSpace(stdout))
}

func TestSnapshotIncomplete(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	const mute = snapshotURI + "&mute=node0003 mlx5_0"
	stdout, stderr, code := run(t, "ibscope", "snapshot", "--fabric", mute, "--timeout", "10ms", "--retries", "0", "--routes", "-o", file)
	if code != 3 || !strings.HasPrefix(stderr, "ibscope: no-reply: ") || stdout != file+"\n" {
		t.Errorf("code %d, %q, %q", code, stdout, stderr)
	}
	s := load(t, file)
	if s.IsComplete() || s.Fabric.NumNodes() != 43 {
		t.Errorf("complete %v, %d nodes", s.IsComplete(), s.Fabric.NumNodes())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := &world{ctx: ctx}
	if code := w.run("ibscope", "snapshot", "--fabric", snapshotURI, "-o", file); code != 1 && code != 3 {
		t.Errorf("interrupted: code %d", code)
	}
}

func TestSnapshotUsage(t *testing.T) {
	file := take(t, "sim:star")
	for _, tt := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"snapshot", "--fabric", "file:" + file, "--routes"}, 2, "is stored"},
		{[]string{"snapshot", "--fabric", "sim:star", "--sm-key", "x"}, 2, "--sm-key"},
		{[]string{"snapshot", "--fabric", "file:/nonexistent"}, 1, "no such file"},
		{[]string{"snapshot", "--fabric", "sim:star", "-o", "/nonexistent/x"}, 1, "/nonexistent"},
		{[]string{"anonymize", "--as", "xml", file}, 2, "there are snapshot"},
		{[]string{"anonymize", "/nonexistent"}, 1, "no such file"},
		{[]string{"anonymize", file, file}, 2, `expected "ibscope anonymize [FILE]", found "`},
		{[]string{"anonymize"}, 1, "standard input: the file is empty"},
	} {
		_, stderr, code := run(t, append([]string{"ibscope"}, tt.args...)...)
		if code != tt.code || !strings.Contains(stderr, tt.text) {
			t.Errorf("%q: code %d, want %d: %s", tt.args, code, tt.code, stderr)
		}
	}
}

// TestAnonymize: each format comes back as itself, with the routes of what it was.
func TestAnonymize(t *testing.T) {
	file := take(t, snapshotURI, "--routes", "--counters", "--sa")
	for _, kind := range []string{"snapshot", "ibnetdiscover", "cache", "ibsim", "ports", "list"} {
		var texts []string
		for _, seed := range []string{"a", "a", "b"} {
			stdout, stderr, code := run(t, "ibscope", "anonymize", "--seed", seed, "--as", kind, file)
			if code != 0 || stderr != "" {
				t.Fatalf("%s: code %d, %s", kind, code, stderr)
			}
			texts = append(texts, stdout)
		}
		if texts[0] != texts[1] || texts[0] == texts[2] || strings.Contains(texts[0], "node00") {
			t.Errorf("%s: the same seed the same text: %v, another seed another: %v", kind, texts[0] == texts[1], texts[0] != texts[2])
		}
		out := filepath.Join(t.TempDir(), "anonymous")
		if err := os.WriteFile(out, []byte(texts[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		again, _, code := run(t, "ibscope", "anonymize", out)
		if code != 0 || kind != "snapshot" && kind != "cache" && !strings.Contains(again, "host-1 mlx5_0") {
			t.Errorf("%s again: code %d\n%.300s", kind, code, again)
		}
	}
	out := filepath.Join(t.TempDir(), "anonymous.json.gz")
	if _, stderr, code := run(t, "ibscope", "anonymize", file, "-o", out); code != 0 {
		t.Fatal(stderr)
	}
	s := load(t, out)
	if len(s.Counters) != 140 || s.Manager == nil || s.Fabric.Sweep().Source != "" {
		t.Errorf("%d counters, source %q", len(s.Counters), s.Fabric.Sweep().Source)
	}
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:" + out}}
	if code := w.run("dump_fts"); code != 0 || strings.Count(w.stdout.String(), "44 valid lids dumped") != 12 {
		t.Errorf("code %d\n%.2000s%s", code, &w.stdout, &w.stderr)
	}
}
