package top

import (
	"slices"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// model is the state of the screen: what keys have made of it, and of what is known. It
// has no terminal, so that it can be tested without one.
type model struct {
	settings
	latest *frame // what is known; nil before the first
	shown  *frame // what is on the screen: the latest, or the one that was frozen
	frozen bool
	now    time.Time

	width, height int
	current       int               // the view
	orders        map[string]*order // by the title of the view
	filter        string
	typing        bool      // the filter is being typed
	path          []ib.GUID // the nodes that the user went into, one behind the other
	help          bool
	message       string // what a key could not do

	rows   []row // of the table as it is on the screen
	cursor int   // the row that is chosen
	offset int   // the first row on the screen
}

// order is how a table is sorted.
type order struct {
	column int
	turned bool
}

// heartbeat is how often the clock on the screen moves; what is new is shown at once.
const heartbeat = 500 * time.Millisecond

func newModel(now time.Time) *model {
	return &model{now: now, width: 80, height: 24, orders: map[string]*order{}}
}

// take takes a new frame.
func (m *model) take(f *frame) {
	m.latest = f
	if !m.frozen || m.shown == nil {
		m.show()
	}
}

// tick takes the time.
func (m *model) tick(now time.Time) { m.now = now }

// resize takes the size of the screen.
func (m *model) resize(width, height int) {
	m.width, m.height = width, height
	m.follow()
}

// show puts the latest frame on the screen.
func (m *model) show() {
	m.shown = m.latest
	m.fill()
}

// view is the table that is on the screen.
func (m *model) view() *view {
	if len(m.path) > 0 {
		return &nodeView
	}
	return &views[m.current]
}

// order is how it is sorted.
func (m *model) order() *order {
	v := m.view()
	o := m.orders[v.title]
	if o == nil {
		o = &order{column: v.first}
		m.orders[v.title] = o
	}
	return o
}

// fill makes the rows of the table: those of the frame that fit the filter, in order.
// The chosen row stays the same one, where it is still there.
func (m *model) fill() {
	if m.shown == nil {
		return
	}
	chosen := m.chosen()
	m.rows = m.rows[:0]
	switch {
	case len(m.path) > 0:
		m.addNode(m.path[len(m.path)-1])
	case m.current == eventsView:
		for i := range m.shown.events {
			m.add(row{event: &m.shown.events[i]})
		}
	default:
		keep := m.view().keep
		for i := range m.shown.links {
			if l := &m.shown.links[i]; keep(l) {
				m.add(row{link: l})
			}
		}
	}
	m.sort()
	m.choose(chosen)
}

// addNode adds the ports of a node, each as a link that begins there.
func (m *model) addNode(guid ib.GUID) {
	for i := range m.shown.links {
		l := &m.shown.links[i]
		if l.a.guid == guid {
			m.add(row{link: l})
		}
		if l.b.guid == guid && l.b != l.a {
			t := l.turned()
			m.add(row{link: &t})
		}
	}
}

// add adds a row that fits the filter.
func (m *model) add(r row) {
	if m.filter == "" || strings.Contains(strings.ToLower(r.text()), strings.ToLower(m.filter)) {
		m.rows = append(m.rows, r)
	}
}

// text is what the filter looks at: the names and GUIDs of both ends, what happened,
// the state and the rate.
func (r row) text() string {
	if r.event != nil {
		e := r.event
		return strings.Join([]string{e.At.Name, e.At.GUID.String(), e.To.Name, e.To.GUID.String(), string(e.Kind), e.Field}, "\n")
	}
	l := r.link
	return strings.Join([]string{l.a.name, l.a.guid.String(), l.b.name, l.b.guid.String(), l.state.String(), l.rate}, "\n")
}

func (m *model) sort() {
	o := m.order()
	c := m.view().columns[o.column]
	slices.SortStableFunc(m.rows, func(a, b row) int {
		n := c.less(a, b)
		if c.big != o.turned {
			n = -n
		}
		if n == 0 && a.link != nil {
			n = byName(a, b)
		}
		return n
	})
}

// chosen is the row under the cursor.
func (m *model) chosen() row {
	if m.cursor < len(m.rows) {
		return m.rows[m.cursor]
	}
	return row{}
}

// choose puts the cursor on a row of an earlier frame, if it is at another place than
// the first: who looks at the top wants to see the top.
func (m *model) choose(r row) {
	if m.cursor > 0 {
		if i := slices.IndexFunc(m.rows, r.same); i >= 0 {
			m.cursor = i
		}
	}
	m.follow()
}

// same reports whether two rows are about the same thing.
func (r row) same(s row) bool {
	if r.event != nil && s.event != nil {
		return r.event.ID == s.event.ID
	}
	return r.link != nil && s.link != nil && r.link.a.guid == s.link.a.guid && r.link.a.port == s.link.a.port
}

// follow keeps the cursor on a row, and the row on the screen.
func (m *model) follow() {
	m.cursor = max(0, min(m.cursor, len(m.rows)-1))
	lines := m.lines()
	m.offset = max(0, min(m.offset, m.cursor, len(m.rows)-lines), m.cursor-lines+1)
	m.offset = max(0, min(m.offset, max(0, len(m.rows)-lines)))
}
