package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// load reads the declarations of the package in dir.
func load(dir string) (*pkg, error) {
	p := &pkg{fset: token.NewFileSet()}
	files, err := parseDir(p.fset, dir)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no Go files", dir)
	}
	root, module, err := findModule(dir)
	if err != nil {
		return nil, err
	}
	p.name, p.module = files[0].Name.Name, module
	types := &resolver{p: p, root: root, own: underlying(files), other: map[string]map[string]typeDecl{}}
	for _, f := range files {
		if err := p.packageClass(f); err != nil {
			return nil, err
		}
		types.imports = importsOf(f)
		for _, d := range f.Decls {
			if err := p.addDecl(d, types); err != nil {
				return nil, err
			}
		}
	}
	p.sortByID()
	return p, nil
}

// parseDir parses the files of a package, without tests and generated files.
func parseDir(fset *token.FileSet, dir string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		base := filepath.Base(path)
		if strings.HasPrefix(base, "z") || strings.HasSuffix(base, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)`)

// findModule gives the directory and the path of the module that dir is in.
func findModule(dir string) (root, path string, err error) {
	root, err = filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if m := moduleLine.FindSubmatch(text); err == nil && m != nil {
			return root, string(m[1]), nil
		}
		parent := filepath.Dir(root)
		if parent == root {
			return "", "", fmt.Errorf("%s: no go.mod here or above", dir)
		}
		root = parent
	}
}

// addDecl adds the attributes that a declaration holds.
func (p *pkg) addDecl(d ast.Decl, types *resolver) error {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.TYPE {
		return nil
	}
	for _, s := range g.Specs {
		spec := s.(*ast.TypeSpec)
		doc := spec.Doc
		if doc == nil && len(g.Specs) == 1 {
			doc = g.Doc
		}
		a, err := p.directives(spec, doc)
		if err != nil {
			return err
		}
		if a == nil {
			continue
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return p.problem(spec.Pos(), "%s: mad:attr belongs to a struct", spec.Name.Name)
		}
		if a.fields, err = p.readFields(a.name, st, types); err != nil {
			return err
		}
		if len(a.fields) == 0 {
			return p.problem(a.pos, "%s has no fields", a.name)
		}
		p.attrs = append(p.attrs, a)
	}
	return nil
}

// readFields reads the fields of a struct, those of nested ones included.
func (p *pkg) readFields(owner string, st *ast.StructType, types *resolver) ([]*decl, error) {
	var fields []*decl
	for _, f := range st.Fields.List {
		name := fieldName(f)
		if name == "" || f.Tag == nil {
			return nil, p.problem(f.Pos(), "%s: a field needs one name and its tags", owner)
		}
		nested := types.structOf(f.Type)
		d, err := p.parseTags(name, f, nested != nil)
		if err != nil {
			return nil, err
		}
		if nested != nil {
			inner, err := p.readFields(owner+"."+name, nested.st, nested.types)
			if err == nil {
				inner, err = p.nest(d, nested.count, inner)
			}
			if err != nil {
				return nil, err
			}
			fields = append(fields, inner...)
			continue
		}
		if d.typ, err = types.resolve(f.Type); err != nil {
			return nil, p.problem(f.Pos(), "%s.%s: %v", owner, d.name, err)
		}
		fields = append(fields, d)
	}
	return fields, nil
}

// fieldName is the name of a field, for an embedded one that of its type; ""
// if there is none.
func fieldName(f *ast.Field) string {
	if len(f.Names) == 1 {
		return f.Names[0].Name
	}
	if len(f.Names) > 1 {
		return ""
	}
	switch t := f.Type.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	}
	return ""
}
