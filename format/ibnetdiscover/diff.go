package ibnetdiscover

import (
	"io"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// DiffOptions change what Diff compares and prints; nil stands for the zero
// DiffOptions.
type DiffOptions struct {
	Names  Namer
	Full   bool   // as in Options
	Checks Checks // 0 stands for DefaultChecks
	// MovedCables makes Diff see that a cable was moved to another port of the
	// same switch. The C tool compares port GUIDs only, which all ports of a
	// switch share; without this Diff prints what it prints.
	MovedCables bool
}

// The marks of the lines that only one fabric has.
const (
	oldPrefix = "< "
	newPrefix = "> "
)

// Diff prints what is different in two fabrics, node type by node type: what
// the old one had in lines that begin with "< ", what the new one has in lines
// with "> ", and without a mark the header of a node that is in both. The only
// errors are those of w.
func Diff(w io.Writer, old, new *fabric.Fabric, o *DiffOptions) error {
	if o == nil {
		o = &DiffOptions{}
	}
	d := &differ{
		printer: newPrinter(w, &Options{Names: o.Names, Full: o.Full}),
		checks:  o.Checks, moved: o.MovedCables,
	}
	if d.checks == 0 {
		d.checks = DefaultChecks
	}
	for _, t := range []struct {
		check Checks
		typ   ib.NodeType
	}{{CheckSwitches, ib.NodeSwitch}, {CheckCAs, ib.NodeCA}, {CheckRouters, ib.NodeRouter}} {
		if d.checks&t.check != 0 {
			d.nodes(old, new, t.typ)
		}
	}
	return d.flush()
}

type differ struct {
	*printer
	checks Checks
	moved  bool
}

// nodes compares the nodes of one type, then lists those that are new.
func (d *differ) nodes(old, new *fabric.Fabric, t ib.NodeType) {
	for _, n := range slices.Backward(slices.Collect(old.NodesOf(t))) {
		if m, ok := new.NodeByGUID(n.GUID()); ok {
			d.node(n, m)
		} else {
			d.block(n, "", oldPrefix)
		}
	}
	for _, n := range slices.Backward(slices.Collect(new.NodesOf(t))) {
		if _, ok := old.NodeByGUID(n.GUID()); !ok {
			d.block(n, "", newPrefix)
		}
	}
}

// node compares a node of the old fabric with itself in the new one.
func (d *differ) node(old, new *fabric.Node) {
	if d.checks&(CheckPorts|CheckLIDs|CheckDescriptions) == 0 {
		return
	}
	header := &onceHeader{differ: d, node: old}
	if d.checks&CheckLIDs != 0 && switchLID(old) != switchLID(new) ||
		d.checks&CheckDescriptions != 0 && old.RawDescription() != new.RawDescription() {
		d.header(old, "", "", oldPrefix)
		d.nodeLine(new, newPrefix)
		d.end()
		header.printed = true
	}
	if old.NumPorts() != new.NumPorts() {
		header.print()
		d.numPorts(oldPrefix, old)
		d.numPorts(newPrefix, new)
		return
	}
	if d.checks&(CheckPorts|CheckLIDs) == 0 {
		return
	}
	for num := 1; num <= old.NumPorts(); num++ {
		d.port(old.Port(num), new.Port(num), header)
	}
}

func (d *differ) numPorts(prefix string, n *fabric.Node) {
	d.text(prefix, "numports = ")
	d.dec(n.NumPorts())
	d.end()
}

// onceHeader is the header of a node, printed before the first line about it.
type onceHeader struct {
	*differ
	node    *fabric.Node
	printed bool
}

func (h *onceHeader) print() {
	if !h.printed {
		h.printed = true
		h.header(h.node, "", "", "")
	}
}
