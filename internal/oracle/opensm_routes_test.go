package oracle_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// TestOpenSMRoutes lets OpenSM route a clean fat tree by each of its usual engines:
// all ways arrive, and those of up/down and fat tree routing have no credit loop. On
// a torus the shortest ways have some, and up/down has none.
func TestOpenSMRoutes(t *testing.T) {
	const tree, torus = "sim:fattree?levels=2&radix=8&hosts=16&sm=off", "sim:torus?dims=4x4&hosts=1&sm=off"
	for _, tt := range []struct {
		engine, uri string
		loops       bool
	}{
		{"minhop", tree, false},
		{"updn", tree, false},
		{"ftree", tree, false},
		{"updn", torus, false},
		{"minhop", torus, true},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(tt.uri, "sim:"), "?")
		t.Run(tt.engine+" "+name, func(t *testing.T) {
			s := serve(t, tt.uri)
			s.routed(t, tt.engine, tt.uri == torus)
			x := route.Examine(s.Fabric.Model(), s.tables(t), nil)
			for _, trouble := range x.Troubles {
				t.Errorf("%s at %s: LIDs %d, %+v", trouble.End, trouble.At.Description(), trouble.LIDs, trouble.Way.Steps)
			}
			if (len(x.Loops) > 0) != tt.loops {
				t.Errorf("%d credit loops: %+v", len(x.Loops), x.Loops)
			}
			t.Logf("%d ways, %d LIDs, %d credit loops", x.Ways, x.LIDs, len(x.Loops))
		})
	}
}

// routed runs OpenSM with an engine until the subnet is up.
func (s *served) routed(t *testing.T, engine string, torus bool) {
	t.Helper()
	testenv.Need(t, "opensm", "umad2sim")
	dir := t.TempDir()
	// Up/down finds no root among switches that are all alike, and gives up.
	roots := filepath.Join(dir, "roots")
	for sw := range s.Fabric.Model().Switches() {
		if err := os.WriteFile(roots, []byte(sw.GUID().String()+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-R", engine}
	if engine == "updn" && torus {
		args = append(args, "-a", roots)
	}
	cmd := testenv.CommandC(t, s.Ibsim, "", "opensm", append(args, "-D", "0x43", "-d2", "-f", filepath.Join(dir, "log"), "-s", "0")...)
	cmd.Env = append(cmd.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for ; ; time.Sleep(100 * time.Millisecond) {
		log := contents(t, filepath.Join(dir, "log"))
		if strings.Contains(log, "-> SUBNET UP") && s.notActive() == "" {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("the subnet does not come up; %q is not active:\n%.5000s", s.notActive(), log)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code of OpenSM tells nothing
	if log := contents(t, filepath.Join(dir, "log")); !strings.Contains(log, engine+" tables configured on all switches") {
		t.Errorf("OpenSM does not say that it used %s:\n%.3000s", engine, log)
	}
}

// given is the tables that OpenSM has given to the switches. LIDs are those of the
// agents, not those of the model.
type given struct {
	route.LFTs
	lids map[ib.LID]ib.LID // of the model: that of the agent
}

// Next translates the LID.
func (g given) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if now, ok := g.lids[lid]; ok {
		return g.LFTs.Next(sw, now)
	}
	return route.NoPort
}

func (s *served) tables(t *testing.T) given {
	t.Helper()
	g := given{route.LFTs{}, map[ib.LID]ib.LID{}}
	for p := range s.Fabric.Model().Ports() {
		if (p.Num() == 0) == (p.Node().Type() == ib.NodeSwitch) {
			v := s.Fabric.PortInfo(sim.Place{Node: p.Node(), Port: p.Num()})
			g.lids[p.LID()] = v.LID
		}
	}
	for sw := range s.Fabric.Model().Switches() {
		at := sim.Place{Node: sw}
		var data [mad.DataSize]byte
		if status := s.Fabric.Direct(at, mad.MethodGet, smp.AttrSwitchInfo, 0, &data); status != mad.StatusOK {
			t.Fatalf("%s: %s", sw.Description(), status)
		}
		var info smp.SwitchInfo
		info.Decode(&data)
		table := []uint8{}
		for block := range uint32(info.LinearFDBTop)/64 + 1 {
			if status := s.Fabric.Direct(at, mad.MethodGet, smp.AttrLinearForwardingTable, block, &data); status != mad.StatusOK {
				t.Fatalf("%s: %s", sw.Description(), status)
			}
			table = append(table, data[:]...)
		}
		g.LFTs[sw] = table[:int(info.LinearFDBTop)+1]
	}
	return g
}
