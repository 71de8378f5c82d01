package getopt

import (
	"fmt"
	"io"
	"strings"
)

// Usage is what a program's usage text says beside its options.
type Usage struct {
	Program  string
	Operands string   // after "[options]"
	Examples []string // command lines without the program name

	// Extensions heads the options that the C program does not have; "" leaves
	// them out.
	Extensions string
}

// Columns of the usage text of infiniband-diags.
const (
	helpColumn = 24
	lastColumn = 74
)

// Write prints the usage text in the layout of infiniband-diags.
func (u *Usage) Write(w io.Writer, options []Option) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\nUsage: %s [options] %s\n\nOptions:\n", u.Program, u.Operands)
	for i := range options {
		if !options[i].Extension {
			writeOption(&b, &options[i])
		}
	}
	u.writeExtensions(&b, options)
	if len(u.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, example := range u.Examples {
			fmt.Fprintf(&b, "  %s %s\n", u.Program, example)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func (u *Usage) writeExtensions(b *strings.Builder, options []Option) {
	if u.Extensions == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", u.Extensions)
	for i := range options {
		if options[i].Extension {
			writeOption(b, &options[i])
		}
	}
}

func writeOption(b *strings.Builder, o *Option) {
	head := "  --" + o.Long
	if o.Short != 0 {
		head += ", -" + string(rune(o.Short))
	}
	switch {
	case o.Bare:
		head += " " + o.Arg
	case o.TakesArgument():
		head += " <" + o.Arg + ">"
	}
	if o.Help == "" {
		b.WriteString(head + "\n")
		return
	}
	fmt.Fprintf(b, "%-*s  ", helpColumn, head)
	column := max(len(head), helpColumn) + 2
	b.WriteString(strings.Join(wrap(o.Help, lastColumn-column), "\n"+strings.Repeat(" ", column)))
	b.WriteByte('\n')
}

// wrap breaks text after a blank, where the next blank would lie outside of
// width. A last word that is too long stays where it is, and the blank before a
// break stays too: that is how the C tools print it.
func wrap(text string, width int) []string {
	var lines []string
	start, lastBlank := 0, -1
	for i := 0; i < len(text); i++ {
		if text[i] != ' ' {
			continue
		}
		if i-start >= width && lastBlank >= start {
			lines = append(lines, text[start:lastBlank+1])
			start = lastBlank + 1
		}
		lastBlank = i
	}
	return append(lines, text[start:])
}
