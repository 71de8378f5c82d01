package main

import (
	"go/ast"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/mad/field"
)

const defaultSize = 64

var (
	idForm    = regexp.MustCompile(`^0x[0-9a-f]{4}$`)
	placeForm = regexp.MustCompile(`^(\d+),(\d+)(?:\*(\d+)(?:/(\d+))?)?$`)
)

// directives reads the mad: lines above a type; nil if it is no attribute.
func (p *pkg) directives(spec *ast.TypeSpec, doc *ast.CommentGroup) (*attribute, error) {
	if doc == nil {
		return nil, nil
	}
	a := &attribute{name: spec.Name.Name, size: defaultSize, pos: spec.Pos()}
	for _, c := range doc.List {
		line, ok := strings.CutPrefix(c.Text, "//mad:")
		if !ok {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := p.directive(a, c, word, strings.Fields(rest)); err != nil {
			return nil, err
		}
	}
	if a.id == "" {
		if a.customDump || a.aliases != nil {
			return nil, p.problem(a.pos, "%s: mad:attr is missing", a.name)
		}
		return nil, nil
	}
	return a, nil
}

func (p *pkg) directive(a *attribute, c *ast.Comment, word string, args []string) error {
	switch {
	case word == "attr":
		return p.attrDirective(a, c, args)
	case word == "dump" && len(args) == 1 && args[0] == "custom":
		a.customDump = true
		return nil
	case word == "alias" && len(args) == 2:
		d := &decl{name: args[1], pos: c.Pos(), flags: field.Alias}
		if err := p.parsePlace(d, args[0]); err != nil {
			return err
		}
		a.aliases = append(a.aliases, d)
		return p.parseC(d, args[1])
	}
	return p.problem(c.Pos(), "%s: cannot read %q", a.name, c.Text)
}

func (p *pkg) attrDirective(a *attribute, c *ast.Comment, args []string) error {
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		size, err := strconv.Atoi(value)
		switch {
		case key == "id" && idForm.MatchString(value):
			a.id = value
		case key == "size" && err == nil && size > 0 && size <= 4096:
			a.size = size
		default:
			return p.problem(c.Pos(), "%s: cannot read %q (id=0x0012, size=192)", a.name, arg)
		}
	}
	if a.id == "" {
		return p.problem(c.Pos(), "%s: mad:attr needs id=", a.name)
	}
	return nil
}

// parseTags reads the tags of a struct field.
func (p *pkg) parseTags(f *ast.Field) (*decl, error) {
	d := &decl{name: f.Names[0].Name, pos: f.Pos()}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return nil, p.problem(f.Pos(), "%s: %v", d.name, err)
	}
	tag := reflect.StructTag(text)
	if err := p.parsePlace(d, tag.Get("mad")); err != nil {
		return nil, err
	}
	return d, p.parseC(d, tag.Get("c"))
}

// parsePlace reads offset, width, and the shape of an array.
func (p *pkg) parsePlace(d *decl, tag string) error {
	m := placeForm.FindStringSubmatch(tag)
	if m == nil {
		return p.problem(d.pos, "%s: cannot read mad:%q (offset,width*count/stride)", d.name, tag)
	}
	var n [5]int
	for i, s := range m[1:] {
		v, err := strconv.ParseUint(s, 10, 15)
		if s != "" && err != nil {
			return p.problem(d.pos, "%s: number too large in mad:%q", d.name, tag)
		}
		n[i] = int(v)
	}
	d.offset, d.width, d.count, d.stride = n[0], n[1], n[2], n[3]
	if d.width == 0 || m[3] != "" && d.count == 0 {
		return p.problem(d.pos, "%s: nothing to read in mad:%q", d.name, tag)
	}
	if d.count > 0 && d.stride == 0 {
		d.stride = d.width
	}
	if d.count > 0 && d.stride < d.width {
		return p.problem(d.pos, "%s: elements overlap in mad:%q", d.name, tag)
	}
	return nil
}

// parseC reads the C name, the format, and flags.
func (p *pkg) parseC(d *decl, tag string) error {
	parts := strings.Split(tag, ",")
	if len(parts) < 2 || parts[0] == "" {
		return p.problem(d.pos, "%s: cannot read c:%q (name,format)", d.name, tag)
	}
	var ok bool
	d.cname = parts[0]
	if d.format, ok = field.ParseFormat(parts[1]); !ok {
		return p.problem(d.pos, "%s: unknown format %q", d.name, parts[1])
	}
	for _, flag := range parts[2:] {
		if flag != "extra" {
			return p.problem(d.pos, "%s: unknown flag %q in c:%q", d.name, flag, tag)
		}
		d.flags |= field.Extra
	}
	return nil
}
