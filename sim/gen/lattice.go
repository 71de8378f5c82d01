package gen

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const (
	maxDims   = 8
	maxSize   = 4096 // switches in a dimension
	maxCables = 16   // between two switches
)

// LatticeOptions describe switches at the points of a lattice. Zero fields have
// the defaults given.
type LatticeOptions struct {
	Sizes  []int // switches in each dimension, 1…4096, up to 8 dimensions; see the makers
	Hosts  int   // on each switch, 1…254; 1
	Cables int   // between neighbours, 1…16; 1
	Open   bool  // of a torus: no cable from the last switch to the first, a mesh
	Speed  ib.LinkSpeed
}

// lattice is a lattice being planned.
type lattice struct {
	LatticeOptions
	plan
	op     string
	param  string // the one that tells the sizes
	value  string // what it was
	count  int    // of switches
	radix  int
	places []int // first port of each dimension
}

// Torus makes a torus of any dimensions, 4x4 by default: each switch has cables
// to the one before and the one after it in each dimension, and the last to the
// first. Ports of a switch: hosts, then for each dimension the cables back and
// the cables on. In a dimension of two the same switch is before and after, so
// that there are twice the cables; a dimension of one has none.
func Torus(o LatticeOptions) (*fabric.Fabric, error) {
	if len(o.Sizes) == 0 {
		o.Sizes = []int{4, 4}
	}
	l := &lattice{LatticeOptions: o, op: "torus", param: "dims", value: sizesText(o.Sizes)}
	if err := l.prepare(func(size int) int { return 2 * min(size-1, 1) }); err != nil {
		return nil, err
	}
	l.addSwitches()
	for i := range l.count {
		l.eachDim(i, func(dim, at, stride int) {
			if next := at + 1; next < l.Sizes[dim] || next > 1 && !l.Open {
				to := i + (next%l.Sizes[dim]-at)*stride
				l.connect(i, l.places[dim]+l.Cables, to, l.places[dim])
			}
		})
	}
	return l.finish()
}

// HyperX makes a HyperX, 4x4 by default: in each dimension each switch has
// cables to all others that differ from it in this dimension only.
func HyperX(o LatticeOptions) (*fabric.Fabric, error) {
	if len(o.Sizes) == 0 {
		o.Sizes = []int{4, 4}
	}
	return hyperX("hyperx", "shape", sizesText(o.Sizes), o)
}

// Hypercube makes a hypercube of that many dimensions, 1…16, which is a HyperX
// of two switches in each: 2^dims switches with a cable in each dimension.
func Hypercube(dims int, o LatticeOptions) (*fabric.Fabric, error) {
	const op, most = "hypercube", 16
	if dims < 1 || dims > most {
		return nil, outOfRange(op, "dims", dims, 1, most)
	}
	o.Sizes = make([]int, dims)
	for i := range o.Sizes {
		o.Sizes[i] = 2
	}
	return hyperX(op, "dims", fmt.Sprint(dims), o)
}

func hyperX(op, param, value string, o LatticeOptions) (*fabric.Fabric, error) {
	l := &lattice{LatticeOptions: o, op: op, param: param, value: value}
	if err := l.prepare(func(size int) int { return size - 1 }); err != nil {
		return nil, err
	}
	l.addSwitches()
	for i := range l.count {
		l.eachDim(i, func(dim, at, stride int) {
			for other := at + 1; other < l.Sizes[dim]; other++ {
				// The ports of a dimension are in the order of the others.
				out, in := l.places[dim]+(other-1)*l.Cables, l.places[dim]+at*l.Cables
				l.connect(i, out, i+(other-at)*stride, in)
			}
		})
	}
	return l.finish()
}

// prepare checks the options. links is the number of neighbours, counted by
// cables, that a switch has in a dimension of that size.
func (l *lattice) prepare(links func(size int) int) error {
	fill(&l.Hosts, 1)
	fill(&l.Cables, 1)
	dims := maxDims
	if l.op == "hypercube" {
		dims = 16
	}
	switch {
	case len(l.Sizes) > dims:
		return l.refuse(fmt.Sprintf("must have at most %d dimensions", dims))
	case l.Hosts < 1 || l.Hosts > maxRadix:
		return outOfRange(l.op, "hosts", l.Hosts, 1, maxRadix)
	case l.Cables < 1 || l.Cables > maxCables:
		return outOfRange(l.op, "cables", l.Cables, 1, maxCables)
	}
	l.count, l.radix = 1, l.Hosts
	for _, size := range l.Sizes {
		if size < 1 || size > maxSize {
			return l.refuse(fmt.Sprintf("must have sizes of 1…%d", maxSize))
		}
		l.places = append(l.places, l.radix+1)
		l.radix += links(size) * l.Cables
		if l.count *= size; l.count > maxPorts {
			break
		}
	}
	if l.radix > maxRadix {
		return l.refuse(fmt.Sprintf("needs switches with %d ports, but they have at most %d", l.radix, maxRadix))
	}
	if err := checkSize(l.op, l.param, l.value, l.count, l.radix, l.count*l.Hosts); err != nil {
		return err
	}
	var err error
	l.plan, err = newPlan(l.op, l.Speed, 0)
	return err
}

func (l *lattice) refuse(detail string) error {
	return &Error{Op: l.op, Param: l.param, Value: l.value, Detail: detail}
}

func sizesText(sizes []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(sizes), "[]"), " ", "x")
}

// addSwitches plans the switches, which become nodes 0, 1, …, the last dimension
// first, and their hosts.
func (l *lattice) addSwitches() {
	for i := range l.count {
		var at []string
		l.eachDim(i, func(_, place, _ int) { at = append(at, fmt.Sprint(place)) })
		l.newSwitch("sw"+strings.Join(at, "-"), l.radix)
	}
	width := digits(l.count * l.Hosts)
	for i := range l.count * l.Hosts {
		l.cable(l.host(fmt.Sprintf("node%0*d", width, i+1)), 1, i/l.Hosts, i%l.Hosts+1)
	}
}

// eachDim calls f for each dimension with the place of switch i in it, and
// how far apart the switches are that follow one another there.
func (l *lattice) eachDim(i int, f func(dim, at, stride int)) {
	stride := l.count
	for dim, size := range l.Sizes {
		stride /= size
		f(dim, i/stride%size, stride)
	}
}

// connect plans the cables between two switches, from those ports on.
func (l *lattice) connect(a, aPort, b, bPort int) {
	for c := range l.Cables {
		l.cable(a, aPort+c, b, bPort+c)
	}
}
