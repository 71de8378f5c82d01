package oracle_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// A place is where the tools of a group of rows run.
type place struct {
	theirs, ours *testenv.Ibsim // nil for no fabric
	host         string         // the node to start at
	names        *strings.Replacer
}

// places start what the first words of the rows name.
var places = map[string]func(t *testing.T) *place{
	"none": func(*testing.T) *place { return &place{names: strings.NewReplacer()} },
	"bare": func(t *testing.T) *place {
		r := startBare(t, "net")
		return &place{r.sim, r.sim, "Hca1", r.names}
	},
	"ibsim": func(t *testing.T) *place {
		r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
		return &place{r.sim, r.sim, "Hca2", r.names}
	},
	"sim":  func(t *testing.T) *place { return twinsOf(t, "sim:star?hosts=4&traps=off", "") },
	"tree": func(t *testing.T) *place { return twinsOf(t, "sim:"+treeFile(t)+"?node=host1&sm=on", "host1") },
	"old": func(t *testing.T) *place {
		return twinsOf(t, "sim:"+writeFile(t, "old.topo", oldSwitches), "node1 HCA-1")
	},
}

// steps are the fabrics of which each tool has its own, so that rows may change
// them, and the same row show something else the second time.
var steps = map[string]bool{"sim": true, "tree": true, "old": true}

// twinsOf serves a fabric twice, for C and for ours, with counters that stand still.
func twinsOf(t *testing.T, uri, host string) *place {
	t.Helper()
	theirs, ours := serve(t, uri), serve(t, uri)
	r := &rig{sim: theirs.Ibsim}
	r.learn(sweepAll(t, theirs.Ibsim))
	theirs.still(t, 3)
	ours.still(t, 3)
	return &place{theirs.Ibsim, ours.Ibsim, host, r.names}
}

// worlds are the places that rows share, and the files that they name.
type worlds struct {
	t      *testing.T // its end is theirs
	data   string
	dir    string
	mu     sync.Mutex
	shared map[string]*place
}

func newWorlds(t *testing.T) *worlds {
	t.Helper()
	data, err := filepath.Abs(filepath.Join("testdata", "invocations"))
	if err != nil {
		t.Fatal(err)
	}
	w := &worlds{t: t, data: data, dir: t.TempDir(), shared: map[string]*place{}}
	bare := startBare(t, "net.2sw2path4hca2port")
	if r := c(t, bare.sim, "", "ibnetdiscover", "--cache", w.cache()); r.code != 0 {
		t.Fatal(r.stdout, r.stderr)
	}
	return w
}

func (w *worlds) cache() string { return filepath.Join(w.dir, "cache") }

// place starts a place, or gives the one that is there.
func (w *worlds) place(t *testing.T, name string) *place {
	t.Helper()
	if steps[name] {
		return places[name](t)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shared[name] == nil {
		w.shared[name] = places[name](w.t)
	}
	return w.shared[name]
}

// outcome is a result by streams: stdout, stderr, exit, and the file that the row
// calls {out}.
type outcome map[string]string

// runBoth runs a row with C, then with ours.
func (w *worlds) runBoth(t *testing.T, row *invocation, p *place) (theirs, ours outcome) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	words := strings.NewReplacer("{data}", w.data, "{cache}", w.cache(), "{out}", out)
	args := split(p.names.Replace(words.Replace(row.command)))
	theirs = taken(p.runC(t, args), out)
	uri := ""
	if p.ours != nil {
		uri = "ibsim:" + p.ours.Name
	}
	ours = taken(oursAt(t, uri, p.host, args...), out)
	for range 3 {
		// C gives up after a second without an answer, which happens on a busy machine.
		if theirs["exit"] == ours["exit"] || !strings.Contains(theirs["stdout"]+theirs["stderr"], "discover failed") {
			break
		}
		theirs = taken(p.runC(t, args), out)
	}
	return theirs, ours
}

// taken brings a result and a file together, and removes the file.
func taken(r result, file string) outcome {
	text, _ := os.ReadFile(file) // most rows write none
	_ = os.Remove(file)
	o := outcome{"stdout": r.stdout, "stderr": r.stderr, "exit": exitText(r.code), "file": string(text)}
	for _, rule := range normalising {
		for stream := range o {
			o[stream] = rule.pattern.ReplaceAllString(o[stream], rule.with)
		}
	}
	return o
}

// perlTools are run as scripts of perl, with a cache of their own.
var perlTools = map[string]bool{"check_lft_balance": true, "ibfindnodesusing": true, "ibidsverify": true}

// runC runs a C tool, which may die by a signal. One that hangs is killed.
func (p *place) runC(t *testing.T, args []string) result {
	t.Helper()
	tool, rest := args[0], args[1:]
	if perlTools[tool] {
		rest = append([]string{"-MIBswcountlimits", "-e", runScript, t.TempDir(), tool, testenv.Tool(t, tool)}, rest...)
		tool = "perl"
	}
	var cmd *exec.Cmd
	if p.theirs != nil {
		cmd = testenv.CommandC(t, p.theirs, p.host, tool, rest...)
	} else {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		t.Cleanup(cancel)
		cmd = exec.CommandContext(ctx, testenv.Tool(t, tool), rest...)
		cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}
