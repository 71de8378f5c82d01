package oracle_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// lanesScript has OpenSM route a fabric by an engine with QoS, and checks the routes
// on one lane, on lanes, and on lanes with wrong SLtoVLMappingTables. It runs in
// "sim exec": OpenSM's tables of paths are long messages, which umad2sim cuts.
const lanesScript = `
dir=$1 engine=$2 self=$3
guid() { $self nodes -o csv | grep -w "$1" | grep -o '0x[0-9a-f]\{16\}' | head -1; }
printf 'torus 5 5 1\nxp_link %s %s\nyp_link %s %s\n' $(guid sw0-0) $(guid sw1-0) $(guid sw0-0) $(guid sw0-1) >$dir/torus
OSM_TMP_DIR=$dir OSM_CACHE_DIR=$dir opensm -R $engine --torus_config $dir/torus -Q -D 0x43 -d2 -f $dir/log -s 0 >/dev/null 2>&1 &
sm=$!
for i in $(seq 600); do
	grep -q 'SUBNET UP' $dir/log 2>/dev/null && break
	sleep 0.1
done
was=
while now=$(wc -c <$dir/log); [ "$now" != "$was" ]; do # it sweeps twice
	was=$now
	sleep 1.5
done
grep -q "$engine tables configured on all switches" $dir/log || cat $dir/log >&2
$self routes check -o json
$self routes check --lanes -o json
if [ $engine != minhop ]; then
	$self break-lanes
	$self routes check --lanes -o json
fi
kill -INT $sm
wait $sm
exit 0`

// routesReport is what the test looks at of a report.
type routesReport struct {
	Counts map[string]int
	Ways   []struct{ Hops, End string }
}

// TestOpenSMLanes lets OpenSM route tori by engines with and without lanes. All have
// credit loops on one lane; those of lash, dfsssp and torus-2QoS are gone on the lanes that their
// paths take, and wrong SLtoVLMappingTables make one, on their lane.
func TestOpenSMLanes(t *testing.T) {
	testenv.Need(t, "opensm", "fuse")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const plane, cube = "sim:torus?dims=4x4&hosts=1&sm=off", "sim:torus?dims=3x3x5&hosts=1&sm=off"
	for _, tt := range []struct {
		engine, uri string
		paths       int
	}{
		{"minhop", plane, 16 * 32},
		{"lash", plane, 16 * 32},
		{"torus-2QoS", "sim:torus?dims=5x5&hosts=1&sm=off", 25 * 50}, // its tables depend on both ports
		{"dfsssp", cube, 45 * 90},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(tt.uri, "sim:torus?dims="), "&")
		t.Run(tt.engine+" "+name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), self, "sim", "exec", tt.uri, "--", "bash", "-c", lanesScript, "bash", t.TempDir(), tt.engine, self)
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var reports []routesReport
			var broken brokenLanes
			for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
				var r struct {
					routesReport
					Broken *brokenLanes
				}
				if err := d.Decode(&r); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				if r.Broken != nil {
					broken = *r.Broken
					continue
				}
				reports = append(reports, r.routesReport)
			}
			checkLanes(t, tt.engine, tt.paths, reports, &broken)
		})
	}
}

func checkLanes(t *testing.T, engine string, paths int, reports []routesReport, broken *brokenLanes) {
	t.Helper()
	want := 3
	if engine == "minhop" {
		want = 2
	}
	if len(reports) != want {
		t.Fatalf("%d reports", len(reports))
	}
	one, lanes := reports[0].Counts, reports[1].Counts
	t.Logf("%v\n%v\n%+v", one, lanes, *broken)
	if one["credit_loops"] == 0 || lanes["credit_loops_on_one_lane"] != one["credit_loops"] || lanes["paths"] != paths {
		t.Errorf("on one lane %v, with lanes %v", one, lanes)
	}
	if engine == "minhop" {
		if lanes["credit_loops"] != one["credit_loops"] || lanes["service_levels"] != 1 {
			t.Errorf("one service level for all: %v", lanes)
		}
		return
	}
	if lanes["findings"] != 0 || lanes["service_levels"] < 2 {
		t.Errorf("with lanes %v", lanes)
	}
	checkBroken(t, engine, &reports[2], broken)
}

// checkBroken wants the loop that wrong tables make. dfsssp chooses service levels anew
// for each query, so that its loop may be one that is possible only, or another one by
// those tables.
func checkBroken(t *testing.T, engine string, r *routesReport, broken *brokenLanes) {
	t.Helper()
	loops := r.Counts["credit_loops"]
	if engine == "dfsssp" {
		loops += r.Counts["possible_credit_loops"]
	}
	if broken.Tables == 0 || loops == 0 || len(r.Ways) != loops {
		t.Fatalf("with %d wrong tables: %v", broken.Tables, r.Counts)
	}
	named := 0
	for _, channel := range broken.Channels {
		for _, way := range r.Ways {
			if strings.Contains(way.Hops, channel) {
				named++
				break
			}
		}
	}
	if named == 0 || engine == "lash" && (loops != 1 || named != broken.Tables) {
		t.Errorf("%d loops name %d of the wrong tables %v: %+v", loops, named, broken.Channels, r.Ways)
	}
}

// TestLanesWithoutRMPP: where tables of paths are cut, nothing is concluded from them;
// the report is that of one lane.
func TestLanesWithoutRMPP(t *testing.T) {
	testenv.Need(t, "opensm", "umad2sim")
	s := serve(t, "sim:torus?dims=4x4&hosts=1&sm=off")
	dir := t.TempDir()
	cmd := testenv.CommandC(t, s.Ibsim, "", "opensm", "-R", "lash", "-Q", "-D", "0x43", "-d2", "-f", filepath.Join(dir, "log"), "-s", "0")
	cmd.Env = append(cmd.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // the exit code of OpenSM tells nothing
	})
	for end := time.Now().Add(time.Minute); !strings.Contains(contents(t, filepath.Join(dir, "log")), "-> SUBNET UP") || s.notActive() != ""; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the subnet does not come up")
		}
	}
	r := oursAt(t, "ibsim:"+s.Name, "node0016 mlx5_0", "ibscope", "routes", "check", "--lanes")
	if r.code != 3 || !strings.Contains(r.stderr, "there is no RMPP on the way") || !strings.Contains(r.stdout, ", on one virtual lane\n") {
		t.Errorf("code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}
