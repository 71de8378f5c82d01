package oracle_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
)

// pongText is what ibping tells of one answer.
var pongText = regexp.MustCompile(`time (\d+\.\d{3}) ms\n`)

// TestIbpingFractions: C divides nanoseconds by 10,000 for microseconds, so that 40 ms
// and a bit become 4 ms.
func TestIbpingFractions(t *testing.T) {
	got := ours(t, "sim:star?hosts=2&latency=40ms&ping=all", "ibping", "-c", "1", "3")
	m := pongText.FindStringSubmatch(got.stdout)
	if m == nil {
		t.Fatalf("%+v", got)
	}
	if ms, err := strconv.ParseFloat(m[1], 64); err != nil || ms < 40 {
		t.Errorf("%s ms for an answer that takes 40", m[1])
	}
}

// TestIbtracertLastPort: C keeps the hops through a switch in a table that has no
// room for the last port of one with 16 ports.
func TestIbtracertLastPort(t *testing.T) {
	testenv.Need(t, "ibtracert", "umad2sim")
	const net = "Switch 16 \"sw\"\n[1] \"a\"[1]\n[16] \"b\"[1]\n\nHca 1 \"a\"\n[1] \"sw\"[1]\n\nHca 1 \"b\"\n[1] \"sw\"[16]\n"
	s := serve(t, "sim:"+writeFile(t, "ports.net", net)+"?sm=on&node=a")
	r := &rig{sim: s.Ibsim}
	r.learn(sweepAll(t, s.Ibsim))
	r.join(t, "a")
	r.join(t, "b")
	const line = "ibtracert -m 0xc000 {a} {b}"
	for range 50 {
		if strings.Contains(r.ours(t, "a", "ibroute -M {sw}").stdout, " x ") {
			break
		}
	}
	got := r.ours(t, "a", line)
	if got.code != 0 || !strings.Contains(got.stdout, "[16] -> ") {
		t.Errorf("ours: %+v", got)
	}
	place := &place{theirs: s.Ibsim, host: "a"}
	if want := place.runC(t, split(r.names.Replace(line))); want.code == 0 || strings.Contains(want.stdout, "[16] -> ") {
		t.Errorf("C has no longer its fault: %+v", want)
	}
}

// TestCheckLFTBalanceLargeSwitch: the script counts no LIDs behind ports from 37 on.
func TestCheckLFTBalanceLargeSwitch(t *testing.T) {
	const uri = "sim:fattree?levels=2&radix=80&hosts=80"
	dir := t.TempDir()
	dump, topology := filepath.Join(dir, "dump"), filepath.Join(dir, "cache")
	if err := os.WriteFile(dump, []byte(ours(t, uri, "dump_lfts").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ours(t, uri, "ibnetdiscover", "--cache", topology); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	got := ours(t, "", "check_lft_balance", "-v", "-l", dump, "-i", topology)
	if got.code != 0 || !strings.Contains(got.stdout, "Port 080: ") {
		t.Errorf("port 80 is missing: %+v", got)
	}
}

// TestPerfqueryLongOutput: C prints no more than 1,535 bytes of an attribute.
func TestPerfqueryLongOutput(t *testing.T) {
	testenv.Need(t, "perfquery", "umad2sim")
	s := serve(t, "sim:star?hosts=3&speed=fdr")
	s.Fabric.Watch(nil)
	at := sim.Place{Node: s.At, Port: 1}
	for _, name := range s.Agents.Counters.Names() {
		if strings.HasPrefix(name, "PortExtendedSpeedsCounters.") {
			if err := s.Agents.Counters.Set(at, name, 4_000_000_000); err != nil {
				t.Fatal(err)
			}
		}
	}
	theirs := c(t, s.Ibsim, "", "perfquery", "-T", "2", "1")
	mine := ours(t, "ibsim:"+s.Name, "perfquery", "-T", "2", "1")
	if !strings.HasPrefix(mine.stdout, theirs.stdout[:1000]) || len(theirs.stdout) >= len(mine.stdout) || !strings.HasSuffix(mine.stdout, "Lane11:..4000000000\n") ||
		strings.Contains(theirs.stdout, "Lane11:..4000000000\n") {
		t.Errorf("C, %d bytes:\n%s\nours, %d bytes:\n%s", len(theirs.stdout), theirs.stdout, len(mine.stdout), mine.stdout)
	}
}

// TestIbqueryerrorsBothPorts: C clears the counters of an adapter of two ports by
// the LID of that which it came to last.
func TestIbqueryerrorsBothPorts(t *testing.T) {
	const net = "Switch 8 \"sw\"\n[1] \"a\"[1]\n[2] \"b\"[1]\n[3] \"b\"[2]\n\nHca 1 \"a\"\n[1] \"sw\"[1]\n\nHca 2 \"b\"\n[1] \"sw\"[2]\n[2] \"sw\"[3]\n"
	s := serve(t, "sim:"+writeFile(t, "both.net", net)+"?sm=on&node=a")
	s.Fabric.Watch(nil)
	node, err := s.Node("b")
	if err != nil {
		t.Fatal(err)
	}
	for num := 1; num <= 2; num++ {
		if err := s.Agents.Counters.Set(sim.Place{Node: node, Port: num}, "PortCounters.SymbolErrorCounter", 9); err != nil {
			t.Fatal(err)
		}
	}
	if got := ours(t, "ibsim:"+s.Name, "ibqueryerrors", "--skip-sl", "-k"); strings.Count(got.stdout, "[SymbolErrorCounter == 9]") < 2 {
		t.Errorf("%+v", got)
	}
	for num := 1; num <= 2; num++ {
		if v, err := s.Agents.Counters.Get(sim.Place{Node: node, Port: num}, "PortCounters.SymbolErrorCounter"); err != nil || v != 0 {
			t.Errorf("port %d: %d, %v", num, v, err)
		}
	}
}
