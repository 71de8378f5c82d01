package view_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/view"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim/gen"
)

// scripts is where the scripts for the browser are.
const scripts = "../../web/browser"

// start runs the command until the test ends, and gives the address that it prints.
func start(t *testing.T, args ...string) (url string) {
	t.Helper()
	out, in := io.Pipe()
	var complaints bytes.Buffer
	e := &env.Env{
		Sources: source.Others, Args: []string{"ibscope"}, Stdout: in, Stderr: &complaints, Now: time.Now, Version: "test",
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
	}
	c := view.Command(e)
	c.SetArgs(args)
	begin(t, c, in)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("view printed no address: %v", err)
	}
	return strings.TrimSpace(line)
}

// begin runs a command until the test ends, and closes what it writes to when it ends.
func begin(t *testing.T, c *cobra.Command, in *io.PipeWriter) {
	t.Helper()
	c.SilenceErrors, c.SilenceUsage = true, true
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		err := c.ExecuteContext(ctx)
		in.CloseWithError(errors.Join(err, io.EOF))
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s ended with %v", c.Name(), err)
		}
	})
}

// script runs a script with the browser, and gives what it prints.
func script(t *testing.T, socket, name string, args ...string) string {
	t.Helper()
	node, chromium := testenv.Tool(t, "node"), testenv.Tool(t, "chromium")
	if out, err := exec.Command(node, "-p", "+process.versions.node.split('.')[0] >= 20").Output(); err != nil || strings.TrimSpace(string(out)) != "true" {
		testenv.Lack(t, "node", "node is older than version 20, which playwright-core wants")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute) // a hang is a failure
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join(scripts, name)}, args...)...)
	cmd.Env = append(os.Environ(), "IBSCOPE_BROWSER_MODULES="+modules(t), "IBSCOPE_CHROMIUM="+chromium, "IBSCOPE_CONTROL="+socket)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// modules is a folder that has the npm packages of the scripts; it is made when it is
// not there, outside the tree.
func modules(t *testing.T) string {
	t.Helper()
	npm := testenv.Tool(t, "npm")
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	lock, err := os.ReadFile(filepath.Join(scripts, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(cache, "ibscope-tools", "browser-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "playwright-core")); err == nil {
		return dir
	}
	fresh := dir + fmt.Sprintf(".%d", os.Getpid())
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		data, err := os.ReadFile(filepath.Join(scripts, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(fresh, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(npm, "ci", "--ignore-scripts")
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		testenv.Lack(t, "npm", fmt.Sprintf("npm ci: %v: %s", err, out))
	}
	if err := os.Rename(fresh, dir); err != nil {
		os.RemoveAll(fresh) // somebody else was faster
	}
	return dir
}

// scenario writes a file for --scenario.
func scenario(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scenario.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// socket is a path for a control socket, short enough to be one.
func socket(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "view") //nolint:usetesting // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "control")
}

// The page is used: search, select, both ends, lists, path; then things happen, and it
// follows; then it compares.
func TestUse(t *testing.T) {
	testenv.Need(t, "node", "npm", "chromium")
	control := socket(t)
	file := scenario(t, "name: Use\ntopology: sim:fattree?levels=2&radix=8&hosts=16\nseed: 3\ntraffic:\n  - {load: 30%, spread: 0.5}\n")
	url := start(t, "--scenario", file, "--control", control, "--refresh", "500ms", "--interval", "500ms")
	script(t, control, "use.mjs", url)
}

// hostile are names that would like to be markup, commands or other names.
var hostile = []string{
	`<script>window.owned=1;document.title='owned'</script> script`,
	`'"><svg/onload=window.owned=1> quote`,
	"bidi \u202egnorw\u2066\u200b",
	"ansi \x1b[31mred\x1b[0m\x07\x9b31m",
	"long " + strings.Repeat("W", 59),
	`<img src=x onerror=window.owned=1> img`,
}

// They are text on the page.
func TestHostileNames(t *testing.T) {
	testenv.Need(t, "node", "npm", "chromium")
	script(t, "", "hostile.mjs", start(t, stored(t, "fattree?levels=2&radix=8&hosts=16", hostile)))
}

// stored is a file with a fabric whose first adapters have other names.
func stored(t *testing.T, text string, names []string) string {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "stored.snapshot")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(snapshot.Write(out, &snapshot.Snapshot{Taken: time.Now(), Fabric: renamed(f, names)}), out.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// renamed is a fabric whose first adapters have other names.
func renamed(f *fabric.Fabric, names []string) *fabric.Fabric {
	b := fabric.NewBuilder()
	of := map[*fabric.Node]*fabric.Node{}
	for n := range f.Nodes() {
		info, desc := n.RawInfo(), n.RawDescription()
		if n.Type() == ib.NodeCA && len(names) > 0 {
			desc = [mad.DataSize]byte{}
			copy(desc[:], names[0])
			names = names[1:]
		}
		of[n] = b.AddNode(&info)
		b.SetDescription(of[n], &desc)
		for p := range n.Ports() {
			if data, ok := p.RawInfo(); ok {
				b.SetPortInfo(b.Port(of[n], p.Num()), &data)
			}
		}
	}
	for l := range f.Links() {
		b.Link(b.Port(of[l.A.Node()], l.A.Num()), b.Port(of[l.B.Node()], l.B.Num()))
	}
	return b.Build()
}

// Where there is no WebGL the map is drawn all the same.
func TestWithoutWebGL(t *testing.T) {
	testenv.Need(t, "node", "npm", "chromium")
	t.Setenv("IBSCOPE_BROWSER", "plain")
	script(t, "", "plain.mjs", start(t, stored(t, "fattree?levels=2&radix=8&hosts=16", nil)))
}

// Large fabrics are there soon. The bounds are five times what they are meant to be: the
// machine may be busy.
func TestTimes(t *testing.T) {
	testenv.Need(t, "node", "npm", "chromium")
	if testing.Short() {
		t.Skip("takes a while")
	}
	for _, tt := range []struct {
		fabric string
		ready  time.Duration
	}{
		{"fattree?levels=3&radix=18&hosts=1100", 2 * time.Second}, // 1,500 nodes
		{"fattree?levels=3&radix=36&hosts=10000", 5 * time.Second},
	} {
		url := start(t, stored(t, tt.fabric, nil))
		var found struct{ Ready, Page, Search, List, Filter, Sort, View, Frame int64 }
		out := script(t, "", "time.mjs", url)
		if err := json.Unmarshal([]byte(strings.TrimSpace(out)), &found); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%s: milliseconds %+v", tt.fabric, found)
		if ready := time.Duration(found.Ready) * time.Millisecond; ready > 5*tt.ready {
			t.Errorf("%s: ready after %v", tt.fabric, ready)
		}
	}
}

// Parts of the page that need no browser.
func TestUnits(t *testing.T) {
	node := testenv.Tool(t, "node")
	if out, err := exec.Command(node, filepath.Join(scripts, "units.mjs")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
