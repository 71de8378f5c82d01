package simbench

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// Case is a fabric and its physics.
type Case struct {
	Fabric string        // one of Fabrics
	SMA    time.Duration // service time
	Queue  int           // of an agent
	Dead   int           // ports through which nothing passes though they are up
	Loss   float64       // of each request and each reply
}

// usual is the case around which the others differ in one thing.
func usual(name string) Case { return Case{Fabric: name, SMA: 20 * time.Microsecond, Queue: 32} }

func (c Case) String() string {
	return fmt.Sprintf("%s, SMA %v, queue %d, %d dead, loss %g %%", c.Fabric, c.SMA, c.Queue, c.Dead, 100*c.Loss)
}

// The values that cases have.
var (
	services = []time.Duration{5 * time.Microsecond, 20 * time.Microsecond, 100 * time.Microsecond}
	queues   = []int{8, 32, 128}
	deads    = []int{0, 10, 100}
	losses   = []float64{0, 0.001, 0.01, 0.05}
)

// Fabrics are the names of fabrics by size: their number of nodes, about.
var Fabrics = []string{"272", "1407", "5000", "11664", "65536"}

// trees are fat trees; those from 11664 on are named by their hosts.
var trees = map[string]gen.FatTreeOptions{
	"272":   {Levels: 2, Radix: 32, Hosts: 248},
	"702":   {Levels: 2, Radix: 36, Hosts: 648},
	"1407":  {Levels: 3, Radix: 36, Hosts: 1230},
	"5000":  {Levels: 3, Radix: 36, Hosts: 4344},
	"11664": {Levels: 3, Radix: 36, Hosts: 11664},
	"65536": {Levels: 3, Radix: 64, Hosts: 65536},
}

// Model makes a fabric by its name.
func Model(name string) (*fabric.Fabric, error) { return gen.FatTree(trees[name]) }

// Around gives the usual case of a fabric and all that differ from it in one thing.
func Around(name string) []Case {
	all := []Case{usual(name)}
	add := func(change func(*Case)) {
		c := usual(name)
		change(&c)
		if c != all[0] {
			all = append(all, c)
		}
	}
	for _, v := range services {
		add(func(c *Case) { c.SMA = v })
	}
	for _, v := range queues {
		add(func(c *Case) { c.Queue = v })
	}
	for _, v := range deads {
		add(func(c *Case) { c.Dead = v })
	}
	for _, v := range losses {
		add(func(c *Case) { c.Loss = v })
	}
	return all
}

// All gives all cases of a fabric.
func All(name string) (all []Case) {
	for _, service := range services {
		for _, queue := range queues {
			for _, dead := range deads {
				for _, loss := range losses {
					all = append(all, Case{name, service, queue, dead, loss})
				}
			}
		}
	}
	return all
}

// Options are the simulator's options for the case.
func (c Case) Options(model *fabric.Fabric, seed uint64) sim.Options {
	ph := sim.Typical()
	ph.SMA = sim.Service{Time: c.SMA, Queue: c.Queue}
	return sim.Options{
		HopLatency: sim.TypicalHop, Physics: ph, Loss: c.Loss, Seed: seed, Faults: deadPorts(model, c.Dead, seed),
	}
}

// deadPorts chooses switch ports with a cable by chance, though not to the start,
// and not so that a switch loses more than a quarter of its cables.
func deadPorts(model *fabric.Fabric, count int, seed uint64) (faults []sim.Fault) {
	var ports []*fabric.Port
	for n := range model.Switches() {
		for p := range n.Ports() {
			if p.Remote() != nil && p.Remote().Node() != model.Start().Node() {
				ports = append(ports, p)
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(ports), func(i, j int) { ports[i], ports[j] = ports[j], ports[i] })
	lost := map[*fabric.Node]int{}
	for _, p := range ports {
		far := p.Remote().Node()
		if len(faults) == count {
			break
		}
		if 4*(lost[p.Node()]+1) > p.Node().NumPorts() || far.Type() == ib.NodeSwitch && 4*(lost[far]+1) > far.NumPorts() {
			continue
		}
		lost[p.Node()]++
		lost[far]++
		faults = append(faults, sim.Fault{Kind: sim.DeadPort, Node: p.Node().GUID(), Port: p.Num()})
	}
	return faults
}
