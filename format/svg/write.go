package svg

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/format/drawing"
)

// Write writes a drawing. Errors are those of the writer.
func Write(out io.Writer, d *drawing.Drawing) error {
	w := &writer{bufio.NewWriterSize(out, 1<<16)}
	w.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif">`+"\n",
		number(d.Width), number(d.Height))
	w.add("<title>%s</title>\n<desc>%s</desc>\n", text(d.Title), text(d.Subtitle))
	w.add(`<rect width="100%%" height="100%%" fill="%s"/>`+"\n", drawing.Paper)
	for i := range d.Rects {
		w.rect(&d.Rects[i])
	}
	w.add(`<g fill="none" stroke-linejoin="round">` + "\n")
	for i := range d.Lines {
		w.line(&d.Lines[i])
	}
	w.add("</g>\n")
	for i := range d.Boxes {
		w.rect(&d.Boxes[i])
	}
	for i := range d.Texts {
		w.text(&d.Texts[i])
	}
	w.add("</svg>\n")
	return w.Flush()
}

type writer struct{ *bufio.Writer }

func (w *writer) add(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// number is a coordinate with a precision of a hundredth of a pixel.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// text is the one place that turns text into XML. Drawings have no characters that
// XML has no place for.
func text(s string) string { return escaper.Replace(s) }

// close ends an element, with a tooltip if there is one.
func (w *writer) close(name, tip string) {
	if tip == "" {
		w.WriteString("/>\n")
		return
	}
	w.add("><title>%s</title></%s>\n", text(tip), name)
}

func (w *writer) rect(r *drawing.Rect) {
	w.add(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="%s"`,
		number(r.X), number(r.Y), number(r.W), number(r.H), number(r.Round), paint(r.Fill), paint(r.Stroke))
	if r.Dashed {
		w.WriteString(` stroke-dasharray="4 3"`)
	}
	w.close("rect", r.Tip)
}

func paint(colour string) string {
	if colour == "" {
		return "none"
	}
	return colour
}

func (w *writer) line(l *drawing.Line) {
	w.WriteString(`<path d="`)
	for i, p := range l.Points {
		switch {
		case i == 0:
			w.WriteByte('M')
		case l.Curved && i == 1:
			w.WriteByte('Q')
		case l.Curved:
			w.WriteByte(' ')
		default:
			w.WriteByte('L')
		}
		w.WriteString(number(p.X) + " " + number(p.Y))
	}
	w.add(`" stroke="%s" stroke-width="%s"`, l.Stroke, number(l.Width))
	if l.Opacity != 1 {
		w.add(` stroke-opacity="%s"`, number(l.Opacity))
	}
	if len(l.Dash) > 0 {
		w.add(` stroke-dasharray="%s %s"`, number(l.Dash[0]), number(l.Dash[1]))
	}
	w.close("path", l.Tip)
}

func (w *writer) text(t *drawing.Text) {
	w.WriteString("<text ")
	if t.Turned {
		w.add(`transform="translate(%s %s) rotate(-90)"`, number(t.X), number(t.Y))
	} else {
		w.add(`x="%s" y="%s"`, number(t.X), number(t.Y))
	}
	w.add(` font-size="%s" fill="%s"`, number(t.Size), t.Fill)
	if t.Bold {
		w.WriteString(` font-weight="bold"`)
	}
	if t.Middle {
		w.WriteString(` text-anchor="middle"`)
	}
	if t.Halo {
		w.WriteString(` paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round"`)
	}
	w.add(" pointer-events=\"none\">%s</text>\n", text(t.Value))
}
