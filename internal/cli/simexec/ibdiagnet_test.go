//go:build linux

package simexec

import (
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestIbdiagnet reads the files that ibdiagnet of ibutils 1.5 writes, and compares
// them with the output of ibnetdiscover. Rates are left out: it knows base speeds
// only.
func TestIbdiagnet(t *testing.T) {
	testenv.Need(t, "ibdiagnet", "ibnetdiscover")
	dir := t.TempDir()
	runOK(t, "sim:fattree?levels=2&radix=4&sm=on&traffic=load:30%", "sh", "-c",
		`ibnetdiscover >$0/net.topo && ibdiagnet -o $0 -pm </dev/null >$0/out`, dir)
	want, err := format.Load(filepath.Join(dir, "net.topo"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := format.Merge(filepath.Join(dir, "ibdiagnet.lst"), filepath.Join(dir, "ibdiagnet.fdbs"), filepath.Join(dir, "ibdiagnet.pm"))
	if err != nil {
		t.Fatal(err)
	}
	ends := sameLinks(t, want, all.Fabric)
	for _, p := range all.Fabric.Problems() {
		t.Error(p)
	}
	if joined, problems := counterdump.Join(all.Fabric, all.Counters); len(joined) != ends || len(problems) > 0 {
		t.Errorf("counters of %d ports, want %d; %v", len(joined), ends, problems)
	}
	for n := range all.Fabric.Switches() {
		if n.LFT() == nil {
			t.Errorf("%s has no forwarding table", n.Description())
		}
	}
	joint, err := format.Merge(dir)
	if err != nil {
		t.Fatal(err)
	}
	sameLinks(t, want, joint.Fabric)
}

// sameLinks wants the nodes, LIDs and links of one fabric in another, and counts
// the ends of links.
func sameLinks(t *testing.T, want, got *fabric.Fabric) (ends int) {
	t.Helper()
	if got.NumNodes() != want.NumNodes() {
		t.Errorf("%d nodes, want %d", got.NumNodes(), want.NumNodes())
	}
	for p := range want.Ports() {
		n, ok := got.NodeByGUID(p.Node().GUID())
		if !ok || n.Description() != p.Node().Description() || n.Type() != p.Node().Type() {
			t.Fatalf("no node %s", p.Node().GUID())
		}
		if p.Remote() == nil {
			continue
		}
		ends++
		q := n.Port(p.Num())
		if q == nil || q.Remote() == nil || q.Remote().Num() != p.Remote().Num() || q.Remote().Node().GUID() != p.Remote().Node().GUID() ||
			q.LID() != p.LID() || q.Remote().LID() != p.Remote().LID() {
			t.Errorf("%s port %d: %v", n.Description(), p.Num(), q)
		}
	}
	return ends
}
