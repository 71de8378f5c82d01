package ibfindnodesusing

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// print prints the link and the nodes in both directions, as C does.
func (l *link) print(e *env.Env) {
	fmt.Fprintf(e.Stdout, "%s\n%s\n\n", l.heading("==>>"), names(l.there))
	fmt.Fprintf(e.Stdout, "%s\n%s\n", l.heading("<<=="), names(l.back))
}

func (l *link) heading(arrow string) string {
	kind := "base"
	if info, ok := l.sw.SwitchInfo(); ok && info.EnhancedPort0 {
		kind = "enhanced"
	}
	guid, num, name := "", "", ""
	if l.remote != nil {
		n := l.remote.Node()
		guid, num, name = fmt.Sprintf("0x%016x", uint64(n.GUID())), fmt.Sprint(l.remote.Num()), escape.Text(n.Description())
	}
	return fmt.Sprintf("0x%016x %d (\"%s\" %s)  %s  %s %s (%s)",
		uint64(l.sw.GUID()), l.num, escape.Text(l.sw.Description()), kind, arrow, guid, num, name)
}

// names are the names of nodes, folded, each behind a blank.
func names(ports []*fabric.Port) string {
	var list []string
	for _, p := range ports {
		list = append(list, escape.Text(p.Node().Description()))
	}
	var b strings.Builder
	for _, name := range fold(list) {
		b.WriteString(" " + name)
	}
	return b.String()
}
