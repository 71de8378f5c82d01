package main

import "errors"

// check reports everything that is wrong with the declarations, not only the
// first of it.
func (p *pkg) check() error {
	var errs []error
	ids := map[string]string{}
	for _, a := range p.attrs {
		if other, ok := ids[a.class+a.id]; ok && !a.view && !a.part {
			errs = append(errs, p.problem(a.pos, "%s and %s have the same id %s", other, a.name, a.id))
		}
		ids[a.class+a.id] = a.name
		errs = append(errs, p.checkNames(a), p.checkOverlap(a))
		for _, d := range a.fields {
			errs = append(errs, p.checkType(a, d), p.checkPlace(a, d), p.checkMask(a, d))
		}
		for _, d := range a.aliases {
			errs = append(errs, p.checkPlace(a, d))
		}
	}
	return errors.Join(errs...)
}

// checkType compares the Go type with the shape on the wire.
func (p *pkg) checkType(a *attribute, d *decl) error {
	t := d.typ
	switch {
	case t.blob && t.len == 0 && d.count > 0:
		return p.problem(d.pos, "%s.%s: %s is copied as a whole: give its width in bits without a count", a.name, d.name, t.text)
	case t.blob && t.len != d.count:
		return p.problem(d.pos, "%s.%s: the type has %d elements, the tag %d", a.name, d.name, t.len, d.count)
	case t.blob && (d.width != t.bits || d.offset%8 != 0 || d.stride%8 != 0):
		return p.problem(d.pos, "%s.%s: %s needs a width of %d bits at a whole byte", a.name, d.name, t.text, t.bits)
	case t.blob:
		return nil
	case t.len != d.count:
		return p.problem(d.pos, "%s.%s: the type has %d elements, the tag %d", a.name, d.name, t.len, d.count)
	case d.isBool() && d.width != 1:
		return p.problem(d.pos, "%s.%s: a bool has 1 bit, not %d", a.name, d.name, d.width)
	case d.width > t.bits:
		return p.problem(d.pos, "%s.%s: %s is too small for %d bits", a.name, d.name, t.text, d.width)
	}
	for i := range d.elements() {
		first := d.offset + i*d.stride
		if (first+d.width-1)/8-first/8 >= 8 {
			return p.problem(d.pos, "%s.%s: %d bits at bit %d touch more than 8 bytes", a.name, d.name, d.width, first)
		}
	}
	return nil
}

// checkMask checks that an array has one bit for all of it or one for each
// element.
func (p *pkg) checkMask(a *attribute, d *decl) error {
	if n := len(d.bits); d.count > 0 && n > 1 && n != d.count {
		return p.problem(d.pos, "%s.%s: %d bits for %d elements", a.name, d.name, n, d.count)
	}
	return nil
}

func (p *pkg) checkPlace(a *attribute, d *decl) error {
	if d.end() > a.size*8 {
		return p.problem(d.pos, "%s.%s: ends at bit %d, but the attribute has %d", a.name, d.name, d.end(), a.size*8)
	}
	return nil
}

// checkOverlap finds bits that two fields declare.
func (p *pkg) checkOverlap(a *attribute) error {
	owner := map[int]*decl{}
	for _, d := range a.fields {
		for i := range d.elements() {
			for bit := d.offset + i*d.stride; bit < d.offset+i*d.stride+d.width; bit++ {
				if o := owner[bit]; o != nil {
					return p.problem(d.pos, "%s.%s: bit %d is part of %s too", a.name, d.name, bit, o.name)
				}
				owner[bit] = d
			}
		}
	}
	return nil
}

// checkNames finds names that stand twice, in C or in JSON.
func (p *pkg) checkNames(a *attribute) error {
	c, json := map[string]bool{}, map[string]bool{}
	for _, d := range append(a.fields[:len(a.fields):len(a.fields)], a.aliases...) {
		key := jsonName(d.name)
		if c[d.cname] || json[key] {
			return p.problem(d.pos, "%s.%s: the name stands twice", a.name, d.name)
		}
		c[d.cname], json[key] = true, true
	}
	return nil
}
