package main

import (
	"cmp"
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/mad/field"
)

// pkg is a package with attributes.
type pkg struct {
	name   string
	module string // path of the module that it is in
	class  string // ClassPerf; "" if attributes say theirs, or have none
	fset   *token.FileSet
	attrs  []*attribute
}

// attribute is one declaration.
type attribute struct {
	name       string
	id         string // as in the directive, 0x0011; "" for a part of attributes
	class      string // ClassPerf, or a number; "" for the package's
	part       bool   // declared to be nested in attributes
	view       bool   // another layout of the attribute with the same id
	size       int    // bytes
	customDump bool
	fields     []*decl
	aliases    []*decl
	pos        token.Pos
}

// decl is one field.
type decl struct {
	name string // as in Go; "Port.LID" in a nested attribute
	elem string // an element of an array: "Entries[i].LID"; else ""
	pos  token.Pos
	typ  goType

	offset, width int
	count, stride int // count is 0 for a single value

	cname  string
	format field.Format
	flags  field.Flags

	maskOf string // "sel" or "sa", the tag that gives it bits of a mask
	bits   []int  // those bits
}

// mask is the bits as a number.
func (d *decl) mask() uint64 {
	var m uint64
	for _, b := range d.bits {
		m |= 1 << b
	}
	return m
}

// place is where the value stands in the struct v, an element for an array.
func (d *decl) place() string {
	switch {
	case d.elem != "":
		return "v." + d.elem
	case d.count > 0:
		return "v." + d.name + "[i]"
	}
	return "v." + d.name
}

// array is the array that place indexes.
func (d *decl) array() string {
	before, _, _ := strings.Cut(d.place(), "[i]")
	return before
}

// goType is the type of a field, or of the elements of an array.
type goType struct {
	text string // as it stands in the source: uint8, ib.LID
	imp  string // import path of the package it comes from, "" for this one
	bits int    // 1 for bool; total size of a byte array
	blob bool   // an array of bytes, copied as a whole
	len  int    // elements that the source declares, 0 for no array
}

// problem is an error with its place, file:line.
func (p *pkg) problem(pos token.Pos, format string, args ...any) error {
	at := p.fset.Position(pos)
	return fmt.Errorf("%s:%d: %s", at.Filename, at.Line, fmt.Sprintf(format, args...))
}

// whole are the attributes without the parts.
func (p *pkg) whole() []*attribute {
	return slices.DeleteFunc(slices.Clone(p.attrs), func(a *attribute) bool { return a.part })
}

// imports are the packages that types of fields come from and that text names.
func (p *pkg) imports(text string) []string {
	var paths []string
	for _, a := range p.attrs {
		for _, d := range a.fields {
			if d.typ.imp != "" && !slices.Contains(paths, d.typ.imp) && strings.Contains(text, path.Base(d.typ.imp)+".") {
				paths = append(paths, d.typ.imp)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// sortByID orders the attributes by identifier, so that the output does not
// depend on the names of the files they are declared in.
func (p *pkg) sortByID() {
	slices.SortStableFunc(p.attrs, func(a, b *attribute) int {
		return cmp.Or(cmp.Compare(a.id, b.id), compareBool(a.view, b.view), cmp.Compare(a.name, b.name))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// elements is the number of values.
func (d *decl) elements() int { return max(1, d.count) }

// end is the bit behind the last element.
func (d *decl) end() int { return d.offset + (d.elements()-1)*d.stride + d.width }

// isBool reports whether the field holds truth values.
func (d *decl) isBool() bool { return d.typ.text == "bool" }

// kinds are the types whose JSON is not that of a number.
var kinds = map[string]field.Kind{
	"ib.GUID": field.GUID, "ib.LID": field.LID, "ib.PKey": field.PKey, "ib.GID": field.GID,
	"ib.NodeType": field.NodeType, "ib.PortState": field.PortState, "ib.PhysState": field.PhysState,
	"ib.LinkWidth": field.LinkWidth, "ib.MTU": field.MTU, "ib.VLCap": field.VLCap,
	"ib.SMState": field.SMState, "bool": field.Bool,
}

func (d *decl) kind() field.Kind {
	if k, ok := kinds[d.typ.text]; ok {
		return k
	}
	if d.typ.blob {
		return field.Bytes
	}
	return field.Number
}

// jsonName is a Go name as a JSON key: its words in lower case, joined by
// underscores. A word in capitals counts as one, with a plural s or digits
// behind it (GIDPrefix gives gid_prefix, LIDsPerPort lids_per_port, SMLID sm_lid,
// QP1Dropped qp1_dropped, MKey m_key).
func jsonName(name string) string {
	name = mixed.Replace(name[strings.LastIndexByte(name, '.')+1:])
	var words []string
	for name != "" {
		n := firstWord(name)
		words = append(words, strings.ToLower(name[:n]))
		name = name[n:]
	}
	return strings.Join(words, "_")
}

// mixed are words that do not follow the rule.
var mixed = strings.NewReplacer("SLtoVL", "SlToVl", "QoS", "Qos")

// firstWord is the length of the first word of a Go name.
func firstWord(name string) int {
	n := 0
	for n < len(name) && isUpper(name[n]) {
		n++
	}
	for _, abbreviation := range []string{"SM", "FDR", "EDR", "HDR", "NDR"} { // others follow in capitals
		if n > len(abbreviation)+1 && strings.HasPrefix(name, abbreviation) {
			return len(abbreviation)
		}
	}
	rest := name[n:]
	plural := n > 1 && strings.HasPrefix(rest, "s") && (len(rest) == 1 || isUpper(rest[1]))
	if n > 1 && rest != "" && !plural && !isDigit(rest[0]) {
		return n - 1 // the last capital starts the next word
	}
	for n < len(name) && !isUpper(name[n]) {
		n++
	}
	return n
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
