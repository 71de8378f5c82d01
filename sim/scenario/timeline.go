package scenario

import (
	"go.yaml.in/yaml/v4"
)

// timeline reads the section.
func (f *file) timeline(n *yaml.Node) []*entry {
	var all []*entry
	for _, item := range f.list(n, "entries") {
		if e := f.entry(item); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// entry reads one: when, and commands.
func (f *file) entry(n *yaml.Node) *entry {
	e := &entry{}
	hasAt := false
	var until, repeat, at *yaml.Node
	f.fields(n, []field{
		{"at", func(n *yaml.Node) {
			hasAt, at = true, n
			e.at = scalar(f, n, aDuration, parseDuration)
		}},
		{"every", to(f, &e.every, aDuration, parsePositive)},
		{"until", func(n *yaml.Node) {
			until = n
			e.until = scalar(f, n, aDuration, parsePositive)
		}},
		{"repeat", func(n *yaml.Node) {
			repeat = n
			e.repeat = scalar(f, n, "how often, 1…1000000", parseCount)
		}},
		{"do", func(n *yaml.Node) { e.do = f.commands(n) }},
	})
	switch {
	case len(f.errs) > 0:
		return nil
	case len(e.do) == 0:
		f.failAt(n, expected("", "do: a command, or a list of them"))
	case !hasAt && e.every == 0:
		f.failAt(n, expected("", "at: "+aDuration))
	case e.every == 0 && until != nil:
		f.failAt(until, invalid("until wants every"))
	case e.every == 0 && repeat != nil:
		f.failAt(repeat, invalid("repeat wants every"))
	case until != nil && e.until < e.at:
		f.failAt(at, invalid("at is behind until"))
	}
	if !hasAt {
		e.at = e.every
	}
	return e
}

// commands reads one, or a list.
func (f *file) commands(n *yaml.Node) []*command {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	var all []*command
	for _, item := range items {
		if text := f.text(item, "a command; one with a colon and a blank in it needs quotes around it"); text != "" {
			c, err := parse(text)
			if err != nil {
				f.keep(f.within(item, err))
				continue
			}
			c.place = func(err error) error { return f.within(item, err) }
			all = append(all, c)
		}
	}
	return all
}
