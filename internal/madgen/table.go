package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/mad/field"
)

// tableFile is ztable.go.
func tableFile(p *pkg) []byte {
	imports := []string{p.module + "/mad/field"}
	if slices.ContainsFunc(p.whole(), func(a *attribute) bool { return strings.HasPrefix(cmp.Or(a.class, p.class), "Class") }) {
		imports = append([]string{p.module + "/mad"}, imports...)
	}
	w := p.file(imports...)
	if len(p.whole()) > 0 {
		writeAttributes(w, p)
	}
	for _, a := range p.attrs {
		w.printf("var fields%s = field.Table{\n", a.name)
		for _, d := range a.fields {
			writeField(w, d)
		}
		for _, d := range a.aliases {
			writeField(w, d)
		}
		w.printf("}\n\n")
		writeTableMethods(w, a)
	}
	return w.Bytes()
}

func writeAttributes(w *writer, p *pkg) {
	w.printf("var attributes = [...]field.Attribute{\n")
	for _, a := range p.whole() {
		more := ""
		if class := cmp.Or(a.class, p.class); class != "" {
			more = "Class: " + classExpr(class) + ", "
		}
		if a.view {
			more += "View: true, "
		}
		w.printf("{ID: Attr%[1]s, Name: %[1]q, Size: %[2]d, Fields: fields%[1]s, %[3]sNew: func() field.Value { return new(%[1]s) }},\n",
			a.name, a.size, more)
	}
	w.printf("}\n\n")
	w.printf("// Attributes describes the attributes of this package, ordered by identifier.\n")
	w.printf("// The caller must not change it.\n")
	w.printf("func Attributes() []field.Attribute { return attributes[:] }\n\n")
}

func writeField(w *writer, d *decl) {
	json := jsonName(d.name)
	if d.flags&field.Alias != 0 {
		json = ""
	}
	w.printf("{C: %q, Go: %q, JSON: %q, Offset: %d, Width: %d", d.cname, d.name, json, d.offset, d.width)
	if d.count > 0 {
		w.printf(", Count: %d, Stride: %d", d.count, d.stride)
	}
	if d.format != field.Uint {
		w.printf(", Format: field.%s", formatConst(d.format))
	}
	if k := d.kind(); k != field.Number {
		w.printf(", Kind: field.%s", kindConst(k))
	}
	if len(d.bits) > 0 {
		w.printf(", Mask: %#x", d.mask())
	}
	separator := ", Flags: "
	for _, f := range flagConsts {
		if d.flags&f.flag != 0 {
			w.printf("%sfield.%s", separator, f.name)
			separator = " | "
		}
	}
	w.printf("},\n")
}

// flagConsts are the flags by name.
var flagConsts = []struct {
	flag field.Flags
	name string
}{{field.Extra, "Extra"}, {field.Alias, "Alias"}, {field.Secret, "Secret"}}

func kindConst(k field.Kind) string {
	if k == field.Bytes {
		return "Bytes"
	}
	for text, other := range kinds {
		if other == k {
			name := strings.TrimPrefix(text, "ib.")
			return strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return fmt.Sprintf("Kind(%d)", k)
}

// formatConst is the Go name of a format.
func formatConst(f field.Format) string {
	return map[field.Format]string{
		field.Hex: "Hex", field.RawHex: "RawHex", field.Array: "Array", field.Text: "Text",
		field.NodeTypeText: "NodeTypeText", field.StateText: "StateText", field.PhysText: "PhysText",
		field.DownDefaultText: "DownDefaultText", field.MTUText: "MTUText",
		field.VLCapText: "VLCapText", field.OperVLsText: "OperVLsText",
		field.Width: "Width", field.WidthSupported: "WidthSupported", field.WidthEnabled: "WidthEnabled",
		field.Speed: "Speed", field.SpeedSupported: "SpeedSupported", field.SpeedEnabled: "SpeedEnabled",
		field.ExtSpeed: "ExtSpeed", field.ExtSpeedSupported: "ExtSpeedSupported", field.ExtSpeedEnabled: "ExtSpeedEnabled",
		field.ExtSpeed2: "ExtSpeed2", field.ExtSpeed2Supported: "ExtSpeed2Supported", field.ExtSpeed2Enabled: "ExtSpeed2Enabled",
		field.CapMask: "CapMask", field.CapMask2: "CapMask2",
	}[f]
}

func writeTableMethods(w *writer, a *attribute) {
	w.printf("// Fields is the field table of the attribute. The caller must not change it.\n")
	w.printf("func (*%[1]s) Fields() field.Table { return fields%[1]s }\n\n", a.name)
	if !a.customDump {
		w.printf("// AppendDump appends the lines that libibmad prints for the attribute.\n")
		w.printf("func (v *%s) AppendDump(dst []byte) []byte {\nvar b [%d]byte\nv.Encode(&b)\n", a.name, a.size)
		w.printf("return fields%s.AppendDump(dst, b[:])\n}\n\n", a.name)
	}
	w.printf("// AppendJSON appends v as a JSON object; see field.Table.AppendJSON.\n")
	w.printf("func (v *%s) AppendJSON(dst []byte) []byte {\nvar b [%d]byte\nv.Encode(&b)\n", a.name, a.size)
	w.printf("return fields%s.AppendJSON(dst, b[:])\n}\n\n", a.name)
	w.printf("// MarshalJSON implements json.Marshaler.\n")
	w.printf("func (v %s) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }\n\n", a.name)
}
