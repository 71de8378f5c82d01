package top

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/internal/columns"
)

// minName is the width below which a column without one of its own is not made.
const minName = 12

// maxName is how wide it gets at most: descriptions have 64 characters, and few so many.
const maxName = 48

// marks are the colours of marks.
var marks = [...]string{plain: "", dim: faint, warn: yellow, bad: red}

// table is the titles and rows of the table.
func (m *model) table() []string {
	v := m.view()
	shown, widths := layOut(v.columns, m.width)
	out := []string{m.titles(v, shown, widths)}
	switch {
	case m.shown == nil:
		return append(out, "", "  The first sweep is under way.")
	case len(m.rows) == 0 && m.filter != "":
		return append(out, "", "  Nothing fits the filter; esc drops it.")
	case len(m.rows) == 0:
		return append(out, "", "  "+strings.ToUpper(v.empty[:1])+v.empty[1:]+".")
	}
	for i := m.offset; i < min(m.offset+m.lines(), len(m.rows)); i++ {
		out = append(out, m.line(v, shown, widths, i))
	}
	return out
}

// layOut chooses the columns that there is room for, and their widths.
func layOut(all []column, width int) (shown, widths []int) {
	for i := range all {
		shown = append(shown, i)
	}
	for {
		room, sharing := width-1, 0
		for _, i := range shown {
			room -= all[i].width + 1
			sharing += one(all[i].width == 0)
		}
		worst := 0
		for _, i := range shown {
			worst = max(worst, all[i].rank)
		}
		if sharing == 0 || room/sharing >= minName || worst == 0 {
			return shown, shareOut(all, shown, room, sharing)
		}
		shown = slices.DeleteFunc(shown, func(i int) bool { return all[i].rank == worst })
	}
}

// shareOut gives each column its width; those without one share the room.
func shareOut(all []column, shown []int, room, sharing int) (widths []int) {
	for _, i := range shown {
		w := all[i].width
		if w == 0 {
			w = min(maxName, max(4, room/sharing))
			room, sharing = room-w, sharing-1
		}
		widths = append(widths, w)
	}
	return widths
}

func (m *model) titles(v *view, shown, widths []int) string {
	o := m.order()
	var b strings.Builder
	for k, i := range shown {
		c := &v.columns[i]
		title, code := c.title, faint
		if i == o.column {
			title, code = sorted(c, o.turned, widths[k]), bold
		}
		b.WriteString(" " + code + columns.Pad(columns.Cut(title, widths[k]), widths[k], c.right) + reset)
	}
	return b.String()
}

// sorted is the title of the column by which the table is sorted.
func sorted(c *column, turned bool, width int) string {
	arrow := "↑"
	if c.big != turned {
		arrow = "↓"
	}
	title := []rune(c.title)
	return string(title[:min(len(title), max(0, width-1))]) + arrow
}

// line is a row of the table.
func (m *model) line(v *view, shown, widths []int, n int) string {
	r := m.rows[n]
	base := ""
	if n == m.cursor {
		base = inverse
	}
	var b strings.Builder
	b.WriteString(base)
	for k, i := range shown {
		c := &v.columns[i]
		text := columns.Pad(columns.Cut(c.text(r, &m.settings), widths[k]), widths[k], c.right)
		code := ""
		if c.mark != nil {
			code = marks[c.mark(r)]
		}
		b.WriteByte(' ')
		if code == "" {
			b.WriteString(text)
			continue
		}
		b.WriteString(code + text + reset + base)
	}
	b.WriteString(reset)
	return b.String()
}
