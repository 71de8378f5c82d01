package iblinkinfo

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Checks is a set of things that Diff compares.
type Checks uint8

// What Diff can compare.
const (
	CheckPorts        Checks = 1 << iota // key "port": what each port is connected to
	CheckStates                          // key "state"
	CheckLIDs                            // key "lid"
	CheckDescriptions                    // key "nodedesc"
)

// DefaultChecks are what is compared when nothing is chosen.
const DefaultChecks = CheckPorts | CheckStates

// A KeyError names a key of ParseChecks that there is not.
type KeyError struct{ Key string }

func (e *KeyError) Error() string {
	return fmt.Sprintf("no check has the key %q; there are port, state, lid and nodedesc", e.Key)
}

// ParseChecks reads a list of keys, "port,lid"; case does not matter and empty
// elements are skipped. Its error is a *KeyError.
func ParseChecks(list string) (Checks, error) {
	var c Checks
	for key := range strings.SplitSeq(list, ",") {
		switch strings.ToLower(key) {
		case "":
		case "port":
			c |= CheckPorts
		case "state":
			c |= CheckStates
		case "lid":
			c |= CheckLIDs
		case "nodedesc":
			c |= CheckDescriptions
		default:
			return 0, &KeyError{key}
		}
	}
	return c, nil
}

// Diff prints what is different in two fabrics: what the old one had in lines
// that begin with "< ", what the new one has in lines with "> ", and without a
// mark the header of a node that is in both. The only errors are those of w.
func Diff(w io.Writer, old, new *fabric.Fabric, checks Checks, o *Options) error {
	d := &differ{newPrinter(w, o), checks}
	for _, n := range slices.Backward(slices.Collect(old.Nodes())) {
		if d.Type == 0 || n.Type() == d.Type {
			d.compare(n, new)
		}
	}
	for _, n := range slices.Backward(slices.Collect(new.Nodes())) {
		if d.Type == 0 || n.Type() == d.Type {
			d.added(n, old)
		}
	}
	return d.w.Flush()
}

// DiffNode prints what is different in one node, which is found by its GUID. The
// only errors are those of w.
func DiffNode(w io.Writer, guid ib.GUID, old, new *fabric.Fabric, checks Checks, o *Options) error {
	d := &differ{newPrinter(w, o), checks}
	if n, ok := old.NodeByGUID(guid); ok {
		d.compare(n, new)
	}
	if n, ok := new.NodeByGUID(guid); ok {
		d.added(n, old)
	}
	return d.w.Flush()
}

type differ struct {
	*printer
	checks Checks
}

// The marks of lines that only one fabric has.
const (
	oldPrefix = "< "
	newPrefix = "> "
)

func (d *differ) added(n *fabric.Node, old *fabric.Fabric) {
	if _, ok := old.NodeByGUID(n.GUID()); !ok {
		d.node(n, newPrefix)
	}
}

// compare compares a node of the old fabric with itself in the new one.
func (d *differ) compare(old *fabric.Node, fresh *fabric.Fabric) {
	new, ok := fresh.NodeByGUID(old.GUID())
	if !ok {
		d.node(old, oldPrefix)
		return
	}
	if d.checks == 0 {
		return
	}
	headed := false
	head := func() {
		if !headed {
			headed = true
			d.header(old, "")
		}
	}
	if old.Type() == ib.NodeSwitch && d.checks&CheckLIDs != 0 && switchLID(old) != switchLID(new) ||
		d.checks&CheckDescriptions != 0 && old.RawDescription() != new.RawDescription() {
		d.header(old, oldPrefix)
		d.header(new, newPrefix)
		headed = true
	}
	if old.NumPorts() != new.NumPorts() {
		head()
		d.printf("%snumports = %d\n%snumports = %d\n", oldPrefix, old.NumPorts(), newPrefix, new.NumPorts())
		return
	}
	for num := 1; num <= old.NumPorts(); num++ {
		d.ports(old.Port(num), new.Port(num), head)
	}
}

func switchLID(n *fabric.Node) ib.LID {
	if zero := n.Port(0); zero != nil {
		return zero.LID()
	}
	return 0
}

func (d *differ) ports(old, new *fabric.Port, head func()) {
	if !d.differ(old, new) {
		return
	}
	if old != nil {
		head()
		d.port(old, oldPrefix)
	}
	if new != nil {
		head()
		d.port(new, newPrefix)
	}
}

func (d *differ) differ(old, new *fabric.Port) bool {
	connection := d.checks&CheckPorts != 0
	if old == nil || new == nil {
		return connection && old != new
	}
	if d.checks&CheckStates != 0 && old.State() != new.State() {
		return true
	}
	p, q := old.Remote(), new.Remote()
	if !connection || p == nil && q == nil {
		return false
	}
	if p == nil || q == nil || p.GUID() != q.GUID() {
		return true
	}
	return d.checks&CheckLIDs != 0 && p.LID() != q.LID() ||
		d.checks&CheckDescriptions != 0 && p.Node().RawDescription() != q.Node().RawDescription()
}
