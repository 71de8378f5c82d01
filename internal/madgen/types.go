package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// resolver finds the size of a type by reading the source that declares it.
type resolver struct {
	p       *pkg
	root    string                         // of the module
	imports map[string]string              // of the file being read, path by name
	own     map[string]typeDecl            // types of the package being read
	other   map[string]map[string]typeDecl // types of imported packages, by path

	name, path string // of the package being read; "" for the one generated for
}

// typeDecl is a declared type, with the imports of its file.
type typeDecl struct {
	expr    ast.Expr
	imports map[string]string
}

var basicBits = map[string]int{"bool": 1, "byte": 8, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}

// resolve gives the type that e stands for.
func (r *resolver) resolve(e ast.Expr) (goType, error) {
	if a, ok := e.(*ast.ArrayType); ok {
		return r.array(a)
	}
	return r.named(e)
}

func (r *resolver) array(a *ast.ArrayType) (goType, error) {
	n, err := length(a)
	if err != nil {
		return goType{}, err
	}
	if id, ok := a.Elt.(*ast.Ident); ok && (id.Name == "byte") {
		return goType{text: fmt.Sprintf("[%d]byte", n), bits: 8 * n, blob: true}, nil
	}
	t, err := r.named(a.Elt)
	t.len = n
	return t, err
}

// named resolves a basic type, a type of the package, or one of another
// package of this module.
func (r *resolver) named(e ast.Expr) (goType, error) {
	switch e := e.(type) {
	case *ast.Ident:
		if bits, ok := basicBits[e.Name]; ok {
			return goType{text: e.Name, bits: bits}, nil
		}
		t := goType{text: e.Name, imp: r.path}
		if r.name != "" {
			t.text = r.name + "." + e.Name
		}
		return size(t, r.own[e.Name].expr)
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name
		t := goType{text: name + "." + e.Sel.Name, imp: r.imports[name]}
		types, err := r.typesOf(t.imp)
		if err != nil {
			return t, err
		}
		return size(t, types[e.Sel.Name].expr)
	}
	return goType{}, fmt.Errorf("a field cannot have this type")
}

// size fills in what the underlying type of t says.
func size(t goType, under ast.Expr) (goType, error) {
	switch u := under.(type) {
	case *ast.Ident:
		if t.bits = basicBits[u.Name]; t.bits > 1 {
			return t, nil
		}
	case *ast.ArrayType:
		if id, ok := u.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "uint8") {
			n, err := length(u)
			t.bits, t.blob = 8*n, true
			return t, err
		}
	}
	return t, fmt.Errorf("type %s is no unsigned integer and no array of bytes", t.text)
}

func length(a *ast.ArrayType) (int, error) {
	if lit, ok := a.Len.(*ast.BasicLit); ok && lit.Kind == token.INT {
		if n, err := strconv.Atoi(lit.Value); err == nil && n > 0 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("an array needs a literal length")
}

// typesOf reads the types that a package of this module declares.
func (r *resolver) typesOf(imp string) (map[string]typeDecl, error) {
	if types, ok := r.other[imp]; ok {
		return types, nil
	}
	rel, ok := strings.CutPrefix(imp, r.p.module+"/")
	if !ok {
		return nil, fmt.Errorf("package %q is not of module %s", imp, r.p.module)
	}
	files, err := parseDir(r.p.fset, filepath.Join(r.root, filepath.FromSlash(rel)))
	if err != nil {
		return nil, err
	}
	r.other[imp] = underlying(files)
	return r.other[imp], nil
}

// underlying maps the types that files declare to what they are made of.
func underlying(files []*ast.File) map[string]typeDecl {
	types := map[string]typeDecl{}
	for _, f := range files {
		imports := importsOf(f)
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.TypeSpec)
				types[spec.Name.Name] = typeDecl{spec.Type, imports}
			}
		}
	}
	return types
}

// importsOf maps the names of a file's imports to their paths.
func importsOf(f *ast.File) map[string]string {
	m := map[string]string{}
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		m[name] = p
	}
	return m
}
