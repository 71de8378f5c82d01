//go:build linux

package simexec

import (
	"os"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

const compareWithOpenSM = `
dir=$1
OSM_TMP_DIR=$dir opensm -f $dir/log >/dev/null 2>&1 &
sm=$!
for i in $(seq 600); do
	grep -q 'SUBNET UP' $dir/log && break
	sleep 0.1
done
$2 compare --fabric umad:
kill -INT $sm
wait $sm`

// TestCompareWithOpenSM reads the fabric from OpenSM's tables, which are long
// messages that ibscope joins itself: they tell what the nodes tell.
func TestCompareWithOpenSM(t *testing.T) {
	testenv.Need(t, "opensm")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := runOK(t, "sim:fattree?levels=2&radix=8&hosts=16&sm=off", "bash", "-c", compareWithOpenSM, "bash", t.TempDir(), self)
	if !strings.Contains(out, "no differences: 22 nodes") {
		t.Errorf("%s", out)
	}
}
