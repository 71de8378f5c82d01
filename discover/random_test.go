package discover_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// random is a connected fabric without any order: parallel links, self links,
// multi-port CAs.
func random(seed uint64) *plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := newPlan()
	switches, hosts := 1+r.IntN(12), 1+r.IntN(20)
	const ports = 16
	free := map[int][]int{}
	for i := range hosts {
		p.node(fmt.Sprintf("h%d", i+1), ib.GUID(0x1000+16*i), 1+r.IntN(3))
	}
	for i := range switches {
		p.node(fmt.Sprintf("S%d", i), ib.GUID(0x100000+0x100*i), ports)
		free[i] = r.Perm(ports)
	}
	take := func(sw int) string {
		port := free[sw][0]
		free[sw] = free[sw][1:]
		return fmt.Sprintf("S%d/%d", sw, port+1)
	}
	has := func(sw int) bool { return len(free[sw]) > 2 }
	for i := 1; i < switches; i++ {
		if to := r.IntN(i); has(to) {
			p.link(take(i), take(to))
		}
	}
	for range r.IntN(3 * switches) {
		if a, b := r.IntN(switches), r.IntN(switches); has(a) && has(b) {
			p.link(take(a), take(b))
		}
	}
	for i := range hosts {
		for port := 1; port <= p.nodes[fmt.Sprintf("h%d", i+1)].NumPorts(); port++ {
			if sw := r.IntN(switches); len(free[sw]) > 0 && (port == 1 || r.IntN(2) == 0) {
				p.link(fmt.Sprintf("h%d/%d", i+1, port), take(sw))
			}
		}
	}
	return p
}

// sentByC is what libibnetdisc sends for the fabric that was found.
func sentByC(f *fabric.Fabric) int {
	n := 1
	for node := range f.Nodes() {
		up, linked := 0, 0
		for p := range node.Ports() {
			if p.Num() > 0 && p.PhysState() == ib.PhysLinkUp {
				up++
			}
			if p.Remote() != nil {
				linked++
			}
		}
		if node.Type() == ib.NodeSwitch {
			n += 3 + node.NumPorts() + up - 1
		} else {
			n += 1 + linked
		}
	}
	if f.Start().Remote() != nil {
		n++
	}
	return n
}

func TestRandomFabrics(t *testing.T) {
	for seed := range uint64(300) {
		p := random(seed)
		var first string
		for _, window := range []int{1, 64} {
			f, err := random(seed).sweep(t, nil, &discover.Options{MaxOutstanding: window})
			if err != nil {
				t.Fatal(err)
			}
			compareWithPlan(t, seed, f, p)
			if sent, c := f.Sweep().SMPs, sentByC(f); sent > c {
				t.Errorf("seed %d, window %d: %d SMPs, libibnetdisc sends %d", seed, window, sent, c)
			}
			if len(f.Problems()) > 0 {
				t.Errorf("seed %d, window %d: %v", seed, window, f.Problems())
			}
			if pic := picture(f); first == "" {
				first = pic
			} else if pic != first {
				t.Errorf("seed %d: the window changes the picture", seed)
			}
		}
	}
}

// compareWithPlan checks that every node that can be reached from h1 was found,
// with all of its links, and nothing else.
func compareWithPlan(t *testing.T, seed uint64, f *fabric.Fabric, p *plan) {
	t.Helper()
	reach := map[*fabric.Node]bool{}
	var walk func(n *fabric.Node)
	walk = func(n *fabric.Node) {
		if reach[n] {
			return
		}
		reach[n] = true
		for q := range n.Ports() {
			// No way leads on through a CA, but from the start by its own port.
			if r := q.Remote(); r != nil && (n.Type() == ib.NodeSwitch || n == p.nodes["h1"] && q.Num() == 1) {
				walk(r.Node())
			}
		}
	}
	walk(p.nodes["h1"])
	if f.NumNodes() != len(reach) {
		t.Errorf("seed %d: found %d nodes, want %d", seed, f.NumNodes(), len(reach))
	}
	for want := range reach {
		got, ok := f.NodeByGUID(want.GUID())
		if !ok {
			t.Errorf("seed %d: %s is missing", seed, want.Description())
			continue
		}
		for q := range want.Ports() {
			r := q.Remote()
			if r == nil || !reach[r.Node()] || want.Type() != ib.NodeSwitch {
				continue
			}
			g := got.Port(q.Num())
			if g == nil || g.Remote() == nil || g.Remote().Num() != r.Num() || g.Remote().Node().GUID() != r.Node().GUID() {
				t.Errorf("seed %d: the link of %s port %d is missing or wrong", seed, want.Description(), q.Num())
			}
		}
	}
}
