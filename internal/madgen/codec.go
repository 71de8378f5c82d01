package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// codecFile is zcodec.go.
func codecFile(p *pkg) []byte {
	var body writer
	writeIDs(&body, p)
	for _, a := range p.attrs {
		writeDecode(&body, a)
		writeEncode(&body, a)
		writeBinary(&body, a)
	}
	imports := append(p.imports(body.String()), p.module+"/mad", p.module+"/mad/field")
	text := body.String()
	if !strings.Contains(text, "mad.") {
		imports = slices.DeleteFunc(imports, func(s string) bool { return s == p.module+"/mad" })
	}
	if strings.Contains(text, "binary.BigEndian") {
		imports = append(imports, "encoding/binary")
	}
	w := p.file(imports...)
	w.printf("%s", text)
	if strings.Contains(text, "b2u(") {
		w.printf("func b2u(v bool) uint8 {\nif v {\nreturn 1\n}\nreturn 0\n}\n")
	}
	return w.Bytes()
}

func writeIDs(w *writer, p *pkg) {
	attrs := p.whole()
	if len(attrs) == 0 {
		return
	}
	w.printf("// Identifiers of the attributes of this package.\nconst (\n")
	for _, a := range attrs {
		w.printf("Attr%s mad.AttrID = %s\n", a.name, a.id)
	}
	w.printf(")\n\n")
	for _, a := range attrs {
		w.printf("// AttrID is the identifier of the attribute, %s.\n", a.id)
		w.printf("func (*%s) AttrID() mad.AttrID { return Attr%s }\n\n", a.name, a.name)
		if class := cmp.Or(a.class, p.class); class != "" {
			w.printf("// Class is the management class of the attribute.\n")
			w.printf("func (*%s) Class() mad.Class { return %s }\n\n", a.name, classExpr(class))
		}
	}
}

// classExpr is a class as Go source.
func classExpr(class string) string {
	if strings.HasPrefix(class, "0x") {
		return class
	}
	return "mad." + class
}

func writeDecode(w *writer, a *attribute) {
	w.printf("// Decode sets v from its wire form.\nfunc (v *%s) Decode(b *[%d]byte) {\n", a.name, a.size)
	for _, d := range a.fields {
		if d.typ.blob {
			d.eachBlob(w, func(target, data string) string { return fmt.Sprintf("copy(%s[:], %s)\n", target, data) })
			continue
		}
		d.eachValue(w, func(target string, s span, at func(int) string) string {
			e := s.load(at)
			switch {
			case d.isBool():
				return fmt.Sprintf("%s = %s != 0\n", target, e)
			case s.plainType() == d.typ.text:
				return fmt.Sprintf("%s = %s\n", target, e)
			}
			return fmt.Sprintf("%s = %s(%s)\n", target, d.typ.text, e)
		})
	}
	w.printf("}\n\n")
}

// plainType is the type of the expression that load gives.
func (s span) plainType() string {
	switch {
	case s.n == 1:
		return "uint8"
	case s.n == 2:
		return "uint16"
	case s.n <= 4:
		return "uint32"
	}
	return "uint64"
}

func writeEncode(w *writer, a *attribute) {
	w.printf("// Encode writes the wire form of v; bits that v does not declare stay.\n")
	w.printf("func (v *%s) Encode(b *[%d]byte) {\n", a.name, a.size)
	for _, d := range a.fields {
		if d.typ.blob {
			d.eachBlob(w, func(target, data string) string { return fmt.Sprintf("copy(%s, %s[:])\n", data, target) })
			continue
		}
		d.eachValue(w, func(target string, s span, at func(int) string) string {
			if d.isBool() {
				target = "b2u(" + target + ")"
			}
			return s.store(at, target)
		})
	}
	w.printf("}\n\n")
}

// eachValue writes what one makes for the values of a field: arrays of whole
// bytes apart become a loop, everything else is straight line.
func (d *decl) eachValue(w *writer, one func(target string, s span, at func(int) string) string) {
	switch {
	case d.count == 0:
		s := spanOf(d.offset, d.width)
		w.printf("%s", one(d.place(), s, constant(s.first)))
	case d.stride%8 == 0:
		s := spanOf(d.offset, d.width)
		w.printf("for i := range %s {\no := %d + i*%d\n%s}\n", d.array(), s.first, d.stride/8, one(d.place(), s, variable))
	default:
		for i := range d.count {
			s := spanOf(d.offset+i*d.stride, d.width)
			target := strings.Replace(d.place(), "[i]", fmt.Sprintf("[%d]", i), 1)
			w.printf("%s", one(target, s, constant(s.first)))
		}
	}
}

// eachBlob writes what one makes for an array of bytes and the part of the
// data that it occupies, in a loop if there are several.
func (d *decl) eachBlob(w *writer, one func(target, data string) string) {
	first, n := d.offset/8, d.width/8
	if d.count == 0 {
		w.printf("%s", one(d.place(), fmt.Sprintf("b[%d:%d]", first, first+n)))
		return
	}
	w.printf("for i := range %s {\no := %d + i*%d\n%s}\n", d.array(), first, d.stride/8, one(d.place(), fmt.Sprintf("b[o:o+%d]", n)))
}

func constant(first int) func(int) string {
	return func(i int) string { return fmt.Sprint(first + i) }
}

func variable(i int) string {
	if i == 0 {
		return "o"
	}
	return fmt.Sprintf("o+%d", i)
}

func writeBinary(w *writer, a *attribute) {
	w.printf("// UnmarshalBinary sets v from its wire form; data shorter than %d bytes is a\n// *field.Error.\n", a.size)
	w.printf("func (v *%s) UnmarshalBinary(data []byte) error {\n", a.name)
	w.printf("if len(data) < %d {\nreturn field.TooShort(%q, %d, len(data))\n}\n", a.size, a.name, a.size)
	w.printf("v.Decode((*[%d]byte)(data))\nreturn nil\n}\n\n", a.size)
	w.printf("// AppendBinary appends the wire form of v; bits that v does not declare are 0.\n")
	w.printf("func (v *%s) AppendBinary(dst []byte) ([]byte, error) {\n", a.name)
	w.printf("var b [%d]byte\nv.Encode(&b)\nreturn append(dst, b[:]...), nil\n}\n\n", a.size)
}
