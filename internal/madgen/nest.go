package main

import (
	"go/ast"

	"github.com/ibscope/ibscope/mad/field"
)

// nestedStruct is a struct that is the type of a field, or of its elements.
type nestedStruct struct {
	st    *ast.StructType
	types *resolver // for the fields in it
	count int       // elements that the source declares, 0 for no array
}

// structOf gives the struct that e names; nil if it is something else.
func (r *resolver) structOf(e ast.Expr) *nestedStruct {
	n := &nestedStruct{}
	if a, ok := e.(*ast.ArrayType); ok {
		count, err := length(a)
		if err != nil {
			return nil
		}
		n.count, e = count, a.Elt
	}
	inner := *r
	var d typeDecl
	switch e := e.(type) {
	case *ast.Ident:
		d = r.own[e.Name]
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name
		types, err := r.typesOf(r.imports[name])
		if err != nil {
			return nil
		}
		d = types[e.Sel.Name]
		inner.own, inner.name, inner.path = types, name, r.imports[name]
	}
	st, ok := d.expr.(*ast.StructType)
	if !ok {
		return nil
	}
	inner.imports = d.imports
	n.st, n.types = st, &inner
	return n
}

// nest makes the fields of the struct in field d, an array of count if that is
// not 0, fields of the struct around it.
func (p *pkg) nest(d *decl, count int, inner []*decl) ([]*decl, error) {
	if count != d.count {
		return nil, p.problem(d.pos, "%s: the type has %d elements, the tag %d", d.name, count, d.count)
	}
	bits := d.bits
	for _, in := range inner {
		if in.end() > d.width {
			return nil, p.problem(d.pos, "%s.%s: ends at bit %d, but there are %d", d.name, in.name, in.end(), d.width)
		}
		if count > 0 && in.count > 0 {
			return nil, p.problem(d.pos, "%s.%s: an array in an array is not supported", d.name, in.name)
		}
		in.pos, in.offset = d.pos, in.offset+d.offset
		switch {
		case count > 0:
			in.count, in.stride, in.typ.len = count, d.stride, count
			in.elem = d.name + "[i]." + in.name
		case in.elem != "":
			in.elem = d.name + "." + in.elem
		case in.count > 0:
			in.elem = d.name + "." + in.name + "[i]"
		}
		in.name = d.name + "." + in.name
		in.maskOf, in.bits = "", nil
		if n := in.elements(); in.flags&field.Extra == 0 && len(bits) >= n {
			in.maskOf, in.bits, bits = d.maskOf, bits[:n], bits[n:]
		} else if in.flags&field.Extra == 0 && len(d.bits) > 0 {
			return nil, p.problem(d.pos, "%s: no bit is left for %s", d.name, in.name)
		}
		in.flags |= d.flags
	}
	if len(bits) > 0 {
		return nil, p.problem(d.pos, "%s: %d bits more than fields", d.name, len(bits))
	}
	return inner, nil
}
