package field

// Changed lists the fields in which two wire forms of an attribute differ, of
// arrays the elements, in the order of the table. Arrays that are shown as a
// whole, and single values of many bytes, are one field.
func (t Table) Changed(a, b []byte) []Field {
	var list []Field
	for i := range t {
		f := &t[i]
		if f.Flags&Alias != 0 {
			continue
		}
		if f.Format == Array || f.Format == Text {
			if string(f.Bytes(a)) != string(f.Bytes(b)) {
				list = append(list, *f)
			}
			continue
		}
		for j := range f.Elements() {
			e := f.Element(j)
			if e.Uint(a) != e.Uint(b) || e.Width > 64 && string(e.Bytes(a)) != string(e.Bytes(b)) {
				list = append(list, e)
			}
		}
	}
	return list
}
