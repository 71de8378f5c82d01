package dashboard

// tableRow is the height of a row of a table.
const tableRow = 31

// table draws a table: columns of a width of their own, the others share what is left.
func (a *Answers) table(c *canvas, p *Panel, t *table, b box) {
	fields := make([]Field, len(t.names))
	left, shared := b.w, 0.0
	for i, name := range t.names {
		fields[i] = p.field(name)
		if w := fields[i].Custom.Width; w > 0 {
			left -= w
		} else {
			shared++
		}
	}
	c.rect(box{b.x + 1, b.y, b.w - 2, tableRow - 3}, "#1e2126", "")
	x := b.x
	for i, name := range t.names {
		w := fields[i].Custom.Width
		if w == 0 {
			w = left / shared
		}
		head, numeric := font{size: 12.5, colour: linkColour, bold: true}, t.numeric(i)
		at := x + 8
		if numeric {
			head.anchor, at = "end", x+w-8
		}
		c.text(at, b.y+18, head, cut(name, 13, w-12))
		for r, row := range t.rows {
			y := b.y + tableRow*float64(r+1) - 3
			if y+tableRow > b.y+b.h+4 {
				break
			}
			if i == 0 && r > 0 {
				c.line(b.x+1, y, b.x+b.w-1, y, borderColour, "")
			}
			a.cell(c, &fields[i], row[i], box{x, y, w, tableRow})
		}
		x += w
	}
}

func (a *Answers) cell(c *canvas, f *Field, v cell, b box) {
	text, colour := v.text, ""
	at, look := b.x+8, font{size: 13, colour: textColour}
	if v.isNum {
		text, colour = a.text(f, v.number)
		at, look.anchor = b.x+b.w-8, "end"
	}
	switch f.Custom.CellOptions.Type {
	case "color-background":
		if colour != "" && text != "" {
			c.rect(b.shrink(1, 1, 1, 1), colour, ` opacity="0.8"`)
			look.colour = "#111217"
		}
	case "color-text":
		if colour != "" {
			look.colour = colour
		}
	}
	c.text(at, b.y+20, look, cut(text, 13, b.w-12))
}

// numeric tells whether a column has numbers.
func (t *table) numeric(column int) bool {
	for _, row := range t.rows {
		if row[column].isNum {
			return true
		}
	}
	return false
}
