package wiring

import (
	"bufio"
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric/verify"
)

// Read reads a plan of either kind, and reports false for a file that is neither,
// from which nothing but a beginning has been read then.
func Read(r io.Reader, name string) (p *verify.Plan, ours bool, err error) {
	b := bufio.NewReaderSize(r, 4096)
	head, _ := b.Peek(4096)
	switch {
	case isRules(string(head)):
		p, err = ReadRules(b, name)
	case isList(string(head)):
		p, err = ReadCSV(b, name)
	default:
		return nil, false, nil
	}
	return p, true, err
}

// firstLine is the first line that is not empty and no comment.
func firstLine(head string) string {
	for line := range strings.Lines(strings.TrimPrefix(head, "\ufeff")) {
		if t := strings.TrimSpace(line); t != "" && t != "---" && !strings.HasPrefix(t, "#") {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

func isRules(head string) bool {
	line := firstLine(head)
	return strings.HasPrefix(line, "rules:") || strings.HasPrefix(line, "groups:")
}

// isList reports whether the titles are there of both ends.
func isList(head string) bool {
	line := firstLine(head)
	found := map[column]bool{}
	for title := range strings.SplitSeq(line, string(comma([]byte(line)))) {
		found[columnOf(strings.Trim(title, `" `))] = true
	}
	return (found[nodeA] || found[guidA]) && (found[nodeB] || found[guidB])
}
