package oracle_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/testenv"
)

// rig is a running ibsim and what is on it, for the tools that send requests.
type rig struct {
	sim   *testenv.Ibsim
	names *strings.Replacer
}

// startBare starts ibsim on a topology as it is at power-on: no LIDs, no tables.
func startBare(t *testing.T, file string) *rig {
	t.Helper()
	r := &rig{sim: testenv.StartIbsim(t, testenv.Example(t, file))}
	r.learn(sweepAll(t, r.sim))
	return r
}

// startManaged has OpenSM bring the fabric up from the node that host names. It
// stays there until the test ends.
func startManaged(t *testing.T, file, host string, options ...string) *rig {
	t.Helper()
	testenv.Need(t, "opensm")
	r := &rig{sim: testenv.StartIbsim(t, testenv.Example(t, file))}
	dir := t.TempDir()
	sm := testenv.CommandC(t, r.sim, host, "opensm", append([]string{"-f", dir + "/log", "-s", "0"}, options...)...)
	sm.Env = append(sm.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := sm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sm.Process.Kill()
		_ = sm.Wait()
	})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if f := sweepAll(t, r.sim); isUp(f) {
			r.learn(f)
			return r
		}
	}
	t.Fatal("OpenSM did not bring the fabric up")
	return nil
}

func sweepAll(t *testing.T, sim *testenv.Ibsim) *fabric.Fabric {
	t.Helper()
	conn, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: sim.Name})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	f, err := discover.Run(t.Context(), conn, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// isUp reports whether all cabled ports are active and all switches have tables.
func isUp(f *fabric.Fabric) bool {
	for p := range f.Ports() {
		if p.Remote() != nil && p.State() != ib.PortActive {
			return false
		}
	}
	for sw := range f.Switches() {
		if info, ok := sw.SwitchInfo(); !ok || info.LinearFDBTop == 0 {
			return false
		}
	}
	return true
}

// learn makes the words that stand for addresses in command lines: {Hca1} is the
// LID of a node's first port, {Hca1:2} that of another, {guid Hca1:2} the GUID,
// {gid Hca1:2} the GID.
func (r *rig) learn(f *fabric.Fabric) {
	var words []string
	for p := range f.Ports() {
		first := 1
		if p.Node().Type() == ib.NodeSwitch {
			first = 0
		}
		name := fmt.Sprintf("%s:%d", p.Node().Description(), p.Num())
		gid := ib.GIDFrom(ib.DefaultSubnetPrefix, p.GUID()).String()
		words = append(words, "{"+name+"}", fmt.Sprint(int(p.LID())), "{guid "+name+"}", p.GUID().String(), "{gid "+name+"}", gid)
		if p.Num() == first {
			name = p.Node().Description()
			words = append(words, "{"+name+"}", fmt.Sprint(int(p.LID())), "{guid "+name+"}", p.GUID().String(), "{gid "+name+"}", gid)
		}
	}
	r.names = strings.NewReplacer(words...)
}

// like compares command lines with C, from a node: output, exit code, and what
// is on standard error but for the lines that only we print.
func (r *rig) like(t *testing.T, host string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		t.Run(host+" "+line, func(t *testing.T) {
			args := split(r.names.Replace(line))
			want, got := c(t, r.sim, host, args...), oursAt(t, "ibsim:"+r.sim.Name, host, args...)
			want.stdout = strings.ReplaceAll(want.stdout, "/usr/sbin/", "") // C prints the path it was called by
			want.stderr = strings.ReplaceAll(want.stderr, "/usr/sbin/", "")
			compare(t, want, got)
			w, g := told(zeros.ReplaceAllString(want.stderr, "")), told(withoutOwn(got.stderr, args[0]))
			if w != g {
				t.Errorf("stderr differs, first in %s", firstDifference(w, g))
			}
		})
	}
}

// zeros is the dump of nothing that ibroute prints when it got no NodeInfo.
var zeros = regexp.MustCompile(`(?m)^nodeinfo\n(?:(?:0000 ?){8}\n){4}`)

// ours runs one of our command lines only, where C is wrong.
func (r *rig) ours(t *testing.T, host, line string) result {
	t.Helper()
	return oursAt(t, "ibsim:"+r.sim.Name, host, split(r.names.Replace(line))...)
}

// split is strings.Fields with ” for an empty word.
func split(line string) []string {
	args := strings.Fields(line)
	for i := range args {
		if args[i] == "''" {
			args[i] = ""
		}
	}
	return args
}

// withoutOwn leaves out the lines with which our tools say why something failed.
func withoutOwn(stderr, tool string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, tool+": ") || strings.Contains(line, "option") {
			b.WriteString(line)
		}
	}
	return b.String()
}
