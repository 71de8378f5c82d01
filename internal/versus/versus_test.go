package versus_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

var (
	program = flag.String("program", "", "measure the ibscope at `PATH` beside the C tools")
	output  = flag.String("table", "", "write the table to `FILE` too")
	rounds  = flag.Int("rounds", 5, "measure each program `N` times")
	onIbsim = flag.String("ibsim", "648,1230", "fabrics served by ibsim, by their `HOSTS`")
	onOurs  = flag.String("ours", "648,1230,4344,16384", "fabrics served by ours, by their `HOSTS`; with 65536 a sweep by C takes minutes")
	tasks   = flag.String("tasks", "startup,ibnetdiscover,iblinkinfo,ibqueryerrors,smpquery", "the `TASKS` to compare")
	windows = flag.String("windows", "8,32,128,256", "values of -o that C is tried with beside its default, `N,…`; empty for none")
)

// uris are fat trees by their hosts.
var uris = map[string]string{
	"648":   "sim:fattree?levels=2&radix=36&hosts=648&speed=edr",
	"1230":  "sim:fattree?levels=3&radix=36&hosts=1230&speed=edr",
	"4344":  "sim:fattree?levels=3&radix=36&hosts=4344&speed=edr",
	"11664": "sim:fattree?levels=3&radix=36&hosts=11664&speed=edr",
	"16384": "sim:fattree?levels=3&radix=64&hosts=16384&speed=edr",
	"65536": "sim:fattree?levels=3&radix=64&hosts=65536&speed=edr",
}

// memoryTargets are what a sweep may take of memory, as a share of C's; a Go program
// begins with 12 MB.
var memoryTargets = map[string]float64{"4344": 3, "65536": 2}

// TestVersusC is `make bench-vs-c`.
func TestVersusC(t *testing.T) {
	if *program == "" {
		t.Skip("runs with -program PATH, for minutes")
	}
	m := newMeter(t)
	links(t)
	w := &table{t: t}
	if w.wants("startup") {
		w.startup(m)
	}
	for name := range strings.SplitSeq(*onIbsim, ",") {
		if f, ok := uris[name]; ok {
			top := export(t, f)
			w.onSimulator(m, top.byIbsim(t), name+" hosts, ibsim")
		}
	}
	for name := range strings.SplitSeq(*onOurs, ",") {
		if f, ok := uris[name]; ok {
			top := export(t, f)
			w.onSimulator(m, top.byOurs(t), name+" hosts, sim serve")
		}
	}
	w.finish()
}

// links makes the program one that has the names of the tools, in the way that
// make install does: copied, because the kernel maps what a linker has written in
// smaller pieces.
func links(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(*program)
	if err != nil {
		t.Fatal(err)
	}
	*program = filepath.Join(t.TempDir(), "ibscope")
	if err := os.WriteFile(*program, text, 0o755); err != nil {
		t.Fatal(err)
	}
}

// table is what has been measured.
type table struct {
	t    *testing.T
	text strings.Builder
}

func (w *table) add(c *compared) {
	c.row(&w.text)
	var one strings.Builder
	c.row(&one)
	w.t.Log(strings.TrimSpace(one.String()))
}

func (w *table) finish() {
	text := tableHead + w.text.String()
	fmt.Print(text)
	if *output != "" {
		if err := os.WriteFile(*output, []byte(text), 0o644); err != nil {
			w.t.Error(err)
		}
	}
}

// wants reports whether a task is to be compared.
func (w *table) wants(task string) bool { return slices.Contains(strings.Split(*tasks, ","), task) }

// onSimulator compares what is done on a whole fabric.
func (w *table) onSimulator(m *meter, s *simulator, where string) {
	goal := target{wall: 0.5, cpu: 0.8}
	if w.wants("ibnetdiscover") {
		hosts, _, _ := strings.Cut(where, " ")
		w.sweep(m, s, where, target{wall: 0.5, best: 1, cpu: 0.8, memory: memoryTargets[hosts]}, "ibnetdiscover")
	}
	if w.wants("iblinkinfo") {
		w.pair(m, s, where, goal, "iblinkinfo")
	}
	if w.wants("ibqueryerrors") {
		w.pair(m, s, where, goal, "ibqueryerrors", "--skip-sl")
	}
	if w.wants("smpquery") {
		w.pair(m, s, where, target{wall: 1.5}, "smpquery", "nodeinfo", "-D", "0")
	}
}

// sweep compares with C's default and with all its windows.
func (w *table) sweep(m *meter, s *simulator, where string, goal target, tool string) {
	all := []contender{m.ours(s, tool), m.theirs(w.t, s, tool)}
	var names []string
	for n := range strings.SplitSeq(*windows, ",") {
		if n != "" {
			names = append(names, "-o "+n)
			all = append(all, m.theirs(w.t, s, tool, "-o", n))
		}
	}
	u := inTurn(w.t, *rounds, all)
	c := compared{task: tool, where: where, our: u[0], c: u[1], target: goal}
	for i, name := range names {
		if c.bestName == "" || median(u[2+i], usage.wall) < median(c.best, usage.wall) {
			c.best, c.bestName = u[2+i], name
		}
	}
	w.add(&c)
}

func (w *table) pair(m *meter, s *simulator, where string, goal target, argv ...string) {
	u := inTurn(w.t, *rounds, []contender{m.ours(s, argv...), m.theirs(w.t, s, argv[0], argv[1:]...)})
	w.add(&compared{task: strings.Join(argv, " "), where: where, our: u[0], c: u[1], target: goal})
}

// startup compares programs that do next to nothing. It takes many runs.
func (w *table) startup(m *meter) {
	const runs = 60
	plain := func(path string, argv ...string) contender {
		return contender{strings.Join(argv, " "), func(t testing.TB) usage { return m.measure(t, nil, path, argv...) }}
	}
	goal := target{wall: 1.5}
	u := inTurn(w.t, runs, []contender{plain(*program, "ibscope", "--version"), plain(testenv.Tool(w.t, "ibstat"), "ibstat", "-V")})
	w.add(&compared{task: "ibscope --version, ibstat -V", where: "–", our: u[0], c: u[1], target: goal})

	tree := testenv.NewSysfs(w.t, testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}}})
	for k := 1; k < 128; k++ { // as real adapters have
		tree.Write(tree.CAFile("mlx5_0", fmt.Sprintf("ports/1/pkeys/%d", k)), "0x0000")
	}
	on := func(path string) contender {
		return contender{"ibstat", func(t testing.TB) usage {
			args := m.args(path, "ibstat")
			if _, stderr, code := tree.Run(args[0], args[1:]...); code != 0 {
				t.Fatalf("ibstat: %d: %s", code, stderr)
			}
			return m.read(t)
		}}
	}
	u = inTurn(w.t, runs, []contender{on(*program), on(testenv.Tool(w.t, "ibstat"))})
	w.add(&compared{task: "ibstat", where: "one adapter", our: u[0], c: u[1], target: goal})
}
