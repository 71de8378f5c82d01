//go:build linux

package simexec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// askAll counts what saquery prints of each type of record, whose name stands
// behind the query's. Tables for which there is nothing yet are empty.
const askAll = `ask() { name=$1; shift; echo "$name $(saquery -t 20000 "$@" | grep -c "$name dump:")"; }
ask NodeRecord NR; ask PortInfoRecord PIR; ask SwitchInfoRecord SWIR; ask LinkRecord LR; ask "GUIDInfo Record" GIR; ask "LFT Record" LFTR
ask SL2VLTableRecord SL2VL; ask VLArbTableRecord VLAR; ask PKeyTableRecord --smkey 1 PKTR; ask PathRecord -p --slid 5; ask SMInfoRecord SMIR
ask "MCMember Record" MCMR
for empty in IIR SR "--smkey 1 SR"; do saquery $empty || echo "$empty fails"; done
saquery MFTR >/dev/null || echo "MFTR fails"
saquery CPI | grep -c "^SA ClassPortInfo:"`

// TestEveryRecord asks for whole tables, some of them of hundreds of thousands of
// records, with the program of the C project.
func TestEveryRecord(t *testing.T) {
	testenv.Need(t, "saquery")
	const topology = "fattree?levels=3&radix=24&hosts=2500"
	f, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	var nodes, ports, switches, links, guids, mappings, pkeys int
	for n := range f.Nodes() {
		nodes++
		if n.Type() == ib.NodeSwitch {
			switches++
			ports += n.NumPorts() + 1
			mappings += (n.NumPorts() + 1) * (n.NumPorts() + 1) // from each port to each
			pkeys += n.NumPorts() + 1                           // a block of 32 each
			guids++
			continue
		}
		ports += n.NumPorts()
		mappings++
		pkeys += 4 // 128
		info, _ := n.Port(1).Info()
		guids += (int(info.GUIDCap) + 7) / 8
	}
	for range f.Links() {
		links += 2 // from each end
	}
	want := fmt.Sprintf(`NodeRecord %d
PortInfoRecord %d
SwitchInfoRecord %d
LinkRecord %d
GUIDInfo Record %d
LFT Record %d
SL2VLTableRecord %d
VLArbTableRecord %d
PKeyTableRecord %d
PathRecord %d
SMInfoRecord 1
MCMember Record 1
1
`, nodes, ports, switches, links, guids, switches*(nodes/64+1), mappings, 4*ports, pkeys, nodes)
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(runOK(t, "sim:"+topology, "sh", "-c", askAll), "\n")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if ports < 5000 || links < 5000 {
		t.Errorf("%d ports, %d ends of links: the tables are not large", ports, links)
	}
}

// TestServers: the servers of ibping and ibsysstat on one machine answer their
// clients on another, whose kernels are simulated.
func TestServers(t *testing.T) {
	testenv.Need(t, "ibping", "ibsysstat")
	r := run(t, simExec(t, "--hca", "node0001 mlx5_0", "--hca", "node0002 mlx5_0", star, "--", "sh", "-c", `
serve() { "$@" >/dev/null 2>&1 & server=$!; }
stop() { kill $server; wait $server 2>/dev/null; }
serve ibsysstat -S -C mlx5_1
for try in $(seq 100); do ibsysstat -C mlx5_0 -t 100 3 2>/dev/null && break; done
ibsysstat -C mlx5_0 3 cpu | head -1
stop
serve ibping -S -C mlx5_1
for try in $(seq 100); do ibping -C mlx5_0 -t 100 -c 1 3 2>/dev/null | grep -o "Pong from .* (Lid 3)" && break; done
ibping -C mlx5_0 -f -c 100 3 | grep -o "100 received"
stop`))
	for _, want := range []string{"sysstat ping succeeded\n", "cpu 0: model ", "Pong from ", "100 received\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q: exit code %d\n%s%s", want, r.code, r.stdout, r.stderr)
		}
	}
}
