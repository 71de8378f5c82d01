package event

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// BenchmarkNext is what a Detector costs for some 10,000 nodes: after a pass over the
// counters, after a sweep in which one node has another name, and after one that is
// incomplete.
func BenchmarkNext(b *testing.B) {
	model, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 36, Hosts: 8740})
	if err != nil {
		b.Fatal(err)
	}
	f := renamed(model, "a", false)
	tables := [2]*total.Table{table(f, 1), table(f, 2)}
	fabrics := [2]*fabric.Fabric{f, renamed(model, "b", false)}
	partial := [2]*fabric.Fabric{renamed(model, "c", true), renamed(model, "d", true)}
	for _, bench := range []struct {
		name   string
		fabric [2]*fabric.Fabric
		table  bool
	}{{"pass", [2]*fabric.Fabric{f, f}, true}, {"sweep", fabrics, false}, {"incomplete", partial, false}} {
		b.Run(bench.name, func(b *testing.B) {
			d := NewDetector(nil)
			last := &watch.State{Fabric: f, Connected: true, Totals: tables[0], Refresh: watch.Run{Count: 1}}
			d.Next(nil, last)
			for i := 0; b.Loop(); i++ {
				s := *last
				s.Refresh.Count++
				s.Fabric = bench.fabric[i%2]
				if bench.table {
					s.Totals = tables[(i+1)%2]
				}
				d.Next(last, &s)
				last = &s
			}
		})
	}
}

// renamed is a copy of a fabric in which one node has a name.
func renamed(model *fabric.Fabric, name string, incomplete bool) *fabric.Fabric {
	c := completion{base: model, now: model, builder: fabric.NewBuilder(), made: map[ib.GUID]*fabric.Node{}}
	for n := range model.Nodes() {
		c.copyNode(n, nil)
	}
	c.copyLinks()
	var desc [64]byte
	copy(desc[:], name)
	c.builder.SetDescription(c.made[model.Start().Node().GUID()], &desc)
	if incomplete {
		c.builder.AddProblem(fabric.Problem{Kind: fabric.NoReply})
	}
	return c.builder.Build()
}

func table(f *fabric.Fabric, pass int) *total.Table {
	var ports []*total.Port
	at := time.Unix(int64(pass), 0)
	for p := range f.Ports() {
		ports = append(ports, &total.Port{
			Key: total.Key{Node: p.Node().GUID(), Num: p.Num()}, Has: counters.All, Rated: counters.All, At: at, Interval: time.Second,
		})
	}
	return total.NewTable(at, ports)
}
