package oracle_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// TestOpenSMServed lets OpenSM configure a fat tree that nobody has configured:
// about 1,000 nodes, and where CI is true more than 4,000.
func TestOpenSMServed(t *testing.T) {
	t.Run("1068 nodes", func(t *testing.T) {
		configured(t, "sim:fattree?levels=3&radix=16&hosts=800&sm=off")
	})
	t.Run("4320 nodes", func(t *testing.T) {
		if os.Getenv("CI") != "true" {
			t.Skip("it takes half a minute; CI=true runs it")
		}
		configured(t, "sim:fattree?levels=3&radix=28&hosts=3600&sm=off")
	})
}

// configured runs OpenSM until the subnet is up, and compares what it thinks of
// the fabric with what the agents there hold.
func configured(t *testing.T, uri string) {
	t.Helper()
	testenv.Need(t, "opensm", "umad2sim")
	s := serve(t, uri)
	dir := t.TempDir()
	// 0x40 writes the tables to files, -d2 each line of the log at once.
	cmd := testenv.CommandC(t, s.Ibsim, "", "opensm", "-D", "0x43", "-d2", "-f", filepath.Join(dir, "log"), "-s", "0")
	cmd.Env = append(cmd.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	for end := begin.Add(100 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		log := contents(t, filepath.Join(dir, "log"))
		if strings.Contains(log, "-> SUBNET UP") && s.notActive() == "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the subnet does not come up; %q is not active:\n%.5000s", s.notActive(), log)
		}
	}
	t.Logf("up after %.1f s", time.Since(begin).Seconds())
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code of OpenSM tells nothing
	log := contents(t, filepath.Join(dir, "log"))
	for line := range strings.Lines(log) {
		if strings.Contains(line, "ERR ") {
			t.Errorf("OpenSM says %s", line)
		}
	}
	if port := s.notActive(); port != "" {
		t.Errorf("%s is not active", port)
	}
	s.compareLIDs(t, filepath.Join(dir, "guid2lid"))
	s.compareTables(t, filepath.Join(dir, "opensm-lfts.dump"))
}

// contents is the text of a file, "" as long as there is none.
func contents(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// notActive names a port with a cable that is not Active; "" if all are.
func (s *served) notActive() string {
	for p := range s.Fabric.Model().Ports() {
		if p.Remote() == nil {
			continue
		}
		if v := s.Fabric.PortInfo(sim.Place{Node: p.Node(), Port: p.Num()}); v.State != ib.PortActive {
			return fmt.Sprintf("%s port %d", p.Node().Description(), p.Num())
		}
	}
	return ""
}

// compareLIDs wants the LIDs of OpenSM's file at the ports.
func (s *served) compareLIDs(t *testing.T, file string) {
	t.Helper()
	want := map[string]string{}
	for line := range strings.Lines(contents(t, file)) {
		if f := strings.Fields(line); len(f) == 3 {
			want[f[0]] = f[1]
		}
	}
	for p := range s.Fabric.Model().Ports() {
		if (p.Num() == 0) != (p.Node().Type() == ib.NodeSwitch) {
			continue
		}
		v := s.Fabric.PortInfo(sim.Place{Node: p.Node(), Port: p.Num()})
		if got := fmt.Sprintf("0x%04x", int(v.LID)); got != want[p.GUID().String()] {
			t.Errorf("%s has LID %s, for OpenSM %q", p.Node().Description(), got, want[p.GUID().String()])
		}
	}
}

// compareTables wants the forwarding tables of OpenSM's dump in the switches.
func (s *served) compareTables(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	switches, entries, wrong := 0, 0, 0
	var at sim.Place
	var block [mad.DataSize]byte
	loaded := -1
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var lid, out int
		if _, rest, ok := strings.Cut(lines.Text(), " guid "); ok {
			guid, _, _ := strings.Cut(rest, " ")
			if at.Node, err = s.Node(guid); err != nil {
				t.Fatal(err)
			}
			switches, loaded = switches+1, -1
			continue
		}
		if n, _ := fmt.Sscanf(lines.Text(), "0x%x %d ", &lid, &out); n != 2 {
			continue
		}
		if lid/64 != loaded {
			loaded = lid / 64
			if status := s.Fabric.Direct(at, mad.MethodGet, smp.AttrLinearForwardingTable, uint32(loaded), &block); status != mad.StatusOK {
				t.Fatalf("%s: %s", at.Node.Description(), status)
			}
		}
		entries++
		if int(block[lid%64]) != out {
			wrong++
			if wrong < 5 {
				t.Errorf("%s sends LID %d to port %d, for OpenSM to %d", at.Node.Description(), lid, block[lid%64], out)
			}
		}
	}
	nodes, all := 0, 0
	for n := range s.Fabric.Model().Nodes() {
		nodes++
		if n.Type() == ib.NodeSwitch {
			all++
		}
	}
	if switches != all || entries != all*nodes || wrong > 0 {
		t.Errorf("%d entries of %d switches, %d wrong; expected %d of %d", entries, switches, wrong, all*nodes, all)
	}
}
