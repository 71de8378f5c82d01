package manpage

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var specials = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`,
	"…", "...", "−", `\-`, "–", `\-`, "µ", `\(mc`, "×", `\(mu`, "·", `\(pc`)

// escape makes text safe within a roff line. What it gives is ASCII: troff reads
// bytes, and only man puts a converter before it. "…" has no name that all output
// devices know.
func escape(text string) string {
	text = specials.Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\[u%04X]`, r)
	}
	return b.String()
}

// line is one line of running text; a leading dot or quote would be a request.
func line(text string) string {
	text = escape(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

// body is text of several lines. Empty lines part paragraphs; lines that start
// with a blank are set as they are.
func body(text string) string {
	var out []string
	verbatim := false
	for l := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		indented := strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t")
		switch {
		case indented && !verbatim:
			out = append(out, ".PP", ".nf")
		case !indented && verbatim:
			out = append(out, ".fi")
		}
		verbatim = indented
		if l == "" {
			out = append(out, ".PP")
			continue
		}
		out = append(out, line(l))
	}
	if verbatim {
		out = append(out, ".fi")
	}
	return strings.Join(out, "\n")
}
