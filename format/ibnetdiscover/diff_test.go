package ibnetdiscover_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/testenv"
)

// diffNet is a fabric in which every switch port is in use: the C tool dies
// when the LID of a switch with a free port has changed.
const diffNet = `
switchguid=0x200100
Switch	4 "sw1"		# "spine" base port 0 lid 1 lmc 0
[1]	"h1"[1]		# lid 0 4xEDR
[2]	"h2"[1]		# lid 0 4xEDR
[3]	"sw2"[1]		# lid 0 4xEDR
[4]	"sw2"[2]		# lid 0 4xEDR

switchguid=0x200200
Switch	4 "sw2"		# "leaf" base port 0 lid 2 lmc 0
[1]	"sw1"[3]		# lid 0 4xEDR
[2]	"sw1"[4]		# lid 0 4xEDR
[3]	"h3"[1]		# lid 0 4xEDR
[4]	"h4"[1]		# lid 0 4xEDR

caguid=0x100100
Ca	2 "h1"		# "host-1"
[1]	"sw1"[1]		# lid 11 lmc 0 "x" lid 0 4xEDR

caguid=0x100200
Ca	1 "h2"		# "host-2"
[1]	"sw1"[2]		# lid 12 lmc 0 "x" lid 0 4xEDR

caguid=0x100300
Ca	1 "h3"		# "host-3"
[1]	"sw2"[3]		# lid 13 lmc 0 "x" lid 0 4xEDR

rtguid=0x100400
Rt	1 "h4"		# "router-4"
[1]	"sw2"[4]

`

var diffChanges = []struct {
	name    string
	changes []string // pairs: what, by what
}{
	{"nothing", nil},
	{"description", []string{`"host-2"`, `"other"`, `"leaf"`, `"Leaf"`, `"router-4"`, `"r"`}},
	{"lid of a CA", []string{"lid 12 ", "lid 112 "}},
	{"lid of a switch", []string{"lid 2 lmc", "lid 102 lmc"}},
	{"another host", []string{"caguid=0x100300", "caguid=0x100900"}},
	{"another router", []string{"rtguid=0x100400", "rtguid=0x100a00"}},
	{"number of ports", []string{"Ca	1 \"h2\"", "Ca	3 \"h2\""}},
	{"hosts exchanged", []string{`"h2"[1]`, `"h3"[1]`, `"h3"[1]`, `"h2"[1]`, `"sw1"[2]`, `"sw2"[3]`, `"sw2"[3]`, `"sw1"[2]`}},
	{"link gone", []string{"[4]	\"sw2\"[2]		# lid 0 4xEDR\n", "", "[2]	\"sw1\"[4]		# lid 0 4xEDR\n", ""}},
	{"cables crossed", crossed},
}

// crossed exchanges the two cables between the switches.
var crossed = []string{
	"[3]	\"sw2\"[1]", "[3]	\"sw2\"[2]", "[4]	\"sw2\"[2]", "[4]	\"sw2\"[1]",
	"[1]	\"sw1\"[3]", "[1]	\"sw1\"[4]", "[2]	\"sw1\"[4]", "[2]	\"sw1\"[3]",
}

func scanNet(t *testing.T, net string) (*testenv.Ibsim, string) {
	t.Helper()
	dir := t.TempDir()
	topology, file := filepath.Join(dir, "fabric.net"), filepath.Join(dir, "fabric.cache")
	if err := os.WriteFile(topology, []byte(net), 0o644); err != nil {
		t.Fatal(err)
	}
	sim := testenv.StartIbsim(t, topology)
	if _, stderr, code := testenv.RunC(t, sim, "h1", "ibnetdiscover", "--cache", file); code != 0 {
		t.Fatalf("ibnetdiscover: exit %d: %s", code, stderr)
	}
	return sim, file
}

func readCache(t *testing.T, path string) *fabric.Fabric {
	t.Helper()
	f, err := cache.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func diffOf(t *testing.T, old, new *fabric.Fabric, o *ibnetdiscover.DiffOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := ibnetdiscover.Diff(&b, old, new, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDiffAgainstC(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
	sim, oldFile := scanNet(t, diffNet)
	old := readCache(t, oldFile)
	keys := []string{
		"", "sw,ca,router", "sw,ca,router,port", "sw,ca,router,lid", "sw,ca,router,nodedesc",
		"sw,ca,router,port,lid", "sw,CA,router,port,nodedesc", "sw,,ca,router,port,lid,nodedesc", "ca,port", "sw,nodedesc",
	}
	printed := 0
	for _, c := range diffChanges {
		t.Run(c.name, func(t *testing.T) {
			_, newFile := scanNet(t, strings.NewReplacer(c.changes...).Replace(diffNet))
			new := readCache(t, newFile)
			for _, key := range keys {
				args := []string{"--load-cache", newFile, "--diff", oldFile}
				o := &ibnetdiscover.DiffOptions{}
				if key != "" {
					args = append(args, "--diffcheck", key)
					var err error
					if o.Checks, err = ibnetdiscover.ParseChecks(key); err != nil {
						t.Fatal(err)
					}
				}
				want, stderr, code := testenv.RunC(t, sim, "h1", "ibnetdiscover", args...)
				if code != 0 {
					t.Fatalf("exit %d: %s", code, stderr)
				}
				got := diffOf(t, old, new, o)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("--diffcheck %s: -C +ours:\n%s", key, d)
				}
				printed += len(got)
			}
		})
	}
	if printed == 0 {
		t.Error("no difference was printed: the test compared nothing")
	}
}

func TestDiffMovedCables(t *testing.T) {
	old := readNet(t, diffNet)
	new := readNet(t, strings.NewReplacer(crossed...).Replace(diffNet))
	if got := diffOf(t, old, new, nil); got != "" {
		t.Errorf("as in C a moved cable is not seen, got\n%s", got)
	}
	got := diffOf(t, old, new, &ibnetdiscover.DiffOptions{MovedCables: true})
	for _, line := range []string{
		"\n< [3]\t\"S-0000000000200200\"[1]", "\n> [3]\t\"S-0000000000200200\"[2]",
		"\n< [1]\t\"S-0000000000200100\"[3]", "\n> [1]\t\"S-0000000000200100\"[4]",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

func TestParseChecks(t *testing.T) {
	if c, err := ibnetdiscover.ParseChecks("SW,lid"); err != nil || c != ibnetdiscover.CheckSwitches|ibnetdiscover.CheckLIDs {
		t.Errorf("got %v, %v", c, err)
	}
	_, err := ibnetdiscover.ParseChecks("sw,nodes")
	if e, ok := err.(*ibnetdiscover.KeyError); !ok || e.Key != "nodes" {
		t.Errorf("got %v, want a KeyError for nodes", err)
	}
}

func readNet(t *testing.T, net string) *fabric.Fabric {
	t.Helper()
	f, err := ibnetdiscover.Read(strings.NewReader(net), "diff.net")
	if err != nil {
		t.Fatal(err)
	}
	return f
}
