package ibsimnet

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/testenv"
)

// generated is the line of the header that is never the same.
var generated = regexp.MustCompile(`(?m)^# Topology file.*$`)

// unlinkedCA is the line of a CA or router port that no sweep would ask for: it
// asks only for the ports through which it comes.
var unlinkedCA = regexp.MustCompile(`(?m)^(CA|RT) +\d+ +\d+ \S+ \S+ \S+ +'.*\n`)

func withoutDate(text string) string { return generated.ReplaceAllString(text, "# Topology file") }

// compareC runs ibnetdiscover on ibsim on a file, and compares what it says
// with the fabric that Read makes of the file.
func compareC(t *testing.T, file string) {
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
	f := readFile(t, file)
	sim := testenv.StartIbsim(t, file)
	want, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover")
	if code != 0 {
		t.Fatalf("ibnetdiscover: exit code %d\n%s", code, stderr)
	}
	var got strings.Builder
	if err := ibnetdiscover.Write(&got, f, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(withoutDate(want), "\n"), strings.Split(withoutDate(got.String()), "\n")); diff != "" {
		t.Error("topology (-C, +here):", diff)
	}
	want, _, _ = testenv.RunC(t, sim, "", "ibnetdiscover", "-p")
	got.Reset()
	if err := ibnetdiscover.WritePorts(&got, f, nil); err != nil {
		t.Fatal(err)
	}
	ours := unlinkedCA.ReplaceAllString(got.String(), "")
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(ours, "\n")); diff != "" {
		t.Error("ports report (-C, +here):", diff)
	}

	compareCache(t, sim, f)
}

// compareCache compares all attributes with those that C stored of the nodes
// and ports that it asked.
func compareCache(t *testing.T, sim *testenv.Ibsim, f *fabric.Fabric) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cache")
	if _, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover", "--cache", file); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	stored, err := cache.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ports := 0
	for want := range stored.Nodes() {
		got, ok := f.NodeByGUID(want.GUID())
		if !ok {
			t.Errorf("no node %v", want.GUID())
			continue
		}
		if diff := cmp.Diff(want.Info(), got.Info()); diff != "" {
			t.Errorf("NodeInfo of %v (-C, +here): %s", want.GUID(), diff)
		}
		for p := range want.Ports() {
			a, okA := p.Info()
			q := got.Port(p.Num())
			if !okA || q == nil {
				continue
			}
			b, _ := q.Info()
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("PortInfo of %v port %d (-C, +here): %s", want.GUID(), p.Num(), diff)
			}
			ports++
		}
	}
	if ports < stored.NumNodes() {
		t.Errorf("only %d ports compared", ports)
	}
}

func readFile(t *testing.T, file string) *fabric.Fabric {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(bytes.NewReader(text), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range f.Problems() {
		if i < 10 {
			t.Log(p)
		}
	}
	return f
}

func TestExamplesAgainstC(t *testing.T) {
	for _, name := range []string{"net", "net.1", "net.2sw2path", "net.2sw2path4hca", "net.2sw2path4hca2port"} {
		t.Run(name, func(t *testing.T) { compareC(t, testenv.Example(t, name)) })
	}
}

func TestTestdataAgainstC(t *testing.T) {
	files, err := filepath.Glob("testdata/*.net")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { compareC(t, file) })
	}
}

// TestCorpusAgainstC compares real files, as far as ibsim can read them.
func TestCorpusAgainstC(t *testing.T) {
	corpus := testenv.Corpus(t)
	for _, name := range []string{
		"cyberang3l-k4n3.topo", "fabricmon-full-v.net", "ibsim-net.2sw2path", "ibsim-net.2sw2path4hca",
		"ibtopotool-2.topo", "loginoff-topo.txt", "ltaulell-x5.txt", "ufm-small.txt", "hk-topo4.txt",
	} {
		t.Run(name, func(t *testing.T) { compareC(t, filepath.Join(corpus, "topo", name)) })
	}
}
