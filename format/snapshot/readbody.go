package snapshot

import (
	"errors"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// body is a fabric on its way into memory.
type body struct {
	b          *fabric.Builder
	nodes      []*fabric.Node
	slots      int // ports to allocate
	peers      []peer
	start      [2]int
	hasStart   bool
	sweep      fabric.Sweep
	problems   int // that were kept
	hasNodes   bool
	of         fabricMembers
	startLine  int
	startBytes int64
}

// fabricMembers are the unknown members of objects that cannot be named before
// the fabric is there.
type fabricMembers struct {
	body, sweep []member
	problems    map[int][]member
}

// peer is one end of a link, which names the other by numbers.
type peer struct {
	from   *fabric.Port
	to     [2]int
	line   int
	offset int64
}

// body reads a fabric.
func (d *decoder) body(into **body) error {
	if *into != nil {
		return bad("the fabric is there twice")
	}
	b := &body{b: fabric.NewBuilder()}
	*into = b
	return d.members(func(key []byte) error {
		switch name(key) {
		case "nodes":
			if b.hasNodes {
				return bad("the nodes are there twice")
			}
			b.hasNodes = true
			return d.elements(maxNodes, func(_ int, value []byte) error { return d.node(b, value) })
		case "problems":
			return d.elements(maxProblems, func(_ int, value []byte) error { return d.fabricProblem(b, value) })
		case "start":
			value, err := d.value(maxRecord)
			if err == nil {
				b.start, err = pair(value, [2]uint64{maxNodes, 255})
				b.hasStart, b.startLine, b.startBytes = true, d.startLine, d.startOffset
			}
			return err
		case "sweep":
			value, err := d.value(maxRecord)
			if err == nil {
				err = d.sweep(b, value)
			}
			return err
		}
		value, err := d.value(maxUnknown - d.unknown + 1)
		if err != nil {
			return err
		}
		return d.keepIn(&b.of.body, key, value)
	})
}

func (d *decoder) keepIn(list *[]member, key, value []byte) error {
	m, err := d.unknownMember(key, value)
	*list = append(*list, m)
	return err
}

func (d *decoder) sweep(b *body, value []byte) error {
	const most = 1<<63 - 1
	s := &b.sweep
	return eachMember(value, func(key, value []byte) (err error) {
		switch name(key) {
		case "source":
			err = putText(&s.Source, value)
		case "source_hex":
			err = putBytes(&s.Source, value)
		case "view":
			var view string
			err = putText(&view, value)
			s.View = fabric.View(view)
		case "started":
			err = putTime(&s.Started, value)
		case "duration_nanoseconds":
			err = put((*time.Duration)(&s.Duration), value, most)
		case "smps":
			err = put(&s.SMPs, value, most)
		case "resent":
			err = put(&s.Resent, value, most)
		case "timeouts":
			err = put(&s.Timeouts, value, most)
		case "max_hops":
			err = put(&s.MaxHops, value, ib.MaxHops)
		default:
			return d.keepIn(&b.of.sweep, key, value)
		}
		return inMember("sweep", key, err)
	})
}

// inMember says which member of an object has a value that cannot be.
func inMember(of string, key []byte, err error) error {
	if err == nil {
		return nil
	}
	if v, ok := errors.AsType[*valueError](err); ok {
		return v
	}
	return bad("%s, %s: %v", of, name(key), err)
}

// build ends a fabric.
func (d *decoder) build(b *body) (*fabric.Fabric, error) {
	for _, p := range b.peers {
		d.startLine, d.startOffset = p.line, p.offset
		to, err := b.port(p.to)
		if err != nil {
			return nil, err
		}
		b.b.LinkOneWay(p.from, to)
	}
	if b.hasStart {
		d.startLine, d.startOffset = b.startLine, b.startBytes
		start, err := b.port(b.start)
		if err != nil {
			return nil, err
		}
		b.b.SetStart(start)
	}
	b.b.SetSweep(b.sweep)
	f := b.b.Build()
	d.keepAll(f, b.of.body)
	d.keepAll(sweepOf{f}, b.of.sweep)
	for i, list := range b.of.problems {
		d.keepAll(problemOf{f, i}, list)
	}
	return f, nil
}

func (d *decoder) keepAll(of any, list []member) {
	if len(list) == 0 {
		return
	}
	if d.s.extra == nil {
		d.s.extra = extras{}
	}
	d.s.extra[of] = list
}

// port is the port that numbers name, made known if it was not.
func (b *body) port(at [2]int) (*fabric.Port, error) {
	if at[0] >= len(b.nodes) {
		return nil, bad("node %d of %d", at[0], len(b.nodes))
	}
	n := b.nodes[at[0]]
	if n.Port(at[1]) == nil {
		return nil, bad("port %d of node %d, which has no port of that number", at[1], at[0])
	}
	return n.Port(at[1]), nil
}
