package dbcsv

import "strings"

// indexColumn reads the index at the end of the file.
func indexColumn(name string) (column, bool) {
	c := column{name: name}
	switch strings.ToUpper(name) {
	case "NAME":
		c.take = func(v *values, text string) bool { v.desc = text; return true }
	case "ROWS":
		c.take = func(v *values, text string) bool {
			n, ok := number(text, 31)
			v.num = int(n)
			return ok
		}
	default:
		return c, false
	}
	return c, true
}

// checkIndex compares a line of the index with what was found.
func checkIndex(d *reader, v *values) {
	for _, s := range d.db.Sections {
		if s.Name != v.desc {
			continue
		}
		if s.Rows != v.num {
			d.Bad(v.line, "the index says that section %s has %d rows, but %d are there", s.Name, v.num, s.Rows)
		}
		return
	}
	d.Bad(v.line, "the index has a section %q, which is not there", v.desc)
}
