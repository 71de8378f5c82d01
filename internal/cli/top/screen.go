package top

import (
	"fmt"
	"strings"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/columns"
	"github.com/ibscope/ibscope/internal/escape"
)

// Codes of the sixteen colours that each terminal has in its own taste.
const (
	reset    = "\x1b[0m"
	bold     = "\x1b[1m"
	faint    = "\x1b[2m"
	inverse  = "\x1b[7m"
	red      = "\x1b[31m"
	yellow   = "\x1b[33m"
	cyan     = "\x1b[36m"
	minWidth = 40
)

// above and below the table: the title, what is wrong, the tabs, the titles of the
// columns; both ends of the chosen row, and the keys.
const (
	headLines = 4
	footLines = 3
)

// lines is how many rows of the table there is room for.
func (m *model) lines() int { return max(1, m.height-headLines-footLines) }

// screen is the lines of the screen.
func (m *model) screen() []string {
	if m.help {
		return m.helpScreen()
	}
	out := []string{m.titleLine(), m.totalsLine(), m.tabsLine()}
	out = append(out, m.table()...)
	for len(out) < m.height-footLines {
		out = append(out, "")
	}
	out = append(out, m.detailLines()...)
	out = append(out, m.keyLine())
	return out[:min(len(out), m.height)]
}

// colours takes the colours out, codes all that is no text.
var colours = strings.NewReplacer(red, "", yellow, "", cyan, "")

var codes = strings.NewReplacer(reset, "", bold, "", faint, "", inverse, "", red, "", yellow, "", cyan, "")

// plainText is a line without colours.
func plainText(line string) string { return codes.Replace(line) }

// fit cuts and fills a text to the width of the screen.
func (m *model) fit(text string) string {
	return columns.Pad(columns.Cut(text, max(minWidth, m.width)), m.width, false)
}

// beside puts two texts at the two ends of a line.
func (m *model) beside(left, right string) string {
	room := max(2, m.width-columns.Width(right)-1)
	return columns.Pad(columns.Cut(left, room), room, false) + " " + right
}

func (m *model) titleLine() string {
	left := " ibscope top"
	if f := m.shown; f != nil {
		left += "   " + escape.Text(f.fabric) + "   " + escape.Text(f.source)
	}
	return inverse + m.beside(left, m.age()+" ") + reset
}

// age says how old what is shown is.
func (m *model) age() string {
	clock := m.now.Format(time.TimeOnly)
	switch {
	case m.shown == nil:
		return "reading the fabric  " + clock
	case m.frozen:
		return "FROZEN at " + m.shown.at.Format(time.TimeOnly) + "  " + clock
	case m.shown.lost != "":
		return "LOST since " + m.shown.at.Format(time.TimeOnly) + "  " + clock
	}
	return fmt.Sprintf("%s ago  %s", max(0, m.now.Sub(m.shown.at)).Truncate(time.Second), clock)
}

// totalsLine sums the fabric up.
func (m *model) totalsLine() string {
	f := m.shown
	if f == nil {
		return ""
	}
	if f.lost != "" {
		return red + m.fit(" "+escape.Text(f.lost)) + reset
	}
	var traffic float64
	up, known, down, slow, waits, faulty := 0, false, 0, 0, 0, 0
	for i := range f.links {
		l := &f.links[i]
		if l.b.guid == 0 {
			continue
		}
		for _, way := range []func() (float64, bool){l.forward, l.backward} {
			if v, ok := way(); ok {
				traffic, known = traffic+v, true
			}
		}
		up += one(l.state == ib.PortActive)
		down += one(l.state != ib.PortActive)
		slow += one(l.best != "")
		waits += one(max(l.a.congestion, l.b.congestion) >= 0.05)
		faulty += one(rising(l) > 0)
	}
	text := fmt.Sprintf(" %d hosts, %d switches, %d links", f.hosts, f.switches, up+down)
	for _, c := range []count{{down, "down"}, {slow, "slow"}, {waits, "waiting"}, {faulty, "with new errors"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	return m.beside(text, m.rate(traffic, known)+" ")
}

// count is a number and what it counts.
type count struct {
	n    int
	what string
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// tabsLine names the tables, and the filter.
func (m *model) tabsLine() string {
	var b strings.Builder
	width := 0
	put := func(code, text string) {
		if width+columns.Width(text) <= m.width {
			b.WriteString(code + text + reset)
			width += columns.Width(text)
		}
	}
	for i, v := range views {
		code := faint
		if i == m.current && len(m.path) == 0 {
			code = bold + inverse
		}
		put(code, " "+v.key+" "+v.title+" ")
	}
	if len(m.path) > 0 {
		put(bold+inverse, " "+columns.Cut(m.nodeName(m.path[len(m.path)-1]), 30)+" ")
	}
	switch {
	case m.typing:
		put(cyan, "  /"+escape.Text(m.filter)+"█")
	case m.filter != "":
		put(cyan, "  /"+escape.Text(m.filter)+" ")
	}
	if n := len(m.rows); n > 0 {
		part := fmt.Sprintf("%d-%d of %d ", m.offset+1, min(n, m.offset+m.lines()), n)
		put("", strings.Repeat(" ", max(1, m.width-width-columns.Width(part))))
		put(faint, part)
	}
	return b.String()
}

// nodeName is the whole name of a node.
func (m *model) nodeName(guid ib.GUID) string {
	for i := range m.shown.links {
		for _, e := range []*end{&m.shown.links[i].a, &m.shown.links[i].b} {
			if e.guid == guid && e.name != "" {
				return escape.Text(e.name)
			}
		}
	}
	return guid.String()
}

// detailLines tell both ends of the row that is chosen with all that there is room for.
func (m *model) detailLines() []string {
	r := m.chosen()
	switch {
	case m.message != "":
		return []string{yellow + m.fit(" "+m.message) + reset, ""}
	case r.event != nil:
		e := r.event
		return []string{
			m.fit(fmt.Sprintf(" %s  %s  by %s", e.Time.Format(time.DateTime), e.Kind, escape.Text(e.How))),
			m.fit(" " + m.eventEnds(r)),
		}
	case r.link != nil:
		return []string{m.fit(" > " + m.endText(&r.link.a)), m.fit(" < " + m.endText(&r.link.b))}
	}
	return []string{"", ""}
}

// eventEnds names both ends of an event, with their GUIDs as far as there is room.
func (m *model) eventEnds(r row) string {
	whole := settings{long: true}
	text := place(&r.event.At, &whole)
	guids := "  " + r.event.At.GUID.String()
	if r.event.To.GUID != 0 {
		text += " – " + place(&r.event.To, &whole)
		guids += " – " + r.event.To.GUID.String()
	}
	if columns.Width(text+guids) < m.width-1 {
		return text + guids
	}
	return text
}

// endText is all about an end that there is room for in a line.
func (m *model) endText(e *end) string {
	if e.guid == 0 {
		return "nothing is connected"
	}
	parts := []string{fmt.Sprintf("%s/%d %s", e.guid, e.port, escape.Text(e.name))}
	if e.counted {
		parts = append(parts, m.rate(e.xmit, e.rated), number(e.errors)+" errors", number(e.downed)+" downs")
	} else {
		parts = append(parts, "counters not read")
	}
	if e.lid != 0 {
		parts = append(parts, fmt.Sprintf("LID %d", uint16(e.lid)))
	}
	if e.worst != "" {
		parts = append(parts, e.worst)
	}
	text := parts[0]
	for _, p := range parts[1:] {
		if columns.Width(text)+2+columns.Width(p) > m.width-3 {
			break
		}
		text += "  " + p
	}
	return text
}

// keyLine lists the keys that matter most.
func (m *model) keyLine() string {
	text := " q quit  ? help  ↵ node  o peer  esc back  ←→ r sort  / filter  space freeze"
	if m.typing {
		text = " type a part of a name, GUID, state or rate; ↵ keeps it, esc drops it"
	}
	return inverse + m.fit(text) + reset
}
