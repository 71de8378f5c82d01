package oracle_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// examples are the topologies that come with ibsim.
var examples = []string{"net", "net.1", "net.2sw2path", "net.2sw2path4hca", "net.2sw2path4hca2port"}

// loadable are the real topologies that Debian's ibsim loads.
var loadable = []string{
	"topo/topograph-example.out", "topo/ufm-selene-storage.txt", "topo/ufm-small.txt",
	"topo/hk-topo1.txt", "topo/hk-topo2.txt", "topo/hk-topo3-hdr-dragonfly.txt", "topo/hk-topo4.txt",
	"topo/hk-topo5-superpod.txt", "topo/hk-topo8-null-lid.txt", "topo/loginoff-topo.txt", "topo/ltaulell-x5.txt",
	"topo/cyberang3l-k4n3.topo", "topo/fabricmon-full-v.net", "topo/ibsim-net", "topo/ibsim-net.2sw2path",
	"topo/ibsim-net.2sw2path4hca", "topo/ibtopotool-1.topo", "topo/ibtopotool-2.topo",
}

var options = [][]string{{}, {"-p"}, {"-l"}, {"-S"}, {"-H"}, {"-R"}, {"-g"}, {"-f"}, {"-m"}, {"-g", "-f"}}

func TestIbnetdiscoverOnExamples(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, name := range examples {
		t.Run(name, func(t *testing.T) { compareAll(t, testenv.Example(t, name)) })
	}
}

func TestIbnetdiscoverOnRealFabrics(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	corpus := testenv.Corpus(t)
	for _, name := range loadable {
		t.Run(filepath.Base(name), func(t *testing.T) { compareAll(t, filepath.Join(corpus, name)) })
	}
}

// compareAll runs ibnetdiscover of C and ours on one ibsim with every option.
func compareAll(t *testing.T, file string) {
	sim := testenv.StartIbsim(t, file)
	for _, o := range options {
		t.Run("option "+strings.Join(o, " "), func(t *testing.T) {
			args := append([]string{"ibnetdiscover"}, o...)
			compare(t, c(t, sim, "", args...), ours(t, "ibsim:"+sim.Name, args...))
		})
	}
	t.Run("show", func(t *testing.T) { compareShow(t, sim) })
	t.Run("cache", func(t *testing.T) { compareCaches(t, sim) })
}

// TestAttachedElsewhere starts from other nodes than the first one.
func TestAttachedElsewhere(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, file := range []string{"net", "net.2sw2path4hca2port"} {
		sim := testenv.StartIbsim(t, testenv.Example(t, file))
		for _, host := range []string{"Hca1", "Hca2", "Switch1", "Switch2"} {
			for _, o := range options {
				args := append([]string{"ibnetdiscover"}, o...)
				t.Run(file+" "+host+" "+strings.Join(o, " "), func(t *testing.T) {
					compare(t, c(t, sim, host, args...), oursAt(t, "ibsim:"+sim.Name, host, args...))
				})
			}
		}
	}
}

// madCount is the line that -m prints for the number of MADs: C sends more.
var madCount = regexp.MustCompile(`(?m)^# Total MADs used: (\d+)$`)

// smps is the number that -m told, 0 without -m.
func smps(out string) int {
	n := 0
	if m := madCount.FindStringSubmatch(out); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	return n
}

func compare(t *testing.T, want, got result) {
	t.Helper()
	if want.code != got.code {
		t.Errorf("exit code %d, C has %d\nstderr: %s", got.code, want.code, got.stderr)
	}
	w, g := undated(want.stdout), undated(got.stdout)
	if c, o := smps(w), smps(g); o > c {
		t.Errorf("%d SMPs, C sends %d", o, c)
	}
	w, g = madCount.ReplaceAllString(w, "# Total MADs used: N"), madCount.ReplaceAllString(g, "# Total MADs used: N")
	if w != g {
		t.Errorf("stdout differs, first in %s", firstDifference(w, g))
	}
}

// arrival is a line of -s. What was known of a node before differs: LIDs and
// descriptions come in another order.
var arrival = regexp.MustCompile(`(?m)^DR path slid \d+; dlid \d+; [\d,]+ -> (?:new|known) (?:Channel Adapter|Switch|Router) \{[0-9a-f]{16}\} portnum \d+ lid \d+-\d+ "[^"\n]*"$`)

// compareShow checks that -s prints lines of C's shape, one for each arrival,
// and that every node arrives as new exactly once, as in C.
func compareShow(t *testing.T, sim *testenv.Ibsim) {
	want := c(t, sim, "", "ibnetdiscover", "-s", "-l")
	got := ours(t, "ibsim:"+sim.Name, "ibnetdiscover", "-s", "-l")
	w, g := newArrivals(t, want.stdout), newArrivals(t, got.stdout)
	if !slices.Equal(w, g) {
		t.Errorf("nodes that arrive as new: C %d, ours %d", len(w), len(g))
	}
}

func newArrivals(t *testing.T, out string) []string {
	t.Helper()
	var guids []string
	seen := map[string]bool{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "DR path") {
			continue
		}
		if !arrival.MatchString(line) {
			t.Errorf("not the shape of an arrival: %q", line)
			continue
		}
		way, what, _ := strings.Cut(line, " -> ")
		if seen[way] {
			t.Errorf("%s arrives twice", way)
		}
		seen[way] = true
		if guid, ok := strings.CutPrefix(what[strings.Index(what, "{"):], "{"); ok && strings.HasPrefix(what, "new ") {
			guids = append(guids, guid[:16])
		}
	}
	slices.Sort(guids)
	return guids
}

// compareCaches writes a cache with each tool, loads it with the other, and
// compares what both print, and the files.
func compareCaches(t *testing.T, sim *testenv.Ibsim) {
	dir := t.TempDir()
	fromC, fromUs := filepath.Join(dir, "c"), filepath.Join(dir, "ours")
	if r := c(t, sim, "", "ibnetdiscover", "-l", "--cache", fromC); r.code != 0 {
		t.Fatalf("C did not write its cache: %s%s", r.stdout, r.stderr)
	}
	if r := ours(t, "ibsim:"+sim.Name, "ibnetdiscover", "-l", "--cache", fromUs); r.code != 0 {
		t.Fatalf("no cache: %s%s", r.stdout, r.stderr)
	}
	for _, o := range options {
		args := append([]string{"ibnetdiscover"}, o...)
		compare(t, c(t, sim, "", append(args, "--load-cache", fromC)...), ours(t, "", append(args, "--load-cache", fromC)...))
		compare(t, c(t, sim, "", append(args, "--load-cache", fromUs)...), ours(t, "", append(args, "--load-cache", fromUs)...))
	}
	a, b := readFile(t, dir, "c"), readFile(t, dir, "ours")
	if !bytes.Equal(a, b) {
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		t.Errorf("the cache files (%d and %d bytes) differ at byte %d", len(a), len(b), i)
	}
}
