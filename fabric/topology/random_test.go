package topology_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// scramble is a fabric of random nodes and links, some of them one-way, to
// themselves, or between two adapters, with GUIDs that repeat.
func scramble(seed uint64, nodes, links int) *fabric.Fabric {
	r := rand.New(rand.NewPCG(seed, 2))
	b := fabric.NewBuilder()
	list := make([]*fabric.Node, nodes)
	for i := range list {
		typ := ib.NodeType(r.IntN(5))
		if r.IntN(2) == 0 {
			typ = ib.NodeSwitch
		}
		info := smp.NodeInfo{
			NodeType: typ, NumPorts: uint8(r.IntN(40)), NodeGUID: ib.GUID(r.IntN(nodes)), PortGUID: ib.GUID(r.IntN(nodes)),
			SystemImageGUID: ib.GUID(r.IntN(1 + nodes/2)), VendorID: 0x2c9, DeviceID: [...]uint16{0xd2f0, 0xcf09, 0x1023, 0xbd36}[r.IntN(4)],
		}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		for k := range desc[:r.IntN(20)] {
			desc[k] = byte(r.IntN(256))
		}
		list[i] = b.AddNode(&raw)
		b.SetDescription(list[i], &desc)
	}
	for range links {
		p := b.Port(list[r.IntN(nodes)], 1+r.IntN(40))
		q := b.Port(list[r.IntN(nodes)], 1+r.IntN(40))
		switch {
		case p == nil || q == nil:
		case r.IntN(8) == 0:
			b.LinkOneWay(p, q)
		default:
			b.Link(p, q)
		}
	}
	return b.Build()
}

// TestScrambled checks what must hold of any fabric.
func TestScrambled(t *testing.T) {
	for seed := range uint64(300) {
		f := scramble(seed, 1+int(seed)%60, int(seed*7)%400)
		for _, collapse := range []bool{false, true} {
			top := topology.Classify(f, &topology.Options{CollapseChassis: collapse})
			checkAny(t, seed, f, top)
		}
	}
}

func checkAny(t *testing.T, seed uint64, f *fabric.Fabric, top *topology.Topology) {
	t.Helper()
	if _, err := json.Marshal(top); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	adapters, inHosts := 0, 0
	for n := range f.Nodes() {
		p := top.Place(n)
		if n.Type() == ib.NodeSwitch && (p.Part < 1 || p.Part > len(top.Parts)) {
			t.Fatalf("seed %d: switch %s is in part %d of %d", seed, n.GUID(), p.Part, len(top.Parts))
		}
		if p.Role.IsHost() {
			adapters++
			if p.Host < 1 || p.Host > len(top.Hosts) {
				t.Fatalf("seed %d: adapter %s is in host %d of %d", seed, n.GUID(), p.Host, len(top.Hosts))
			}
		}
	}
	for i, h := range top.Hosts {
		inHosts += len(h.HCAs)
		if h.Number != i+1 {
			t.Fatalf("seed %d: host %d has number %d", seed, i, h.Number)
		}
	}
	if adapters != inHosts {
		t.Fatalf("seed %d: %d adapters, %d in hosts", seed, adapters, inHosts)
	}
	for _, p := range top.Parts {
		switches := 0
		for _, tier := range p.Tiers {
			switches += tier.Switches
		}
		if switches != p.Switches || p.Fit < 0 || p.Fit > 1 {
			t.Fatalf("seed %d: part %+v has %d switches in its tiers", seed, p, switches)
		}
	}
}
