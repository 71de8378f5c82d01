package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ibscope/ibscope/hostcheck"
	"github.com/ibscope/ibscope/internal/escape"
)

// printer prints a report for people.
type printer struct {
	w       io.Writer
	colour  bool
	verbose bool // evidence of what is as it should be, too
	width   int  // of a line; 0 = the default
}

const (
	defaultWidth = 100
	minWidth     = 40
	indent       = "         " // below the text, behind "failure  "
)

// ANSI attributes of the severities.
var attributes = map[hostcheck.Severity]string{
	hostcheck.OK: "32", hostcheck.Note: "36", hostcheck.Warning: "33", hostcheck.Failure: "1;31",
}

func (p printer) report(r *hostcheck.Report) {
	if p.width == 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	heading := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if h := place(f); h != heading {
			if heading != "" {
				fmt.Fprintln(p.w)
			}
			heading = h
			fmt.Fprintln(p.w, p.paint("1", h))
		}
		p.finding(f)
	}
	p.result(r)
}

// place is what a finding is about.
func place(f *hostcheck.Finding) string {
	switch {
	case f.Device == "":
		return "Host"
	case f.Port == 0:
		return escape.Text(f.Device)
	}
	return fmt.Sprintf("%s port %d", escape.Text(f.Device), f.Port)
}

func (p printer) finding(f *hostcheck.Finding) {
	label := fmt.Sprintf("%-7s", f.Severity)
	text := escape.Text(f.Text) + " [" + string(f.Check) + "]"
	fmt.Fprintf(p.w, "%s  %s\n", p.paint(attributes[f.Severity], label), p.wrap(text, indent))
	if f.Severity == hostcheck.OK && !p.verbose {
		return
	}
	for _, line := range f.Evidence {
		fmt.Fprintf(p.w, "%sseen  %s\n", indent, p.wrap(escape.Text(line), indent+"      "))
	}
	// Commands stay on one line each, to be copied.
	for i, line := range f.Remedy {
		word := "do    "
		if i > 0 {
			word = "      "
		}
		fmt.Fprintf(p.w, "%s%s%s\n", indent, word, escape.Text(line))
	}
}

func (p printer) result(r *hostcheck.Report) {
	fmt.Fprintf(p.w, "\n%s: %s, %s, %s, %d ok\n", p.paint("1", "Result"),
		count(r.Count(hostcheck.Failure), "failure"), count(r.Count(hostcheck.Warning), "warning"),
		count(r.Count(hostcheck.Note), "note"), r.Count(hostcheck.OK))
	if f, ok := r.First(hostcheck.Failure); ok {
		fmt.Fprintf(p.w, "Mend this first: %s\n", p.wrap(place(f)+": "+escape.Text(f.Text), "  "))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p printer) paint(attribute, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}

// wrap breaks text at blanks, so that each line fits behind its indent. A word
// that is longer than a line stays whole.
func (p printer) wrap(text, indent string) string {
	room := p.width - len(indent)
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > room:
			b.WriteString("\n" + indent)
			used = 0
		default:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
