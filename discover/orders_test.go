package discover_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// doubles adds nodes to a plan that are like others of it: adapters anywhere, with
// each of their ports or with few, and switches. A switch has its twin at a switch
// that can be reached without either, by a port by which the other one is at such a
// switch: then their contradiction is seen whichever is found first.
func (p *plan) doubles(r *rand.Rand) {
	var switches, hosts []string
	for i := range 12 {
		if name := fmt.Sprintf("S%d", i); p.nodes[name] != nil {
			switches = append(switches, name)
		}
	}
	for i := range 20 {
		if name := fmt.Sprintf("h%d", i+1); p.nodes[name] != nil {
			hosts = append(hosts, name)
		}
	}
	for i := range r.IntN(5) {
		of := p.nodes[hosts[r.IntN(len(hosts))]]
		name := fmt.Sprintf("double %d of h", i)
		p.node(name, of.GUID(), of.NumPorts())
		for port := 1; port <= of.NumPorts(); port++ {
			if port == 1 || r.IntN(2) == 0 {
				p.plug(r, fmt.Sprintf("%s/%d", name, port), switches)
			}
		}
	}
	isTwin := map[*fabric.Node]bool{}
	for i := range r.IntN(4) {
		of := p.nodes[switches[r.IntN(len(switches))]]
		if isTwin[of] {
			continue
		}
		p.doubleSwitch(r, fmt.Sprintf("S double %d", i), of, isTwin)
	}
}

// plug connects a port to a free one of the switches, if there is one.
func (p *plan) plug(r *rand.Rand, end string, switches []string) bool {
	for _, i := range r.Perm(len(switches)) {
		for port := range p.nodes[switches[i]].Ports() {
			if port.Num() > 0 && port.Remote() == nil {
				p.link(end, fmt.Sprintf("%s/%d", switches[i], port.Num()))
				return true
			}
		}
	}
	return false
}

func (p *plan) doubleSwitch(r *rand.Rand, name string, of *fabric.Node, isTwin map[*fabric.Node]bool) {
	isTwin[of] = true
	defer delete(isTwin, of)
	reach := p.reachWithout(isTwin)
	isSound := func(n *fabric.Node) bool { return reach[n] && n.Type() == ib.NodeSwitch }
	var sound []string
	for other, n := range p.nodes {
		if isSound(n) {
			sound = append(sound, other)
		}
	}
	slices.Sort(sound)
	for q := range of.Ports() {
		if q.Remote() == nil || !isSound(q.Remote().Node()) {
			continue
		}
		n := p.node(name, of.GUID(), of.NumPorts())
		if !p.plug(r, fmt.Sprintf("%s/%d", name, q.Num()), sound) {
			return
		}
		for port := 1; port <= 6; port++ {
			switch {
			case n.Port(port).Remote() != nil || r.IntN(2) == 0:
			case r.IntN(2) == 0:
				p.plug(r, fmt.Sprintf("%s/%d", name, port), sound)
			default:
				host := fmt.Sprintf("h behind %s port %d", name, port)
				p.node(host, ib.GUID(0x900000+0x100*len(p.nodes)), 1)
				p.link(host, fmt.Sprintf("%s/%d", name, port))
			}
		}
		isTwin[n] = true
		isTwin[of] = true
		return
	}
}

// reachWithout is what can be reached from h1 without going through some nodes.
func (p *plan) reachWithout(without map[*fabric.Node]bool) map[*fabric.Node]bool {
	reach := map[*fabric.Node]bool{}
	var walk func(n *fabric.Node)
	walk = func(n *fabric.Node) {
		if reach[n] || without[n] {
			return
		}
		reach[n] = true
		for q := range n.Ports() {
			if far := q.Remote(); far != nil && (n.Type() == ib.NodeSwitch || n == p.nodes["h1"] && q.Num() == 1) {
				walk(far.Node())
			}
		}
	}
	walk(p.nodes["h1"])
	return reach
}

// compareSwitches checks that each switch that can be reached was found.
func (p *plan) compareSwitches(t *testing.T, seed uint64, f *fabric.Fabric) {
	t.Helper()
	found, want := map[string]int{}, map[string]int{}
	for n := range f.Switches() {
		found[n.Description()]++
	}
	for n := range p.reachWithout(nil) {
		if n.Type() == ib.NodeSwitch {
			want[n.Description()]++
		}
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("seed %d: switches (-there +found)\n%s", seed, diff)
	}
}

// told is a fabric without what times decide: of problems, their causes.
func told(f *fabric.Fabric) string {
	var b strings.Builder
	for _, p := range f.Problems() {
		p.Err = nil
		fmt.Fprintf(&b, "%s: %v\n", p.Kind, p)
	}
	text := everything(f)
	if i := strings.Index(text, "\n"+string(fabric.NoReply)+": "); i >= 0 {
		text = text[:i]
	}
	return text + b.String()
}

// disorder is a sweep's options and a fabric's behaviour by chance.
func disorder(r *rand.Rand, p *plan, faults []sim.Fault) (*sim.Options, *discover.Options) {
	so := &sim.Options{Faults: faults, Seed: r.Uint64(), HopLatency: time.Duration(r.IntN(3)) * time.Microsecond, Physics: &sim.Physics{
		SMA: sim.Service{Time: time.Duration(1+r.IntN(100)) * time.Microsecond}, Packet: 23,
		Agents: sim.Quality{Jitter: time.Duration(r.IntN(2000)) * time.Microsecond},
	}}
	seen := map[ib.GUID]bool{}
	for _, name := range slices.Sorted(maps.Keys(p.nodes)) {
		if n := p.nodes[name]; r.IntN(4) == 0 && !seen[n.GUID()] {
			seen[n.GUID()] = true
			so.Physics.Parts = append(so.Physics.Parts, sim.Part{Node: n.GUID(), Delay: time.Duration(r.IntN(3000)) * time.Microsecond})
		}
	}
	o := &discover.Options{
		MaxOutstanding: []int{0, 0, 1, 2, 5, 64, 512}[r.IntN(7)], MaxPerTarget: []int{0, 0, 1, 8, -1}[r.IntN(5)],
	}
	o.Rotate(r.IntN(16))
	return so, o
}

// dead are some dead ports and agents of a plan, now and then.
func dead(r *rand.Rand, p *plan) (faults []sim.Fault) {
	for _, name := range slices.Sorted(maps.Keys(p.nodes)) {
		n := p.nodes[name]
		switch {
		case n.GUID() == p.nodes["h1"].GUID() || r.IntN(8) > 0:
		case r.IntN(2) == 0:
			faults = append(faults, sim.Fault{Kind: sim.DeadSMA, Node: n.GUID()})
		default:
			faults = append(faults, sim.Fault{Kind: sim.DeadPort, Node: n.GUID(), Port: 1 + r.IntN(n.NumPorts())})
		}
	}
	return faults
}

var orders = flag.Int("orders", 150, "how many fabrics TestOrders sweeps")

// TestOrders: whatever the order of the replies, the result is the same: of fabrics
// with parallel links, links of switches to themselves, nodes that are alike, dead
// ports and dead agents.
func TestOrders(t *testing.T) {
	for seed := range uint64(*orders) {
		r := rand.New(rand.NewPCG(seed, 11))
		// What is dead or too far away may hide what tells two nodes apart.
		hasDoubles := r.IntN(3) > 0
		build := func() *plan {
			p := random(seed)
			if hasDoubles {
				p.doubles(rand.New(rand.NewPCG(seed, 12)))
			}
			return p
		}
		var faults []sim.Fault
		hops := 0
		if !hasDoubles {
			faults, hops = dead(r, build()), []int{0, 0, 0, 2, 3}[r.IntN(5)]
		}
		first, firstOptions := "", ""
		for range 6 {
			text, options := "", ""
			synctest.Test(t, func(t *testing.T) {
				p := build()
				so, o := disorder(r, p, faults)
				o.MaxHops = hops
				f, err := p.sweep(t, so, o)
				if err != nil {
					t.Fatal(err)
				}
				if hasDoubles {
					p.compareSwitches(t, seed, f)
				}
				text, options = told(f), fmt.Sprintf("%+v %+v", o, so.Physics)
			})
			if first == "" {
				first, firstOptions = text, options
			} else if text != first {
				t.Errorf("seed %d: %s\nand %s\n%s", seed, firstOptions, options, cmp.Diff(first, text))
			}
		}
	}
}
