package main

import "fmt"

// testFile is zattr_test.go.
func testFile(p *pkg) []byte {
	w := p.file("testing", p.module+"/mad/field/fieldtest")
	for _, a := range p.attrs {
		w.printf("func Fuzz%[1]s(f *testing.F) {\nfieldtest.Seed(f, %[2]d)\n", a.name, a.size)
		w.printf("f.Fuzz(func(t *testing.T, in []byte) {\nvar b [%d]byte\ncopy(b[:], in)\n", a.size)
		w.printf("var v, again, wide %s\nv.Decode(&b)\no := fieldtest.New(t, b[:])\n", a.name)
		for _, d := range a.fields {
			writeCheck(w, d)
		}
		w.printf("for _, fill := range fieldtest.Fills {\n")
		w.printf("got := [%[1]d]byte(fieldtest.Filled(fill, %[1]d))\nv.Encode(&got)\no.Encoded(got[:], fill)\n", a.size)
		w.printf("if again.Decode(&got); again != v {\nt.Errorf(\"decode(encode(v)) = %%+v, want %%+v\", again, v)\n}\n}\n")
		w.printf("fieldtest.Widest(&wide)\nvar got [%d]byte\nwide.Encode(&got)\no.Widest(got[:])\n", a.size)
		w.printf("fieldtest.Truncated(t, &v, %d)\nfieldtest.Printed(t, &v)\n", a.size)
		w.printf("})\n}\n\n")
	}
	return w.Bytes()
}

// writeCheck compares one field with the oracle.
func writeCheck(w *writer, d *decl) {
	if d.count > 0 {
		w.printf("for i := range %s {\n", d.array())
		defer w.printf("}\n")
	}
	place, offset := d.place(), fmt.Sprint(d.offset)
	if d.count > 0 {
		offset = fmt.Sprintf("%d+i*%d", d.offset, d.stride)
	}
	switch {
	case d.typ.blob:
		w.printf("o.Bytes(%q, %s[:], %s)\n", d.name, place, offset)
	case d.isBool():
		w.printf("o.Bool(%q, %s, %s)\n", d.name, place, offset)
	default:
		w.printf("o.Uint(%q, uint64(%s), %s, %d)\n", d.name, place, offset, d.width)
	}
}
