package fleet

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestShareOf: shares are about equal, and a host has that of its switch.
func TestShareOf(t *testing.T) {
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 36, Hosts: 8740})
	if err != nil {
		t.Fatal(err)
	}
	ports := map[string]int{}
	members := []string{"a", "b", "c"}
	owner := assign(defaultShares, members)
	total := 0
	for n := range f.Nodes() {
		share := shareOf(n, defaultShares)
		if n.Type() == ib.NodeCA && share != shareOf(n.Port(1).Remote().Node(), defaultShares) {
			t.Fatalf("%s is not with its switch", n.Description())
		}
		for p := range n.Ports() {
			if p.Remote() != nil {
				ports[owner[share]]++
				total++
			}
		}
	}
	for _, m := range members {
		if part := float64(ports[m]) / float64(total); part < 0.25 || part > 0.42 {
			t.Errorf("%s has %.0f %% of the ports", m, 100*part)
		}
	}
	t.Logf("%d ports: %v", total, ports)
}

// TestAssign: members have equal parts, and most shares stay when one leaves or joins.
func TestAssign(t *testing.T) {
	three, two := assign(maxShares, []string{"a", "b", "c"}), assign(maxShares, []string{"a", "c"})
	stayed, parts := 0, map[string]int{}
	for share := range maxShares {
		parts[three[share]]++
		if three[share] == two[share] {
			stayed++
		}
		if two[share] == "b" {
			t.Errorf("share %d is of who is not there", share)
		}
	}
	if parts["a"]-parts["b"] > 1 || parts["c"]-parts["b"] > 1 || len(parts) != 3 || stayed < maxShares/2 {
		t.Errorf("%v, %d stayed", parts, stayed)
	}
	if owner := assign(2, nil); owner[0] != "" {
		t.Errorf("without members: %q", owner)
	}
}
