package dashboard

// widths are those of the letters of Helvetica and what is made like it, from the blank
// on, in thousandths of the size.
var widths = [95]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// wider is by how much a font may be wider than Helvetica: where there is none like it,
// as on many Linux desktops, a browser takes DejaVu Sans.
const wider = 1.15

// textWidth is how wide a text is at a size in pixels, at most.
func textWidth(s string, size float64) float64 {
	sum := 0
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			sum += widths[r-' ']
		default:
			sum += 1000
		}
	}
	return float64(sum) * size * wider / 1000
}

// cut shortens a text to a width.
func cut(s string, size, width float64) string {
	if textWidth(s, size) <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && textWidth(string(r)+"…", size) > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}
