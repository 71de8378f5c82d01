package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// End is how a way ends. The words are stable names for outputs.
type End string

// The ends of ways.
const (
	Arrives  End = "arrives"     // at the port that has the LID
	NoRoute  End = "no-route"    // the switch has no port for the LID
	DeadEnd  End = "black-hole"  // the switch sends to a port without a link, or whose link is not active
	WrongEnd End = "wrong-end"   // at a port that does not have the LID
	Circle   End = "loop"        // at a switch that it came through before
	Unread   End = "not-known"   // at a switch whose table is not known
	NoStart  End = "no-link"     // the port that it should begin at has no link
	NoOwner  End = "unknown-lid" // nobody has the LID, or it is not assigned
)

// A Way is where packets go from a port to a LID.
type Way struct {
	From  *fabric.Port
	LID   ib.LID
	Steps []Step // the first is that of From; none of NoStart and NoOwner
	End   End
	Last  *fabric.Port // the port where it arrives; nil if it does not
	// Back is the step that a Circle comes back to, else 0.
	Back int
}

// Step is a node on a way: the port where packets come in, nil at the beginning, and
// the number of that by which they leave; -1 where they do not.
type Step struct {
	Node *fabric.Node
	In   *fabric.Port
	Out  int
}

// OutPort is the port by which packets leave, nil where there is none.
func (s Step) OutPort() *fabric.Port {
	if s.Out < 0 {
		return nil
	}
	return s.Node.Port(s.Out)
}

// Knower is a Table that does not have the tables of all switches.
type Knower interface {
	Table
	Knows(sw *fabric.Node) bool
}

// Knows reports whether there is a table of the switch.
func (t LFTs) Knows(sw *fabric.Node) bool {
	_, ok := t[sw]
	return ok
}

func knows(t Table, sw *fabric.Node) bool {
	k, ok := t.(Knower)
	return !ok || k.Knows(sw)
}

// TablesOf are the forwarding tables that the switches of a fabric have, and the
// switches that do not have theirs. Problems are those of reading them: a table of
// which a block is missing is as none, for its entries look like LIDs without a
// route.
func TablesOf(f *fabric.Fabric, problems ...fabric.Problem) (t LFTs, unread []*fabric.Node) {
	broken := map[ib.GUID]bool{}
	for i := range problems {
		if problems[i].Attr == smp.AttrLinearForwardingTable {
			broken[problems[i].GUID] = true
		}
	}
	t = LFTs{}
	for sw := range f.Switches() {
		if table := sw.LFT(); table != nil && !broken[sw.GUID()] {
			t[sw] = table
		} else {
			unread = append(unread, sw)
		}
	}
	return t, unread
}

// Follow follows the tables from a port to a LID. From is a port of an adapter or
// router, or any port of a switch, which stands for the switch itself.
func Follow(t Table, from *fabric.Port, lid ib.LID) *Way {
	w := &Way{From: from, LID: lid}
	switch {
	case !lid.IsUnicast():
		w.End = NoOwner
		return w
	case owns(from, lid):
		w.End, w.Last = Arrives, from
		w.Steps = []Step{{Node: from.Node(), Out: -1}}
		return w
	case isSwitch(from.Node()):
		w.follow(t, from.Node(), nil)
		return w
	case from.Remote() == nil:
		w.End = NoStart
		return w
	}
	w.Steps = []Step{{Node: from.Node(), Out: from.Num()}}
	if next := from.Remote(); !isSwitch(next.Node()) { // back to back
		w.arrive(next)
	} else {
		w.follow(t, next.Node(), next)
	}
	return w
}

func (w *Way) follow(t Table, sw *fabric.Node, in *fabric.Port) {
	been := map[*fabric.Node]int{}
	for {
		if back, again := been[sw]; again {
			w.Steps = append(w.Steps, Step{Node: sw, In: in, Out: -1})
			w.End, w.Back = Circle, back
			return
		}
		been[sw] = len(w.Steps)
		out, next, end := step(t, sw, w.LID)
		w.Steps = append(w.Steps, Step{Node: sw, In: in, Out: out})
		switch {
		case end == Arrives && out == 0:
			w.Steps[len(w.Steps)-1].Out = -1
			w.End, w.Last = end, sw.Port(0)
			return
		case next != nil && !isSwitch(next.Node()):
			w.arrive(next)
			return
		case end != "":
			w.End = end
			return
		}
		sw, in = next.Node(), next
	}
}

func (w *Way) arrive(p *fabric.Port) {
	w.Steps = append(w.Steps, Step{Node: p.Node(), In: p, Out: -1})
	w.End, w.Last = WrongEnd, p
	if owns(p, w.LID) {
		w.End = Arrives
	}
}

// step is what a switch does with packets to a LID: by which port it sends them,
// -1 for none, where they come in next, and how the way ends if it ends here.
func step(t Table, sw *fabric.Node, lid ib.LID) (out int, next *fabric.Port, end End) {
	if !knows(t, sw) {
		return -1, nil, Unread
	}
	num := t.Next(sw, lid)
	if num == NoPort {
		return -1, nil, NoRoute
	}
	out = int(num)
	if num == 0 {
		if zero := sw.Port(0); zero != nil && owns(zero, lid) {
			return out, nil, Arrives
		}
		return out, nil, WrongEnd
	}
	p := sw.Port(out)
	if p == nil || p.Remote() == nil || isKnownInactive(p) {
		return out, nil, DeadEnd
	}
	if next = p.Remote(); !isSwitch(next.Node()) {
		if owns(next, lid) {
			return out, next, Arrives
		}
		return out, next, WrongEnd
	}
	return out, next, ""
}

// owns reports whether a port has a LID, as base LID or by its LMC.
func owns(p *fabric.Port, lid ib.LID) bool {
	base := p.LID()
	return base != 0 && lid >= base && int(lid) < int(base)+1<<p.LMC()
}

func isKnownInactive(p *fabric.Port) bool {
	s := p.State()
	return s != ib.PortNoChange && s != ib.PortActive
}
