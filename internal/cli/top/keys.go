package top

import (
	"unicode/utf8"

	"github.com/ibscope/ibscope/ib"
)

// key does what a key asks for; false ends the program.
func (m *model) key(name string) bool {
	m.message = ""
	switch {
	case name == "ctrl-c":
		return false
	case m.help:
		m.help = false
		return true
	case m.typing:
		m.typeFilter(name)
		return true
	case m.move(name), m.turn(name), m.walk(name):
		return true
	}
	switch name {
	case "q":
		return false
	case "?", "h", "f1":
		m.help = true
	case "/":
		m.typing = true
	case "space", "p":
		m.freeze()
	case "u":
		m.bytes = !m.bytes
	case "n":
		m.long = !m.long
	default:
		m.message = "? lists the keys"
	}
	return true
}

// freeze stops the screen, or lets it go on.
func (m *model) freeze() {
	m.frozen = !m.frozen
	if !m.frozen && m.latest != nil {
		m.show()
	}
}

// typeFilter takes a key as a part of the filter.
func (m *model) typeFilter(name string) {
	switch name {
	case "enter":
		m.typing = false
		return
	case "esc":
		m.typing, m.filter = false, ""
	case "backspace":
		if r := []rune(m.filter); len(r) > 0 {
			m.filter = string(r[:len(r)-1])
		}
	case "ctrl-u":
		m.filter = ""
	case "space":
		m.filter += " "
	default:
		if utf8.RuneCountInString(name) == 1 && len(m.filter) < maxFilter {
			m.filter += name
		}
	}
	m.cursor, m.offset = 0, 0
	m.fill()
}

const maxFilter = 100

// move moves the cursor; false for a key that does not.
func (m *model) move(key string) bool {
	page := max(1, m.lines()-1)
	switch key {
	case "up", "k":
		m.cursor--
	case "down", "j":
		m.cursor++
	case "pgup", "ctrl-b":
		m.cursor -= page
	case "pgdown", "ctrl-f":
		m.cursor += page
	case "home", "g":
		m.cursor = 0
	case "end", "G":
		m.cursor = len(m.rows) - 1
	default:
		return false
	}
	m.follow()
	return true
}

// turn goes to another table, or sorts this one; false for a key that does neither.
func (m *model) turn(key string) bool {
	o := m.order()
	columns := len(m.view().columns)
	switch key {
	case "tab":
		m.open((m.current + 1) % len(views))
	case "shift-tab":
		m.open((m.current + len(views) - 1) % len(views))
	case "1", "2", "3", "4", "5":
		m.open(int(key[0] - '1'))
	case "right", "s", ">":
		o.column, o.turned = (o.column+1)%columns, false
	case "left", "S", "<":
		o.column, o.turned = (o.column+columns-1)%columns, false
	case "r":
		o.turned = !o.turned
	default:
		return false
	}
	m.fill()
	return true
}

// open shows a table from its top.
func (m *model) open(n int) {
	m.current, m.path = n, nil
	m.cursor, m.offset = 0, 0
}

// walk goes into a node, from there to the next one, and back; false for a key that
// does not.
func (m *model) walk(key string) bool {
	switch key {
	case "enter":
		m.enter(m.target(len(m.path) > 0))
	case "o":
		m.enter(m.target(true))
	case "esc", "backspace":
		switch {
		case len(m.path) > 0:
			m.path = m.path[:len(m.path)-1]
			m.cursor, m.offset = 0, 0
		default:
			m.filter = ""
		}
	default:
		return false
	}
	m.fill()
	return true
}

// target is the node to go into from the row that is chosen: the peer or the node.
func (m *model) target(peer bool) ib.GUID {
	r := m.chosen()
	switch {
	case r.event != nil && peer:
		return r.event.To.GUID
	case r.event != nil:
		return r.event.At.GUID
	case r.link != nil && peer:
		return r.link.b.guid
	case r.link != nil:
		return r.link.a.guid
	}
	return 0
}

func (m *model) enter(guid ib.GUID) {
	if guid == 0 {
		m.message = "there is nothing at the other end"
		return
	}
	if len(m.path) < maxPath {
		m.path = append(m.path, guid)
	} else {
		m.path[len(m.path)-1] = guid
	}
	m.filter, m.cursor, m.offset = "", 0, 0
}

// maxPath is how many nodes back the way leads.
const maxPath = 64
