package route

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// dependencies is the channel dependency graph: what holds a buffer of one channel
// waits for one of another. A channel is one direction of a link, and one virtual
// lane of it where lanes are told apart.
type dependencies struct {
	base  []int32 // by index of the switch: its first channel
	lanes int32
	waits [][]wait // by channel
	ports []*fabric.Port
}

// wait is a channel that another one waits for, and a LID and service level for which
// it does.
type wait struct {
	to    int32
	lid   ib.LID
	sl    uint8
	guess bool // the level or a lane is not known
}

func newDependencies(f *fabric.Fabric, lanes int) *dependencies {
	d := &dependencies{base: make([]int32, f.NumNodes()), lanes: int32(lanes)}
	for sw := range f.Switches() {
		d.base[sw.Index()] = int32(len(d.ports))
		for num := range sw.NumPorts() + 1 {
			d.ports = append(d.ports, sw.Port(num))
		}
	}
	d.waits = make([][]wait, len(d.ports)*lanes)
	return d
}

func (d *dependencies) channel(p *fabric.Port, lane uint8) int32 {
	return (d.base[p.Node().Index()]+int32(p.Num()))*d.lanes + int32(lane)
}

// add notes that one channel waits for another.
func (d *dependencies) add(from, to int32, lid ib.LID) {
	d.addWait(from, wait{to: to, lid: lid})
}

// addWait is add with all that is known. What is sure takes the place of a guess.
func (d *dependencies) addWait(from int32, w wait) {
	list := d.waits[from]
	for i := range list {
		if list[i].to == w.to {
			if list[i].guess && !w.guess {
				list[i] = w
			}
			return
		}
	}
	d.waits[from] = append(list, w)
}

// sure is the graph without guesses: itself if it has none.
func (d *dependencies) sure() *dependencies {
	guess := func(w wait) bool { return w.guess }
	if !slices.ContainsFunc(d.waits, func(list []wait) bool { return slices.ContainsFunc(list, guess) }) {
		return d
	}
	s := *d
	s.waits = make([][]wait, len(d.waits))
	for c, list := range d.waits {
		s.waits[c] = slices.DeleteFunc(slices.Clone(list), guess)
	}
	return &s
}

// Wait is a part of a credit loop: what leaves by Port, on the lane, waits for what
// leaves by the next one of the loop. It is so on the way to LID, of packets with the
// service level. Lane and SL are 0 where lanes are not told apart.
type Wait struct {
	Port *fabric.Port
	Lane uint8
	SL   uint8
	LID  ib.LID
}

// knots are the strongly connected components of more than one channel, by Tarjan's
// algorithm without recursion.
func (d *dependencies) knots() (list [][]int32) {
	t := tarjan{
		d: d, number: make([]int32, len(d.waits)), low: make([]int32, len(d.waits)),
		onStack: make([]bool, len(d.waits)), at: make([]int32, len(d.waits)),
	}
	for c := range d.waits {
		if t.number[c] == 0 && len(d.waits[c]) > 0 {
			t.visit(int32(c))
		}
	}
	for _, knot := range t.found {
		slices.Sort(knot)
	}
	slices.SortFunc(t.found, func(a, b []int32) int { return int(a[0] - b[0]) })
	return t.found
}

type tarjan struct {
	d           *dependencies
	number, low []int32
	at          []int32 // by channel: the next of its waits to look at
	onStack     []bool
	stack, way  []int32
	count       int32
	found       [][]int32
}

func (t *tarjan) enter(c int32) {
	t.count++
	t.number[c], t.low[c] = t.count, t.count
	t.stack, t.onStack[c] = append(t.stack, c), true
	t.way = append(t.way, c)
}

func (t *tarjan) visit(start int32) {
	t.enter(start)
	for len(t.way) > 0 {
		c := t.way[len(t.way)-1]
		if list := t.d.waits[c]; int(t.at[c]) < len(list) {
			next := list[t.at[c]].to
			t.at[c]++
			if t.number[next] == 0 {
				t.enter(next)
			} else if t.onStack[next] {
				t.low[c] = min(t.low[c], t.number[next])
			}
			continue
		}
		t.way = t.way[:len(t.way)-1]
		if len(t.way) > 0 {
			up := t.way[len(t.way)-1]
			t.low[up] = min(t.low[up], t.low[c])
		}
		if t.low[c] == t.number[c] {
			t.leave(c)
		}
	}
}

// leave takes a component from the stack.
func (t *tarjan) leave(c int32) {
	i := len(t.stack) - 1
	for t.stack[i] != c { // it is near the end
		i--
	}
	part := slices.Clone(t.stack[i:])
	t.stack = t.stack[:i]
	for _, n := range part {
		t.onStack[n] = false
	}
	if len(part) > 1 || t.d.waitsForItself(c) {
		t.found = append(t.found, part)
	}
}

func (d *dependencies) waitsForItself(c int32) bool {
	return slices.ContainsFunc(d.waits[c], func(w wait) bool { return w.to == c })
}

// circle is a shortest one through the first channel of a knot.
func (d *dependencies) circle(knot []int32) []Wait {
	start := knot[0]
	type step struct {
		from int32
		lid  ib.LID
		sl   uint8
	}
	came := map[int32]step{}
	in := map[int32]bool{}
	for _, c := range knot {
		in[c] = true
	}
	queue := []int32{start}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, w := range d.waits[c] {
			if _, seen := came[w.to]; seen || !in[w.to] {
				continue
			}
			came[w.to] = step{c, w.lid, w.sl}
			queue = append(queue, w.to)
		}
		if _, closed := came[start]; closed {
			break
		}
	}
	var list []Wait
	for c := start; ; {
		s := came[c]
		list = append(list, Wait{d.ports[s.from/d.lanes], uint8(s.from % d.lanes), s.sl, s.lid})
		if c = s.from; c == start {
			slices.Reverse(list)
			return list
		}
	}
}
