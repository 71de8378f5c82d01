package ibnodes

import (
	"bufio"
	"io"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// A filter turns the header line of a node into the line of a list; false for
// lines of other nodes.
type filter struct {
	tool string
	word string // the first of the header line
	line func(rest string) string
	typ  ib.NodeType
}

var (
	hosts    = filter{"ibhosts", "Ca", func(comment string) string { return comment }, ib.NodeCA}
	routers  = filter{"ibrouters", "Rt", func(comment string) string { return comment }, ib.NodeRouter}
	switches = filter{"ibswitches", "Switch", switchComment, ib.NodeSwitch}
)

// switchComment parts what is said about port 0 from the words before it by one
// blank.
func switchComment(comment string) string {
	i := strings.Index(comment, "port 0")
	switch {
	case i < 0:
		return " " + comment
	case i == 0:
		return " " + comment
	}
	return comment[:i-1] + " " + comment[i:]
}

// copy writes the list of a topology's nodes. Lines that look like messages of
// the C tools pass through. What could act on a terminal is escaped, which the
// scripts do not do.
func (f *filter) copy(w io.Writer, topology io.Reader) error {
	out := bufio.NewWriter(w)
	r := bufio.NewReader(topology)
	for {
		line, err := r.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, f.word):
			out.WriteString(f.format(line) + "\n")
		case strings.HasPrefix(line, "ib") || isMessage(line):
			out.WriteString(safe(line) + "\n")
		}
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

func (f *filter) format(line string) string {
	fields := append(strings.Fields(line), "", "", "")
	comment := line
	if _, after, ok := strings.Cut(line, "#"); ok {
		comment = strings.TrimLeft(after, " \t")
	}
	return safe(fields[0]) + "\t: 0x" +
		safe(cut(fields[2], 3, 19)+" ports "+fields[1]+" "+f.line(comment))
}

// cut is s[from:to], as much of it as there is.
func cut(s string, from, to int) string {
	return s[min(from, len(s)):min(to, len(s))]
}

func isMessage(line string) bool {
	return strings.Contains(line, "ibpanic:") || strings.Contains(line, "ibwarn:") || strings.Contains(line, "iberror:")
}

// safe is escape.Text that leaves tabs alone.
func safe(s string) string {
	parts := strings.Split(s, "\t")
	for i := range parts {
		parts[i] = escape.Text(parts[i])
	}
	return strings.Join(parts, "\t")
}
