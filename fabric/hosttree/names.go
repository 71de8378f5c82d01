package hosttree

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// MaxName is the longest name of a domain, as Kubernetes takes it; Slurm takes one
// more.
const MaxName = 63

// names gives switches names that are legal and unique, whatever their case.
type names struct {
	own   func(*fabric.Node) (string, bool)
	count map[string]int // switches, by name in lower case
	taken
	given map[*fabric.Node]string
}

func newNames(inputs []Input, own func(*fabric.Node) (string, bool)) *names {
	n := &names{own: own, count: map[string]int{}, taken: newTaken(), given: map[*fabric.Node]string{}}
	for _, in := range inputs {
		for sw := range in.Fabric.Switches() {
			n.count[strings.ToLower(n.base(sw))]++
		}
	}
	return n
}

// of is the name of a switch.
func (n *names) of(sw *fabric.Node) string {
	if name, ok := n.given[sw]; ok {
		return name
	}
	base := n.base(sw)
	guid := strings.TrimPrefix(sw.GUID().String(), "0x")
	switch {
	case base == "":
		base = "S-" + guid
	case n.count[strings.ToLower(base)] > 1:
		base = legal(base, MaxName-1-len(guid)) + "-" + guid
	}
	name := n.free(base)
	n.given[sw] = name
	return name
}

// base is the name that a switch would have if it were the only one.
func (n *names) base(sw *fabric.Node) string {
	if n.own != nil {
		if name, ok := n.own(sw); ok {
			return legal(name, MaxName)
		}
	}
	d := sw.Description()
	if rest, ok := strings.CutPrefix(d, "MF0;"); ok {
		if name, module, ok := strings.Cut(rest, ":"); ok {
			return legal(name+chip(module), MaxName)
		}
	}
	if strings.Contains(d, "Mellanox Technologies") { // what unmanaged switches say
		return ""
	}
	return legal(d, MaxName)
}

// chip is what tells the chips of one system apart: "-L01-U2" of "MCS8500/L01/U2",
// nothing of "MQM8700/U1", which is all of the system.
func chip(module string) string {
	_, place, _ := strings.Cut(module, "/")
	if place == "" || place == "U1" {
		return ""
	}
	return "-" + strings.ReplaceAll(place, "/", "-")
}
