package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
)

// write writes a file for a test and gives its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// line is a command line and what it should end with.
type line struct {
	args           []string
	code           int
	stdout, stderr string // parts of them
}

func runLines(t *testing.T, lines []line) {
	t.Helper()
	for _, l := range lines {
		stdout, stderr, code := run(t, append([]string{"ibscope"}, l.args...)...)
		if code != l.code || !strings.Contains(stdout, l.stdout) || !strings.Contains(stderr, l.stderr) {
			t.Errorf("%q: code %d, want %d\n%s%s", l.args, code, l.code, stdout, stderr)
		}
		if strings.Count(stderr, "\n") > 1 && !strings.Contains(stderr, "\nTry ") {
			t.Errorf("%q: the error is not one line: %s", l.args, stderr)
		}
	}
}

const smallTree = "sim:fattree?levels=2&radix=8&hosts=12&speed=ndr"

func TestVerify(t *testing.T) {
	const titles = "from node,from port,to node,to port,label,speed\n"
	list := write(t, "list.csv", titles+"leaf01,1/1/1,node0001,1,W-1,NDR\nleaf01,2,node0003,mlx5_0,W-2,\nleaf01,3,node0002,1,W-3,\n")
	clean := write(t, "clean.csv", titles+"leaf01,1,node0001,1,W-1,NDR\n")
	bad := write(t, "bad.csv", titles+"leaf01,900,node0001,1,W-1,NDR\n")
	strange := write(t, "strange.csv", titles+"leaf01,60,node0001,1,W-1,NDR\n")
	rules := write(t, "rules.yaml", "groups: {leaf: leaf*, spine: spine*}\nrules:\n - every leaf has 2 links to each spine\n - all links are at least 4x NDR\n")
	broken := write(t, "broken.yaml", "rules:\n - every host has 2 links\n")
	runLines(t, []line{
		{[]string{"verify", smallTree, "--fabric", smallTree}, 0, "24 of 24 planned cables in place, nothing found", ""},
		{[]string{"verify", list, "--fabric", smallTree, "--partial"}, 4, "exchange the plugs in port 3", ""},
		{[]string{"verify", list, "--fabric", smallTree, "--partial"}, 4, "1 of 3 planned cables in place, 1 finding\n", ""},
		{[]string{"verify", clean, "--fabric", smallTree, "--partial"}, 0, "nothing found", ""},
		{[]string{"verify", clean, "--fabric", smallTree}, 4, "23 findings", ""},
		{[]string{"verify", bad, "--fabric", smallTree}, 2, "", `from port "900"`},
		{[]string{"verify", strange, "--fabric", smallTree, "--partial"}, 3, "0 of 1", "leaf01: has no port 60"},
		{[]string{"verify", rules, "--fabric", smallTree}, 0, "2 of 2 rules kept, nothing found", ""},
		{[]string{"verify", broken, "--fabric", smallTree}, 4, "node0004 mlx5_0 has 1 link in all, expected are 2", ""},
		{[]string{"verify", "/nonexistent", "--fabric", smallTree}, 1, "", "no such file"},
		{[]string{"verify", write(t, "x", "nothing\n"), "--fabric", smallTree}, 1, "", "is no plan"},
		{[]string{"verify", "--fabric", smallTree}, 2, "", `expected "ibscope verify PLAN", found no arguments`},
	})
	stdout, _, _ := run(t, "ibscope", "verify", list, "--fabric", smallTree, "--partial", "-o", "json")
	var doc struct {
		Schema   string
		Findings []struct{ Kind, Label string }
		Work     []struct{ What, Do string }
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || doc.Schema != "ibscope.verify" || len(doc.Findings) != 1 ||
		doc.Findings[0].Kind != "swapped" || doc.Findings[0].Label != "W-2" || len(doc.Work) != 1 || doc.Work[0].Do == "" {
		t.Errorf("%v %s", err, stdout)
	}
}

// TestVerifyFirmware: the example of docs/verify.md is so; a stored fabric without firmware
// cannot be looked at.
func TestVerifyFirmware(t *testing.T) {
	text, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	const uri = "sim:fattree?levels=2&radix=4&hosts=2"
	_, example, _ := strings.Cut(string(text), "$ cat firmware.yaml\n")
	rules, example, _ := strings.Cut(example, "$ ibscope verify firmware.yaml --fabric '"+uri+"'\n")
	want, _, _ := strings.Cut(example, "```")
	path := write(t, "firmware.yaml", rules)
	stdout, stderr, code := run(t, "ibscope", "verify", path, "--fabric", uri)
	if got := strings.ReplaceAll(stdout, path, "firmware.yaml"); code != 4 || got != want {
		t.Errorf("code %d\n%s%s\nthe document has\n%s", code, got, stderr, want)
	}
	one := write(t, "one.yaml", "rules:\n - every switch runs firmware 27.2012\n")
	stored := filepath.Join(t.TempDir(), "stored.gz")
	with := filepath.Join(t.TempDir(), "with.gz")
	runLines(t, []line{
		{[]string{"snapshot", "--fabric", uri, "-o", stored}, 0, "", ""},
		{[]string{"snapshot", "--fabric", uri, "--firmware", "-o", with}, 0, "", ""},
		{[]string{"verify", one, "--fabric", "file:" + stored}, 3, "0 of 1 rules kept", "the firmware of 2 nodes is not known"},
		{[]string{"verify", path, "--fabric", "file:" + with}, 4, "1 of 2 rules kept, 2 findings", ""},
	})
}

func TestDiff(t *testing.T) {
	const other = "sim:fattree?levels=2&radix=8&hosts=11&speed=ndr"
	stored := filepath.Join(t.TempDir(), "a.json.gz")
	tables := filepath.Join(t.TempDir(), "b.json.gz")
	runLines(t, []line{
		{[]string{"snapshot", "--fabric", smallTree, "-o", stored}, 0, "", ""},
		{[]string{"snapshot", "--fabric", smallTree, "-o", tables, "--routes"}, 0, "", ""},
		{[]string{"diff", smallTree, smallTree, "--routes"}, 0, "no differences: 17 nodes, 24 links\n", ""},
		{[]string{"diff", stored, "--fabric", smallTree}, 0, "no differences", ""},
		{[]string{"diff", tables, "--fabric", smallTree, "--routes"}, 0, "no differences", ""},
		{[]string{"diff", stored, other}, 4, "node0012 mlx5_0", ""},
		{[]string{"diff", tables, other, "--routes", "-o", "text"}, 4, ": routes ", ""},
		{[]string{"diff", stored, other, "-o", "json"}, 4, `"schema":"ibscope.diff"`, ""},
		{[]string{"diff", stored, "--fabric", smallTree, "--routes"}, 1, "", "has no forwarding tables"},
		{[]string{"diff", stored, "--without=colour"}, 2, "", `no field "colour"`},
		{[]string{"diff", stored, "-o", "xml"}, 2, "", "there are table, text, json, csv"},
		{[]string{"diff"}, 2, "", `expected "ibscope diff A [B] | diff --since TIME [B]", found no arguments`},
		{[]string{"links", "--between", "a", "--fabric", smallTree}, 2, "", "expected two patterns"},
		{[]string{"diff", "/nonexistent", smallTree}, 1, "", "no such file"},
	})
}

func TestTrace(t *testing.T) {
	stored := filepath.Join(t.TempDir(), "a.json.gz")
	tables := filepath.Join(t.TempDir(), "b.json.gz")
	at := func(args ...string) []string {
		return append(append([]string{"trace"}, args...), "--fabric", smallTree)
	}
	runLines(t, []line{
		{[]string{"snapshot", "--fabric", smallTree, "-o", stored}, 0, "", ""},
		{[]string{"snapshot", "--fabric", smallTree, "-o", tables, "--routes"}, 0, "", ""},
		{at("node0001", "node0012"), 0, "arrives at node0012 mlx5_0 after 4 hops", ""},
		{at("node0001", "node0012", "--live"), 0, "after 4 hops, each asked", ""},
		{at("node0001 mlx5_0/1", "leaf03"), 0, "arrives at leaf03 after 3 hops", ""},
		{at("leaf01", "lid:1"), 0, "arrives", ""},
		{at("leaf01", "node0012", "--counters", "-o", "json"), 0, `"errors":0`, ""},
		{at("nobody", "node0012"), 1, "", `no node of the fabric is called "nobody"`},
		{at("lid:x", "node0012"), 2, "", "lid:x"},
		{at("lid:4000", "node0012"), 1, "", "no port of the fabric has LID 4000"},
		{at("node0001/3", "node0012"), 1, "", "there is no such port"},
		{at("c01", "node0012"), 1, "", `no node of the fabric is called "c01"`},
		{at("node0001"), 2, "", `expected "ibscope trace FROM TO", found "node0001"`},
		{[]string{"trace", "node0001", "node0012", "--fabric", "file:" + tables}, 0, "after 4 hops", ""},
		{[]string{"trace", "node0001", "node0012", "--fabric", "file:" + stored}, 1, "", "has no forwarding tables"},
		{[]string{"trace", "node0001", "node0012", "--fabric", "file:" + tables, "--live"}, 2, "", "is stored"},
	})
}

func TestRoutes(t *testing.T) {
	stored := filepath.Join(t.TempDir(), "a.json.gz")
	runLines(t, []line{
		{[]string{"snapshot", "--fabric", smallTree, "-o", stored}, 0, "", ""},
		{[]string{"routes", "check", "--fabric", smallTree}, 0, "all arrive, no credit loop", ""},
		{[]string{"routes", "check", "--fabric", "sim:ring?switches=6"}, 4, "0 do not arrive, credit loops: 2", ""},
		{[]string{"routes", "check", "--fabric", "sim:ring?switches=6", "-o", "json"}, 4, `"kind":"credit-loop"`, ""},
		{[]string{"routes", "load", "--fabric", "sim:ring?switches=6", "-o", "csv"}, 0, "from.name,from.port", ""},
		{[]string{"routes", "check", "--fabric", "file:" + stored}, 1, "", "has no forwarding tables"},
		{[]string{"routes", "check", "--fabric", smallTree, "-o", "xml"}, 2, "", "there are table"},
		{[]string{"routes", "nonsense"}, 2, "", "unknown command"},
	})
}

// TestInjected: a black hole and a loop in the tables of a snapshot are told by
// where they are.
func TestInjected(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.json.gz")
	runLines(t, []line{{[]string{"snapshot", "--fabric", smallTree, "-o", good, "--routes"}, 0, "", ""}})
	for _, tt := range []struct {
		inject              func(leaf, spine *fabric.Node, lid ib.LID)
		trace, live, routes string
	}{
		{func(leaf, _ *fabric.Node, lid ib.LID) { leaf.LFT()[lid] = route.NoPort }, "black hole at leaf01, whose table has no port", "has port 255 for LID", "no-route"},
		{func(leaf, _ *fabric.Node, lid ib.LID) { leaf.LFT()[lid] = 60 }, "black hole at leaf01, which sends to port 60, which has no link", "has port 60 for LID", "black-hole"},
		{func(leaf, spine *fabric.Node, lid ib.LID) {
			for p := range leaf.Ports() {
				if q := p.Remote(); q != nil && q.Node() == spine {
					leaf.LFT()[lid], spine.LFT()[lid] = uint8(p.Num()), uint8(q.Num())
				}
			}
		}, "loop, comes back to leaf01 after 2 hops", "loop, comes back to", "loop"},
	} {
		d, err := format.LoadDocument(good)
		if err != nil {
			t.Fatal(err)
		}
		var leaf, spine, last *fabric.Node
		for n := range d.Fabric.Nodes() {
			switch name := n.Description(); {
			case strings.Contains(name, ";leaf01:"):
				leaf = n
			case strings.Contains(name, ";spine01:"):
				spine = n
			case strings.HasPrefix(name, "node0012"):
				last = n
			}
		}
		tt.inject(leaf, spine, last.Port(1).LID())
		var b bytes.Buffer
		if err := snapshot.Write(&b, d.Snapshot); err != nil {
			t.Fatal(err)
		}
		bad := write(t, "bad.json.gz", b.String())
		runLines(t, []line{
			{[]string{"trace", "node0001", "node0012", "--fabric", "file:" + bad}, 4, tt.trace, ""},
			{[]string{"trace", "node0001", "node0012", "--fabric", "sim:" + bad}, 4, tt.trace, ""},
			{[]string{"trace", "node0001", "node0012", "--live", "--fabric", "sim:" + bad}, 4, tt.live, ""},
			{[]string{"routes", "check", "--fabric", "file:" + bad}, 4, tt.routes, ""},
			{[]string{"diff", good, bad, "--routes", "-o", "text"}, 4, ": routes ", ""},
		})
	}
}

// TestTraceSeveralLIDs: a port with an LMC has a way to each of its LIDs.
func TestTraceSeveralLIDs(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.json.gz")
	runLines(t, []line{{[]string{"snapshot", "--fabric", smallTree, "-o", good, "--routes"}, 0, "", ""}})
	d, err := format.LoadDocument(good)
	if err != nil {
		t.Fatal(err)
	}
	var last *fabric.Port // that with the highest LID
	for n := range d.Fabric.CAs() {
		if p := n.Port(1); last == nil || p.LID() > last.LID() {
			last = p
		}
	}
	info, _ := last.Info()
	info.LMC = 1
	info.Encode(last.InfoBytes())
	b := fabric.NewBuilder() // sets tables of nodes that another one has built
	for sw := range d.Fabric.Switches() {
		table := sw.LFT()[:last.LID()+1]
		out := table[last.LID()]
		if last.Remote().Node() != sw {
			out = sw.LFT()[last.LID()-1]
		}
		b.SetLFT(sw, append(table, out))
	}
	var text bytes.Buffer
	if err := snapshot.Write(&text, d.Snapshot); err != nil {
		t.Fatal(err)
	}
	file := write(t, "lmc.json.gz", text.String())
	stdout, stderr, code := run(t, "ibscope", "trace", "node0001", last.Node().Description(), "--fabric", "file:"+file)
	if code != 0 || strings.Count(stdout, ": arrives at ") != 2 || !strings.HasPrefix(stdout, "To LID  Hop") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}
