package oracle_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/format/ibsimnet"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
)

// twins is one topology file simulated twice: by Debian's ibsim and by ours. C
// tools speak to both by the same preloaded library.
type twins struct {
	theirs, ours *testenv.Ibsim
	host         string // description of the node that the tools start at
}

// startTwins simulates a file twice. Ours is as stored: it has no subnet manager
// of its own. The tools start at the node that host names.
func startTwins(t *testing.T, file, host string) *twins {
	t.Helper()
	testenv.Need(t, "ibsim", "umad2sim", "opensm")
	return &twins{theirs: testenv.StartIbsim(t, file), ours: serve(t, "sim:"+file).Ibsim, host: host}
}

// manage has an OpenSM each bring both up, which stay until the test ends.
func (w *twins) manage(t *testing.T) {
	t.Helper()
	for _, s := range []*testenv.Ibsim{w.theirs, w.ours} {
		startOpenSM(t, s, w.host)
	}
}

// startOpenSM waits until OpenSM says that the subnet is up. To ask the fabric
// would move counters.
func startOpenSM(t *testing.T, s *testenv.Ibsim, host string) {
	t.Helper()
	dir := t.TempDir()
	log, config := filepath.Join(dir, "log"), filepath.Join(dir, "config")
	if err := os.WriteFile(config, []byte("force_log_flush TRUE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sm := testenv.CommandC(t, s, host, "opensm", "-F", config, "-f", log, "-s", "0")
	sm.Env = append(sm.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := sm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sm.Process.Kill()
		_ = sm.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(log) // not there at first
		switch {
		case bytes.Contains(text, []byte("SUBNET UP")):
			return
		case time.Now().After(deadline):
			t.Fatalf("OpenSM does not bring the fabric up:\n%s", text)
		}
	}
}

// exported writes the fabric of a sim: URI as a topology file.
func exported(t *testing.T, uri string) string {
	t.Helper()
	s, err := source.OpenSimulator(uri)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := ibsimnet.Write(&b, s.Fabric.Model()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fabric.net")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// alike runs command lines of C on both, and compares what they print.
func (w *twins) alike(t *testing.T, d *differences, lines ...string) {
	t.Helper()
	for _, line := range lines {
		args := strings.Fields(line)
		d.compare(t, line, c(t, w.theirs, w.host, args...), c(t, w.ours, w.host, args...))
	}
}

// alikeAt does that for some LIDs, which the lines have a %d for.
func (w *twins) alikeAt(t *testing.T, d *differences, lids []int, lines []string) {
	t.Helper()
	for _, lid := range lids {
		for _, line := range lines {
			w.alike(t, d, fmt.Sprintf(line, lid))
		}
	}
}
