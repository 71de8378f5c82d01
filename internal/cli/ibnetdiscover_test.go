package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

var generated = regexp.MustCompile(`generated on .*`)

// TestOutputLikeC runs the C tools and ours on one ibsim.
func TestOutputLikeC(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	for _, file := range []string{"net.1", "net.2sw2path4hca", "net"} {
		sim := testenv.StartIbsim(t, testenv.Example(t, file))
		for _, line := range []string{
			"ibnetdiscover", "ibnetdiscover -f", "ibnetdiscover -g", "ibnetdiscover -l", "ibnetdiscover -H",
			"ibnetdiscover -S", "ibnetdiscover -R", "ibnetdiscover -lHS", "ibnetdiscover -p", "ibnetdiscover -lp",
			"ibnetdiscover --out=1 -fg", "ibnetdiscover -z /nonexistent --l", "ibhosts", "ibswitches", "ibrouters", "ibnodes",
			"ibhosts --timeout 500",
		} {
			t.Run(file+"/"+line, func(t *testing.T) {
				args := strings.Fields(line)
				wantOut, _, wantCode := testenv.RunC(t, sim, "", args[0], args[1:]...)
				w := &world{env: map[string]string{"IBSCOPE_FABRIC": "ibsim:" + sim.Name}}
				code := w.run(args...)
				if code != wantCode {
					t.Errorf("exit code %d, C has %d; stderr: %s", code, wantCode, &w.stderr)
				}
				want := generated.ReplaceAllString(wantOut, "generated on DATE")
				got := generated.ReplaceAllString(w.stdout.String(), "generated on DATE")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("stdout differs (-C +ours):\n%s", diff)
				}
			})
		}
	}
}

// TestShowLikeC compares the lines of -s. C tells arrivals in its own order, and we in
// that of the replies: so those are compared as a set. What follows them is in order.
func TestShowLikeC(t *testing.T) {
	testenv.Need(t, "ibsim", "ibnetdiscover", "umad2sim")
	sim := testenv.StartIbsim(t, testenv.Example(t, "net.1"))
	wantOut, _, _ := testenv.RunC(t, sim, "", "ibnetdiscover", "-s", "-l")
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "ibsim:", "IBSIM_SOCKNAME": sim.Name}}
	if code := w.run("ibnetdiscover", "-s", "-l"); code != 0 {
		t.Fatalf("exit code %d: %s", code, &w.stderr)
	}
	if diff := cmp.Diff(sortArrivals(wantOut), sortArrivals(w.stdout.String())); diff != "" {
		t.Errorf("stdout differs (-C +ours):\n%s", diff)
	}
}

// sortArrivals puts the lines of -s before a list into an order.
func sortArrivals(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	n := 0
	for n < len(lines) && strings.HasPrefix(lines[n], "DR path ") {
		n++
	}
	slices.Sort(lines[:n])
	return lines
}

func TestTopologyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=2"}}
	if code := w.run("ibnetdiscover", file); code != 0 || w.stdout.Len() != 0 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, &w.stdout, &w.stderr)
	}
	direct := &world{env: w.env}
	direct.run("ibnetdiscover")
	if got, err := os.ReadFile(file); err != nil || string(got) != direct.stdout.String() {
		t.Errorf("%v: the file holds\n%s\nstdout would be\n%s", err, got, &direct.stdout)
	}

	hosts, swept := &world{env: map[string]string{}}, &world{env: w.env}
	if code := hosts.run("ibhosts", file); code != 0 {
		t.Errorf("ibhosts FILE: exit code %d", code)
	}
	if swept.run("ibhosts"); hosts.stdout.String() != swept.stdout.String() || strings.Count(hosts.stdout.String(), "\n") != 2 {
		t.Errorf("ibhosts FILE prints %q, ibhosts %q", &hosts.stdout, &swept.stdout)
	}
}

func TestFailedSweepKeepsTopologyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "ibsim:nobody-listens-here"}}
	code := w.run("ibnetdiscover", file)
	if want := "ibnetdiscover: iberror: failed: discover failed\n\n"; code != 255 || w.stdout.String() != want {
		t.Errorf("exit code %d, stdout %q", code, &w.stdout)
	}
	if got, _ := os.ReadFile(file); string(got) != "before" {
		t.Errorf("the file holds %q", got)
	}
}

func TestCacheAndDiff(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=3"}}
	if code := w.run("ibnetdiscover", "--cache", cache); code != 0 {
		t.Fatalf("exit code %d: %s", code, &w.stderr)
	}
	loaded := &world{}
	if code := loaded.run("ibnetdiscover", "--load-cache", cache); code != 0 {
		t.Fatalf("exit code %d: %s", code, &loaded.stderr)
	}
	if diff := cmp.Diff(w.stdout.String(), loaded.stdout.String()); diff != "" {
		t.Errorf("the cache gives something else (-sweep +cache):\n%s", diff)
	}
	same := &world{}
	if code := same.run("ibnetdiscover", "--load-cache", cache, "--diff", cache); code != 0 || same.stdout.Len() != 0 {
		t.Errorf("diff with itself: %d, %q", code, &same.stdout)
	}
	other := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=2"}}
	if code := other.run("ibnetdiscover", "--diff", cache); code != 0 || !strings.Contains(other.stdout.String(), "< Ca") {
		t.Errorf("diff with a smaller fabric: %d, %q", code, &other.stdout)
	}
	broken := &world{env: w.env}
	want := "ibnetdiscover: iberror: failed: caching ibnetdiscover data failed\n\n"
	if code := broken.run("ibnetdiscover", "-S", "--cache", "/nonexistent/x"); code != 255 || !strings.HasSuffix(broken.stdout.String(), want) {
		t.Errorf("unwritable cache: %d, %q", code, &broken.stdout)
	}
}

func TestLossKeepsExitCode(t *testing.T) {
	w := &world{env: map[string]string{"IBSCOPE_FABRIC": "sim:fattree?levels=2&radix=16&loss=40%&seed=3"}}
	if code := w.run("ibnetdiscover", "-t", "2", "-l"); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(w.stderr.String(), "ibnetdiscover: no-reply: ") {
		t.Errorf("stderr names no problem: %q", &w.stderr)
	}
}

func TestConfigFile(t *testing.T) {
	config := filepath.Join(t.TempDir(), "ibdiag.conf")
	if err := os.WriteFile(config, []byte("# comment\nCA=mlx4_7\nPort=2\n\nm_key=0x10\ntimeout=7\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ line, want string }{
		{"ibnetdiscover -l", `fabric "umad:mlx4_7/2"`},
		{"ibnetdiscover -C x -l", `fabric "umad:x/2"`},
		{"ibhosts -P 3", `fabric "umad:mlx4_7/3"`},
	} {
		w := &world{config: config}
		if code := w.run(strings.Fields(test.line)...); code != 255 || !strings.Contains(w.stderr.String(), test.want) {
			t.Errorf("%s: exit code %d, stderr %q, want %s", test.line, code, &w.stderr, test.want)
		}
	}
	w := &world{config: "/nonexistent"}
	w.run("ibnetdiscover", "-C", "x", "-z", config, "-l")
	if !strings.Contains(w.stderr.String(), `fabric "umad:mlx4_7/2"`) {
		t.Errorf("-z does not replace -C that stands before it: %q", &w.stderr)
	}
}

func TestMKeyIsAskedFor(t *testing.T) {
	w := &world{password: "0x123", env: map[string]string{"IBSCOPE_FABRIC": "sim:star?hosts=2"}}
	if code := w.run("ibnetdiscover", "-y", "ask", "-l"); code != 0 {
		t.Errorf("exit code %d, %s", code, &w.stdout)
	}
	bad := &world{password: "secret"}
	if code := bad.run("ibnetdiscover", "-y", "ask"); code != 255 || bad.stdout.String() != "ibnetdiscover: iberror: failed: Bad M_Key\n" {
		t.Errorf("exit code %d, stdout %q", code, &bad.stdout)
	}
}
