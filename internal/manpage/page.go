// Package manpage writes manual pages in man(7) roff from data: the option
// tables and command declarations that also make the usage texts.
package manpage

import (
	"bufio"
	"io"
	"strings"
)

// Page is one manual page.
type Page struct {
	Name        string // "ibscope-discover"
	Section     int
	Summary     string   // one line, for NAME
	Synopsis    []string // one form of the command line each
	Description string   // paragraphs apart by empty lines
	Options     []Option
	Sections    []Section // after OPTIONS
	SeeAlso     []string  // "ibscope(1)"
}

// Option is one entry of OPTIONS.
type Option struct {
	Names string // "-C, --Ca <ca>"
	Help  string
}

// Section is a section with text of its own. Lines that start with a blank are
// kept as they are.
type Section struct {
	Title string
	Text  string
}

// Write writes the page. The output depends on nothing but the page.
func (p *Page) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	out := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(part)
		}
		b.WriteByte('\n')
	}
	out(".TH ", strings.ToUpper(escape(p.Name)), " ", string(rune('0'+p.Section)), ` "" ibscope`)
	out(".SH NAME")
	out(escape(p.Name), ` \- `, escape(p.Summary))
	out(".SH SYNOPSIS")
	for i, form := range p.Synopsis {
		if i > 0 {
			out(".br")
		}
		out(".B ", escape(form))
	}
	out(".SH DESCRIPTION")
	out(body(p.Description))
	if len(p.Options) > 0 {
		out(".SH OPTIONS")
	}
	for _, o := range p.Options {
		out(".TP")
		out(".B ", escape(o.Names))
		out(line(o.Help))
	}
	for _, s := range p.Sections {
		out(".SH ", strings.ToUpper(escape(s.Title)))
		out(body(s.Text))
	}
	if len(p.SeeAlso) > 0 {
		out(".SH SEE ALSO")
		out(escape(strings.Join(p.SeeAlso, ", ")))
	}
	return b.Flush()
}
