package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// smpqueryLines need no LIDs.
var smpqueryLines = []string{
	"smpquery", "smpquery NI", "smpquery nosuch 1", "smpquery -D '' 0", "smpquery -h",
	"smpquery -D NI 0", "smpquery -D nodeinfo 0,1", "smpquery -D NodeInfo 0,1,2", "smpquery NI -D 0",
	"smpquery -D NI 0,9", "smpquery NI 0", "smpquery NI 0xc000", "smpquery NI x",
	"smpquery -D ND 0", "smpquery -D nodedesc 0,1", "smpquery -D ND 0,9",
	"smpquery -D PI 0", "smpquery -D PI 0 1", "smpquery -D PI 0,1", "smpquery -D PI 0,1 0", "smpquery -D PI 0,1 1",
	"smpquery -D PI 0,1 3 4", "smpquery -D PI 0,1 0x3", "smpquery -D PI 0,1 99", "smpquery -D PI 0,1 -- -1",
	"smpquery -D PI 0,1 nonsense", "smpquery -x -D PI 0,1 1", "smpquery -K -D PI 0", "smpquery -K -x -D portinfo 0",
	"smpquery -e -D PI 0,1 99",
	"smpquery -D PIE 0", "smpquery -D PortInfoExtended 0,1 1", "smpquery -e -D PIE 0,1 99", "smpquery -D PIE 0,9",
	"smpquery -D SI 0,1", "smpquery -D SI 0", "smpquery -e -D switchinfo 0",
	"smpquery -D PKeys 0", "smpquery -D PKeys 0 1", "smpquery -D PKeyTable 0,1", "smpquery -D PKeys 0,1 1",
	"smpquery -D PKeys 0,1 8", "smpquery -D PKeys 0,1 9", "smpquery -D PKeys 0,1 99", "smpquery -D PKeys 0 99",
	"smpquery -D SL2VL 0", "smpquery -D SL2VL 0 1", "smpquery -D sl2vl 0,1", "smpquery -D SL2VLTable 0,1 2",
	"smpquery -D SL2VL 0,1 99", "smpquery -D SL2VL 0 99",
	"smpquery -D VLArb 0", "smpquery -D VLArb 0 1", "smpquery -D VLArbitration 0,1", "smpquery -D VLArb 0,1 1",
	"smpquery -e -D VLArb 0,1 99", "smpquery -D VLArb 0,9",
	"smpquery -D GI 0", "smpquery -D GUIDInfo 0,1", "smpquery -D GI 0,9",
	"smpquery -D MEPI 0", "smpquery -D MlnxExtPortInfo 0,1 1", "smpquery -e -D MEPI 0,1 99",
	"smpquery -y 5 -D NI 0", "smpquery -t 200 -D NI 0,9", "smpquery -L NI -D 0,1", "smpquery --node-name-map /nonexistent -D ND 0",
}

func TestSmpquery(t *testing.T) {
	testenv.Need(t, "ibsim", "smpquery", "umad2sim")
	for _, file := range []string{"net", "net.2sw2path4hca2port"} {
		r := startBare(t, file)
		r.like(t, "Hca1", smpqueryLines...)
		r.like(t, "Switch1", "smpquery -D NI 0", "smpquery -D PI 0 2", "smpquery -D PKeys 0 1", "smpquery -D NI 0,1", "smpquery -D VLArb 0")
	}
}

func TestSmpqueryManaged(t *testing.T) {
	testenv.Need(t, "ibsim", "smpquery", "umad2sim")
	r := startManaged(t, "net.2sw2path4hca2port", "Hca1")
	r.like(t, "Hca2",
		"smpquery NI {Hca1}", "smpquery ND {Switch1}", "smpquery PI {Hca2}", "smpquery -K PI {Hca2}", "smpquery PI {Switch2} 3",
		"smpquery SI {Switch1}", "smpquery GI {Hca1}", "smpquery PKeys {Switch1} 1", "smpquery VLArb {Switch2} 2",
		"smpquery SL2VL {Switch2} 2", "smpquery NI 300", "smpquery -e SI {Hca1}", "smpquery NI {Hca1}x",
		"smpquery -G NI {guid Hca1}", "smpquery -G PI {guid Switch2} 3", "smpquery -G ND {guid Hca2}",
		"smpquery -s {Hca1} -G NI {guid Hca2}", "smpquery -D PI 0",
	)
	// No such GUID: C adds what its SA query said.
	got := r.ours(t, "Hca2", "smpquery -G NI 0x123456")
	if got.code != 255 || !strings.Contains(got.stdout, "can't resolve destination port 0x123456") || !strings.Contains(got.stderr, "0x0000000000123456") {
		t.Errorf("unknown GUID: %+v", got)
	}
}

// TestSmpqueryOperandMissing: C prints "(null)" for the route that is missing, or
// what a LID alone leads to.
func TestSmpqueryOperandMissing(t *testing.T) {
	got := oursAt(t, "sim:star?hosts=2", "", "smpquery", "-c", "NI", "1")
	if got.code != 2 || !strings.Contains(got.stderr, "Usage: smpquery") {
		t.Errorf("%+v", got)
	}
}

// TestSmpqueryCombined: ibsim does not forward combined routes.
func TestSmpqueryCombined(t *testing.T) {
	for line, want := range map[string]string{
		"-c ND 1 0,1":      "Node Description:.................node0001 mlx5_0\n",
		"-G -c ND 1 0,2":   "Node Description:.................node0002 mlx5_0\n",
		"-c PI 1 0,1 1":    "# Port info: Lid 1 DR path slid 2; dlid 65535; 0,1 port 1\n",
		"-c NI 1x 0":       "# Node info: Lid 1\n",
		"-c NI 0 0,1":      "smpquery: iberror: failed: can't resolve destination port 0 0,1\n",
		"-c NI 1 nonsense": "smpquery: iberror: failed: can't resolve destination port 1 nonsense\n",
	} {
		got := oursAt(t, "sim:star?hosts=2", "", append([]string{"smpquery"}, split(line)...)...)
		if !strings.HasPrefix(got.stdout, want) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestSmpqueryCombinedWithoutLID: a combined route starts at a LID, for which
// the sender needs one of its own. C leaves out the LID then and prints what is at
// the end of the route from here, under the name of another device.
func TestSmpqueryCombinedWithoutLID(t *testing.T) {
	testenv.Need(t, "ibsim")
	r := startBare(t, "net")
	got := r.ours(t, "Hca1", "smpquery -t 100 -c NI 1 0,1")
	if got.code != 255 || !strings.Contains(got.stdout, "operation NI: node info query failed") {
		t.Errorf("%+v", got)
	}
}
