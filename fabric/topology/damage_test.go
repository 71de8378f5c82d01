package topology_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim/gen"
)

// make makes a fabric of a generator.
func generate(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// damage copies a fabric without that share of the nodes and of the links, chosen
// by a seed, and with a new description where rename gives one.
func damage(f *fabric.Fabric, share float64, seed uint64, rename func(*fabric.Node) string) *fabric.Fabric {
	r := rand.New(rand.NewPCG(seed, 1))
	b := fabric.NewBuilder()
	copies := make([]*fabric.Node, f.NumNodes())
	for n := range f.Nodes() {
		if r.Float64() < share {
			continue
		}
		c := b.AddNode(n.InfoBytes())
		copies[n.Index()] = c
		description := *n.DescriptionBytes()
		if rename != nil {
			if text := rename(n); text != "" {
				clear(description[:])
				copy(description[:], text)
			}
		}
		b.SetDescription(c, &description)
		for p := range n.Ports() {
			q := b.Port(c, p.Num())
			b.SetPortGUID(q, p.GUID())
			if info := p.InfoBytes(); info != nil {
				b.SetPortInfo(q, info)
			}
		}
	}
	for l := range f.Links() {
		from, to := copies[l.A.Node().Index()], copies[l.B.Node().Index()]
		if from != nil && to != nil && r.Float64() >= share {
			b.Link(b.Port(from, l.A.Num()), b.Port(to, l.B.Num()))
		}
	}
	return b.Build()
}
