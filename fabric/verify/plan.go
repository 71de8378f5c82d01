package verify

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/ib"
)

// Plan is the wiring as it should be.
type Plan struct {
	Cables []Cable
	Rules  []Rule

	// Partial says that the plan does not tell of all cables: those whose ends it
	// does not name are no findings.
	Partial bool
}

// Cable is a planned cable. Label and Where are for people; Label is untrusted text.
type Cable struct {
	A, B  End
	Label string
	Where string // file and line; "" for a cable of a fabric

	// What it should run at, at least; zero for whatever it does.
	Width ib.LinkWidth
	Speed ib.LinkSpeed
}

// End is where a cable should end. A GUID that is not 0 counts more than the name.
type End struct {
	GUID ib.GUID // of a node, or of a port of an adapter
	Name string  // what the plan calls the node: untrusted text
	Port int     // 1…254; 0 where Cage tells it
	Cage string  // what is printed beside the socket, as "9/1"
}

// key names the node of an end within a plan.
func (e End) key() string {
	if e.GUID != 0 {
		return e.GUID.String()
	}
	return e.Name
}

// port is the port as the plan tells it.
func (e End) port() string {
	if e.Port == 0 {
		return e.Cage
	}
	return strconv.Itoa(e.Port)
}

func (e End) node() string {
	switch {
	case e.Name == "":
		return "node " + e.GUID.String()
	case e.GUID != 0:
		return fmt.Sprintf("%s (%s)", e.Name, e.GUID)
	}
	return e.Name
}

// FromFabric is the wiring of a fabric as a plan for a later time: all cables by
// GUID and port, with what they run at. Name gives nodes names; nil is Names.
func FromFabric(f *fabric.Fabric, name func(*fabric.Node) string) *Plan {
	if name == nil {
		name = Names(f, nil)
	}
	p := &Plan{}
	for l := range f.Links() {
		if !isCable(l) {
			continue
		}
		rate := l.A.Active()
		p.Cables = append(p.Cables, Cable{A: endOf(l.A, name), B: endOf(l.B, name), Width: rate.Width, Speed: rate.Speed})
	}
	return p
}

func endOf(p *fabric.Port, name func(*fabric.Node) string) End {
	return End{GUID: p.Node().GUID(), Name: name(p.Node()), Port: p.Num()}
}

// isCable tells what somebody has plugged in from what is inside of a box: the
// aggregation node of a switch, the backplane of a chassis.
func isCable(l fabric.Link) bool {
	a, b := l.A.Node(), l.B.Node()
	if isAggregation(a) || isAggregation(b) {
		return false
	}
	inside := a.Chassis() != nil && a.Chassis() == b.Chassis() && a != b
	return !inside || l.A.ExternalNum() != 0 || l.B.ExternalNum() != 0
}

func isAggregation(n *fabric.Node) bool {
	info := n.Info()
	return model.IsAggregationNode(info.VendorID, info.DeviceID)
}
