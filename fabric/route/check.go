package route

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// A Table is what the checks below look at: forwarding tables, wherever they
// come from. Next is as that of Tables.
type Table interface {
	Next(sw *fabric.Node, lid ib.LID) uint8
}

// Fault is what is wrong with forwarding tables.
type Fault struct {
	Switch *fabric.Node // where
	LID    ib.LID       // to whom; 0 for a credit loop
	What   string       // "no route", "leads nowhere", "wrong destination", "loop", "credit loop"
}

// String says it in one line.
func (f Fault) String() string {
	return fmt.Sprintf("switch %s to LID %d: %s", f.Switch.GUID(), f.LID, f.What)
}

// walked is what is known of a switch on the ways to one LID.
type walked uint8

const (
	notWalked walked = iota
	underway
	arrives
	fails
)

// Check follows the tables from every switch to every LID of the fabric, and
// lists up to limit faults.
func Check(f *fabric.Fabric, t Table, limit int) (faults []Fault) {
	state := make([]walked, f.NumNodes())
	for owner := range f.Ports() {
		base, count := owner.LID(), 1<<owner.LMC()
		if base == 0 || isSwitch(owner.Node()) && owner.Num() != 0 {
			continue
		}
		for i := range count {
			clear(state)
			w := walk{table: t, owner: owner, lid: base + ib.LID(i), state: state}
			for sw := range f.Switches() {
				if fault := w.from(sw); fault != nil {
					faults = append(faults, *fault)
				}
				if len(faults) >= limit {
					return faults
				}
			}
		}
	}
	return faults
}

type walk struct {
	table Table
	owner *fabric.Port
	lid   ib.LID
	state []walked
}

// from follows the tables from a switch until something known. The switches on
// the way share the result, and only the first tells a fault.
func (w *walk) from(start *fabric.Node) *Fault {
	var way []*fabric.Node
	sw, what := start, ""
	for what == "" && w.state[sw.Index()] == notWalked {
		w.state[sw.Index()] = underway
		way = append(way, sw)
		out := w.table.Next(sw, w.lid)
		next := sw.Port(int(out))
		switch {
		case out == NoPort:
			what = "no route"
		case out == 0:
			if w.owner.Node() != sw {
				what = "wrong destination"
			}
			w.state[sw.Index()] = arrives
		case next == nil || next.Remote() == nil:
			what = "leads nowhere"
		case !isSwitch(next.Remote().Node()):
			if next.Remote() != w.owner {
				what = "wrong destination"
			}
			w.state[sw.Index()] = arrives
		default:
			sw = next.Remote().Node()
		}
	}
	end := w.state[sw.Index()]
	if what == "" && end == underway {
		what = "loop"
	}
	if what != "" {
		end = fails
	}
	for _, n := range way {
		w.state[n.Index()] = end
	}
	if what == "" {
		return nil
	}
	return &Fault{Switch: start, LID: w.lid, What: what}
}
