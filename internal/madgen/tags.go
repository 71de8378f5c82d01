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
	classForm = regexp.MustCompile(`^(Class[A-Za-z0-9]+|0x[0-9a-f]{2})$`)
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
	if a.id == "" && !a.part {
		if a.customDump || a.aliases != nil {
			return nil, p.problem(a.pos, "%s: mad:attr is missing", a.name)
		}
		return nil, nil
	}
	return a, nil
}

// packageClass reads the mad:class line of a package comment.
func (p *pkg) packageClass(f *ast.File) error {
	if f.Doc == nil {
		return nil
	}
	for _, c := range f.Doc.List {
		if class, ok := strings.CutPrefix(c.Text, "//mad:class "); ok {
			if !classForm.MatchString(class) {
				return p.problem(c.Pos(), "cannot read %q", c.Text)
			}
			p.class = class
		}
	}
	return nil
}

func (p *pkg) directive(a *attribute, c *ast.Comment, word string, args []string) error {
	switch {
	case word == "attr" || word == "part":
		a.part = word == "part"
		return p.attrDirective(a, c, args)
	case word == "dump" && len(args) == 1 && args[0] == "custom":
		a.customDump = true
		return nil
	case word == "alias" && len(args) == 2:
		name, _, _ := strings.Cut(args[1], ",")
		d := &decl{name: name, pos: c.Pos(), flags: field.Alias}
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
		case key == "id" && idForm.MatchString(value) && !a.part:
			a.id = value
		case key == "class" && classForm.MatchString(value):
			a.class = value
		case arg == "view":
			a.view = true
		case key == "size" && err == nil && size > 0 && size <= 4096:
			a.size = size
		default:
			return p.problem(c.Pos(), "%s: cannot read %q (id=0x0012, size=192)", a.name, arg)
		}
	}
	if a.id == "" && !a.part {
		return p.problem(c.Pos(), "%s: mad:attr needs id=", a.name)
	}
	return nil
}

// parseTags reads the tags of a struct field.
func (p *pkg) parseTags(name string, f *ast.Field, nested bool) (*decl, error) {
	d := &decl{name: name, pos: f.Pos()}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return nil, p.problem(f.Pos(), "%s: %v", d.name, err)
	}
	tag := reflect.StructTag(text)
	if err := p.parsePlace(d, tag.Get("mad")); err != nil {
		return nil, err
	}
	if err := p.parseMask(d, tag); err != nil {
		return nil, err
	}
	switch c := tag.Get("c"); {
	case !nested:
		return d, p.parseC(d, c)
	case c == "extra":
		d.flags = field.Extra
	case c != "":
		return nil, p.problem(f.Pos(), "%s: cannot read c:%q of a nested attribute", d.name, c)
	}
	return d, nil
}

// parseMask reads the bits of a mask that stand for the field.
func (p *pkg) parseMask(d *decl, tag reflect.StructTag) error {
	for _, key := range []string{"sel", "sa"} {
		text, ok := tag.Lookup(key)
		if !ok {
			continue
		}
		d.maskOf = key
		for _, part := range strings.Split(text, ",") {
			from, to, isRange := strings.Cut(part, "-")
			if !isRange {
				to = from
			}
			first, err := strconv.Atoi(from)
			last, err2 := strconv.Atoi(to)
			if err != nil || err2 != nil || first < 0 || first > last || last > 63 {
				return p.problem(d.pos, "%s: cannot read %s:%q (0-1,4)", d.name, key, text)
			}
			for bit := first; bit <= last; bit++ {
				d.bits = append(d.bits, bit)
			}
		}
	}
	return nil
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
		switch flag {
		case "extra":
			d.flags |= field.Extra
		case "secret":
			d.flags |= field.Secret
		default:
			return p.problem(d.pos, "%s: unknown flag %q in c:%q", d.name, flag, tag)
		}
	}
	return nil
}
