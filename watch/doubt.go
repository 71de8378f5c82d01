package watch

import (
	"maps"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
)

// doubts are ports that have counted that their links went down. Subnet managers clear
// the flag by which switches tell of changes, so that a refresh may not see for a long
// time that a link between two switches is down, or slower since; this tells it where
// to look.
type doubts map[total.Key]bool

// downedBetween are the ports that have counted so between two tables.
func downedBetween(before, now *total.Table) doubts {
	d := doubts{}
	if before == nil {
		return d
	}
	for _, p := range now.Ports {
		was := before.Port(p.Node, p.Num)
		if was != nil && was.Has.Has(counters.LinkDowned) && p.Values[counters.LinkDowned] > was.Values[counters.LinkDowned] {
			d[p.Key] = true
		}
	}
	return d
}

// about reports whether a port is doubted; nil where none is.
func (d doubts) about() func(*fabric.Port) bool {
	if len(d) == 0 {
		return nil
	}
	return func(p *fabric.Port) bool { return d[total.Key{Node: p.Node().GUID(), Num: p.Num()}] }
}

// doubt has ports asked by a refresh, which begins at once.
func (w *Watcher) doubt(d doubts) {
	maps.Copy(w.doubts, d)
	w.schedule.refresh.asked = w.schedule.refresh.asked || len(d) > 0
}

// takeDoubts gives the doubts to a refresh that begins.
func (w *Watcher) takeDoubts() doubts {
	d := w.doubts
	w.doubts = doubts{}
	return d
}
