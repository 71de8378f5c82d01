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

// begin takes in the first one.
func (m *managerState) begin(s *watch.State) {
	if master, ok := s.Master(); ok {
		m.known, m.master, m.text = true, master.GUID, managerText(master)
		m.end = End{GUID: master.Node, Port: master.Port, LID: master.LID}
	}
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
	end := End{GUID: master.Node, Port: master.Port, LID: master.LID}
	if p := d.find(portKey{master.Node, master.Port}); p != nil {
		end = d.port(p)
	}
	if m.known && m.master != master.GUID {
		d.remember(&m.id, Event{
			Kind: ManagerChange, Since: d.sweep.from, At: end, To: m.end,
			Old: m.text, New: managerText(master), Again: m.id,
		})
	}
	m.known, m.master, m.end, m.text = true, master.GUID, end, managerText(master)
}
