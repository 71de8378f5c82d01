package getopt

import "strings"

// Error is a mistake in a command line. Its text is glibc's, with the program
// name in front.
type Error struct {
	Program string
	Text    string
}

func (e *Error) Error() string { return e.Program + ": " + e.Text }

func (p *Parser) fail(parts ...string) error {
	return &Error{Program: p.Program, Text: strings.Join(parts, "")}
}

func (p *Parser) ambiguous(typed string, candidates []*Option) error {
	var b strings.Builder
	b.WriteString("option '--" + typed + "' is ambiguous; possibilities:")
	for _, o := range candidates {
		b.WriteString(" '--" + o.Long + "'")
	}
	return p.fail(b.String())
}
