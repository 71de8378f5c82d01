package event

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// managerState is which subnet manager is known as the master.
type managerState struct {
	known   bool
	master  ib.GUID // of its port; 0 for none
	end     End
	text    string
	missing int // sweeps in a row in which none was found
	id      uint64
}

// beginManager takes in the first one.
func (d *Detector) beginManager(s *watch.State) {
	if m, ok := s.Master(); ok {
		d.manager = managerState{known: true, master: m.GUID, end: d.managerEnd(m), text: managerText(m)}
	}
}

// managerEnd is where a subnet manager is.
func (d *Detector) managerEnd(m watch.Manager) End {
	if p := d.find(portKey{m.Node, m.Port}); p != nil {
		return d.port(p)
	}
	return End{GUID: m.Node, Port: m.Port, LID: m.LID}
}

func managerText(m watch.Manager) string {
	return fmt.Sprintf("%s LID %d priority %d", m.GUID, m.LID, m.Priority)
}

// managers tells of another master. That there is none is told when two sweeps in a row
// have found none: one may have missed it.
func (d *Detector) managers(s *watch.State) {
	m := &d.manager
	master, ok := s.Master()
	if !ok {
		m.missing++
		if m.missing == 2 && m.master != 0 {
			e := Event{Kind: ManagerChange, Since: d.sweep.from, At: m.end, Old: m.text}
			m.master, m.end, m.text = 0, End{}, ""
			d.remember(&m.id, e)
		}
		return
	}
	m.missing = 0
	end := d.managerEnd(master)
	if m.known && m.master != master.GUID {
		d.remember(&m.id, Event{
			Kind: ManagerChange, Since: d.sweep.from, At: end, To: m.end,
			Old: m.text, New: managerText(master), Again: m.id,
		})
	}
	m.known, m.master, m.end, m.text = true, master.GUID, end, managerText(master)
}
