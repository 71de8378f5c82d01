package oracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestStoredFiles lets OpenSM, ibnetdiscover and iblinkinfo write what they know of
// one simulated fabric, reads the files alone and all of them together, and compares
// with a sweep. Ibdiagnet is in the tests of sim exec, for it does not run with
// libumad2sim.
func TestStoredFiles(t *testing.T) {
	testenv.Need(t, "opensm", "iblinkinfo", "ibnetdiscover", "perfquery", "ibqueryerrors", "umad2sim")
	s := serve(t, "sim:fattree?levels=2&radix=6&sm=off")
	dir := t.TempDir()
	runOpenSM(t, s, dir)
	f := sweepAll(t, s.Ibsim)
	want := ofFabric(f, true)
	for name, args := range map[string][]string{
		"net.topo": {"ibnetdiscover"}, "ports": {"ibnetdiscover", "-p"}, "links": {"iblinkinfo"}, "links-l": {"iblinkinfo", "-l"},
		"counters": {"perfquery", "-x", "-l", "1", "1"}, "data": {"ibqueryerrors", "--skip-sl", "--counters"},
	} {
		out := c(t, s.Ibsim, "", args...)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(out.stdout), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"net.topo", "links", "opensm-subnet.lst"} {
		got, err := format.Load(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, ofFabric(got, true)); diff != "" {
			t.Errorf("%s: -sweep +file\n%s", name, diff)
		}
		wantNoProblems(t, name, got)
	}
	readTogether(t, dir, f)
}

// runOpenSM lets OpenSM configure the fabric and write its dumps into a directory.
func runOpenSM(t *testing.T, s *served, dir string) {
	t.Helper()
	cmd := testenv.CommandC(t, s.Ibsim, "", "opensm", "-D", "0x43", "-d2", "-f", filepath.Join(dir, "log"), "-s", "0")
	cmd.Env = append(cmd.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if strings.Contains(contents(t, filepath.Join(dir, "log")), "-> SUBNET UP") && s.notActive() == "" {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code of OpenSM tells nothing
	if port := s.notActive(); port != "" {
		t.Fatalf("%s is not active", port)
	}
}

// readTogether reads the whole directory, with OpenSM's log and other files that
// are none of the known formats.
func readTogether(t *testing.T, dir string, f *fabric.Fabric) {
	t.Helper()
	all, err := format.Merge(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ofFabric(f, true), ofFabric(all.Fabric, true)); diff != "" {
		t.Errorf("together: -sweep +files\n%s", diff)
	}
	wantNoProblems(t, "together", all.Fabric)
	for n := range all.Fabric.Switches() {
		if n.LFT() == nil {
			t.Errorf("%s has no forwarding table", n.Description())
		}
	}
	joined, problems := counterdump.Join(all.Fabric, all.Counters)
	ends := 0
	for p := range f.Ports() {
		if p.Remote() != nil {
			ends++
		}
	}
	// All ports of ibqueryerrors, the sums over all ports of the switches that have
	// them, and one port of perfquery.
	sums := 0
	for _, j := range joined {
		if j.Of == nil {
			sums++
		}
	}
	if len(joined)-sums < ends+1 || len(problems) > 0 || joined[0].Of.LID() != 1 {
		t.Errorf("counters: %d of %d ports, %d sums, %v", len(joined)-sums, ends, sums, problems)
	}
	kinds := map[format.Kind]int{}
	for _, file := range all.Files {
		kinds[file.Kind]++
	}
	for kind, n := range map[format.Kind]int{format.LIDs: 1, format.Tables: 2, format.LinkList: 1, format.Links: 2, format.Topology: 1, format.Ports: 1, format.Counters: 2} {
		if kinds[kind] != n {
			t.Errorf("%d files of kind %s, want %d", kinds[kind], kind, n)
		}
	}
}

// ofFabric is what stored files tell of a fabric: nodes, links, LIDs, and what the
// links run at.
func ofFabric(f *fabric.Fabric, rates bool) []string {
	var list []string
	for n := range f.Nodes() {
		list = append(list, fmt.Sprintf("%s %s %d ports %q", n.GUID(), n.Type(), n.NumPorts(), n.Description()))
		for p := range n.Ports() {
			if p.Remote() == nil && (p.Num() != 0 || n.Type() != ib.NodeSwitch) {
				continue
			}
			text := fmt.Sprintf("%s port %d LID %d %s", n.GUID(), p.Num(), p.LID(), p.GUID())
			if r := p.Remote(); r != nil {
				text += fmt.Sprintf(" to %s port %d", r.Node().GUID(), r.Num())
				if rates {
					text += fmt.Sprintf(" %s %s", p.Active(), p.State())
				}
			}
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

func wantNoProblems(t *testing.T, name string, f *fabric.Fabric) {
	t.Helper()
	for _, p := range f.Problems() {
		t.Errorf("%s: %v", name, p)
	}
}
