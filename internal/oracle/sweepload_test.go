package oracle_test

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/madrpc"
)

// TestSweepLoad: what a sweep of libibnetdisc sends to a fabric of 1,485 nodes, counted
// by who answers. Package watch states what it sends in an hour beside 60 of these, and
// its TestCost takes a sweep of ours that asks both ends of links for one.
func TestSweepLoad(t *testing.T) {
	testenv.Need(t, "ibnetdiscover", "umad2sim")
	s := serve(t, "sim:fattree?levels=3&radix=40&hosts=1300")
	out := c(t, s.Ibsim, "", "ibnetdiscover")
	nodes := strings.Count(out.stdout, "\nSwitch\t") + strings.Count(out.stdout, "\nCa\t")
	if out.code != 0 || nodes != s.Fabric.Model().NumNodes() {
		t.Fatalf("exit code %d, %d nodes\n%s", out.code, nodes, out.stderr)
	}
	sent := int(s.server.Stats().Requests)

	port, err := s.Fabric.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	f, err := discover.Walk(t.Context(), client, &discover.Options{BothEnds: true, NoExtendedPortInfo: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes: C sends %d requests, %d in 60 sweeps; ours, of both ends, %d", nodes, sent, 60*sent, f.Sweep().SMPs)
	if ours := f.Sweep().SMPs; sent < ours || sent-ours > ours/1000 {
		t.Errorf("C sends %d requests, a sweep of ours that asks both ends %d", sent, ours)
	}
}
