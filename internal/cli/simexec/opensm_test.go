//go:build linux

package simexec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// untilUp runs OpenSM until it says that the subnet is up, at most a minute, and
// shows its log.
const untilUp = `
dir=$1
OSM_TMP_DIR=$dir opensm -f $dir/log >/dev/null 2>&1 &
sm=$!
for i in $(seq 600); do
	grep -q 'SUBNET UP' $dir/log && break
	sleep 0.1
done
iblinkinfo
saquery -t 5000 NR
kill -INT $sm
wait $sm
cat $dir/log
rm $dir/log`

// TestOpenSM runs OpenSM, as it is, on fabrics that nobody has configured. It
// finds no fault, and knows nothing of the fabric before: their GUIDs are the
// same, and their links others.
func TestOpenSM(t *testing.T) {
	testenv.Need(t, "opensm", "iblinkinfo", "saquery")
	dir := t.TempDir()
	for uri, nodes := range map[string]int{
		"sim:fattree?levels=2&radix=8&hosts=16&sm=off": 22,
		"sim:star?hosts=8&sm=off":                      9,
		"sim:fattree?levels=3&radix=6&sm=off":          99,
	} {
		out := runOK(t, uri, "bash", "-c", untilUp, "bash", dir)
		if !strings.Contains(out, "-> SUBNET UP") {
			t.Fatalf("%s: the subnet does not come up:\n%s", uri, out)
		}
		// OpenSM's tables are long messages, which the device takes apart and joins.
		if n := strings.Count(out, "NodeRecord dump:"); n != nodes {
			t.Errorf("%s: OpenSM tells of %d nodes, want %d", uri, n, nodes)
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, "ERR ") {
				t.Errorf("%s: OpenSM says %s", uri, line)
			}
			if strings.Contains(line, "Initialize") || strings.Contains(line, "Armed") {
				t.Errorf("%s: a link is not active: %s", uri, line)
			}
		}
	}
}

// TestOpenSMForgets: what OpenSM remembers of a simulated fabric does not reach
// the machine outside.
func TestOpenSMForgets(t *testing.T) {
	dir := memories[0]
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		testenv.Lack(t, "opensm", dir+" is not there")
	}
	file := filepath.Join(dir, "ibscope-test")
	out := runOK(t, "sim:star", "sh", "-c", "ls -A "+dir+"; echo new >"+file+"; cat "+file)
	if out != "new\n" {
		t.Errorf("the directory has, and takes: %q", out)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("%s remains: %v", file, err)
	}
}
