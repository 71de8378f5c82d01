package ibprint

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// exitListed is the exit code of a list, as the scripts have it.
const exitListed = 1

func (k *kind) run(ctx context.Context, e *env.Env) int {
	return diags.Code(e, k.print(ctx, e))
}

func (k *kind) print(ctx context.Context, e *env.Env) error {
	given := map[byte]bool{}
	c, operands, err := k.tool.ParseScript(e, k.usage(), func(letter byte, _ string) { given[letter] = true })
	if err != nil {
		return err
	}
	list := given['l']
	if !list && (len(operands) == 0 || operands[0] == "") {
		return k.tool.ScriptUsage(e, k.usage())
	}
	fmt.Fprintf(e.Stderr, "*** WARNING ***: this command is deprecated; Please use %q\n\n", k.instead)
	f, err := c.Discover(ctx, &discover.Options{})
	if err != nil {
		return err
	}
	var found []*fabric.Node
	for n := range format.Nodes(f, true) {
		if n.Type() == k.typ && (list || fits(n, operands[0], given['G'])) {
			found = append(found, n)
		}
	}
	switch {
	case c.JSON:
		err = c.PrintDocument(documentOf(found))
	case list:
		for _, n := range found {
			fmt.Fprintln(e.Stdout, k.listed(n))
		}
	default:
		err = k.text(e, f, found, operands[0])
	}
	switch {
	case err != nil:
		return err
	case list && !c.JSON:
		return &diags.Exit{Code: exitListed}
	case !list && len(found) == 0:
		return &diags.Exit{Code: diags.ExitFatal}
	}
	return nil
}

// fits reports whether a node is the one that was named: by its GUID, or by words
// of its description.
func fits(n *fabric.Node, name string, byGUID bool) bool {
	digits := strings.TrimPrefix(strings.ToLower(name), "0x")
	if fmt.Sprintf("%016x", uint64(n.GUID())) == strings.Repeat("0", max(0, 16-len(digits)))+digits && (byGUID || strings.HasPrefix(name, "0x")) {
		return true
	}
	isEnd := func(b byte) bool { return b == ' ' || b == '\t' || b == '"' }
	text := `"` + n.Description() + `"`
	for from := 1; ; {
		i := strings.Index(text[from:], name)
		if byGUID || i < 0 {
			return false
		}
		at := from + i
		if end := at + len(name); isEnd(text[at-1]) && end < len(text) && isEnd(text[end]) {
			return true
		}
		from = at + 1
	}
}

// text prints the nodes out of the topology.
func (k *kind) text(e *env.Env, f *fabric.Fabric, found []*fabric.Node, name string) error {
	if len(found) == 0 {
		what := ""
		if k.typ == ib.NodeSwitch {
			what = "Switch "
		}
		fmt.Fprintf(e.Stderr, "%s\"%s\" not found\n", what, escape.Text(name))
		return nil
	}
	var topology bytes.Buffer
	if err := format.Write(&topology, f, &format.Options{Grouped: true}); err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, n := range found {
		wanted[fmt.Sprintf("\"%s-%016x\"", k.letter, uint64(n.GUID()))] = true
	}
	if err := k.copy(e, &topology, wanted); err != nil {
		return err
	}
	if len(found) > 1 {
		what := map[ib.NodeType]string{ib.NodeCA: "CA's", ib.NodeRouter: "Router's", ib.NodeSwitch: "switches"}[k.typ]
		fmt.Fprintf(e.Stdout, "\nWARNING: Found %d %s with the name \"%s\"\n", len(found), what, escape.Text(name))
	}
	return nil
}

// copy copies the lines of wanted nodes: that of the node and those of its links,
// which the topology has by port.
func (k *kind) copy(e *env.Env, topology *bytes.Buffer, wanted map[string]bool) error {
	r := bufio.NewReader(topology)
	inside := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil //nolint:nilerr // the buffer has come to its end
		}
		fields := strings.Fields(line)
		switch {
		case len(fields) > 2 && !strings.HasPrefix(line, "["):
			inside = fields[0] == k.word && wanted[fields[2]]
		case len(fields) == 0 || !strings.HasPrefix(line, "["):
			inside = inside && len(fields) > 0
		}
		if inside {
			if _, err := e.Stdout.Write([]byte(line)); err != nil {
				return err
			}
		}
	}
}

// listed is the line of a node in a list, as ibhosts and its like have it.
func (k *kind) listed(n *fabric.Node) string {
	line := fmt.Sprintf("%s\t: 0x%016x ports %d %s", k.word, uint64(n.GUID()), n.NumPorts(), `"`+escape.Text(n.Description())+`"`)
	if k.typ != ib.NodeSwitch {
		return line
	}
	mode := "base"
	if info, ok := n.SwitchInfo(); ok && info.EnhancedPort0 {
		mode = "enhanced"
	}
	if p := n.Port(0); p != nil {
		line += fmt.Sprintf(" %s port 0 lid %d lmc %d", mode, p.LID(), p.LMC())
	}
	return line
}
