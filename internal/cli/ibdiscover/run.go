package ibdiscover

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/escape"
)

// Run runs the command and gives its exit code.
func Run(ctx context.Context, e *env.Env) int { return diags.Code(e, run(ctx, e)) }

// exitFailed is the exit code for a file that cannot be read or written.
const exitFailed = 1

// listing is what is found out.
type listing struct {
	env    *env.Env
	places map[string]string
	wires  []wire
	nodes  []*fabric.Node
}

func run(ctx context.Context, e *env.Env) error {
	target := newFile
	c, _, err := Tool.ParseScript(e, usage, func(_ byte, value string) { target = value })
	if err != nil {
		return err
	}
	if !c.JSON {
		fmt.Fprint(e.Stderr, warning)
	}
	l := &listing{env: e}
	old, found, err := l.files()
	if err != nil {
		return l.failed(c, err)
	}
	f, err := topology(ctx, c, e)
	if err != nil {
		return err
	}
	l.gather(f)
	changes := l.changes(old)
	if c.JSON {
		err = c.PrintDocument(l.document(changes, found))
	} else {
		l.print(changes)
	}
	if err != nil {
		return err
	}
	err = output.Write(target, e.Stdout, func(w io.Writer) error {
		for _, link := range l.wires {
			if _, err := io.WriteString(w, link.line()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		e.Complain("%v", err)
		return &diags.Exit{Code: exitFailed}
	}
	return nil
}

func (l *listing) files() (old map[wire]bool, found bool, err error) {
	if l.places, err = readPlaces(); err != nil {
		return nil, false, err
	}
	return readWires()
}

func (l *listing) failed(c *diags.Common, err error) error {
	if c.JSON {
		return err
	}
	l.env.Complain("%v", err)
	return &diags.Exit{Code: exitFailed}
}

// maxTopology bounds what is read from the standard input.
const maxTopology = 1 << 30

// topology reads the standard input, or sweeps where there is nothing.
func topology(ctx context.Context, c *diags.Common, e *env.Env) (*fabric.Fabric, error) {
	if isFed(e) {
		text, err := io.ReadAll(io.LimitReader(e.Stdin, maxTopology))
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			f, err := format.Read(bytes.NewReader(text), "standard input")
			if err == nil {
				c.FabricProblems(f.Problems())
			}
			return f, err
		}
	}
	return c.Discover(ctx, &discover.Options{})
}

// isFed reports whether a program or a file is at the standard input, no terminal
// and no device.
func isFed(e *env.Env) bool {
	if e.Stdin == nil {
		return false
	}
	f, ok := e.Stdin.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// digits are the GUID as the files have it.
func digits(g ib.GUID) string { return fmt.Sprintf("%x", uint64(g)) }

func (l *listing) gather(f *fabric.Fabric) {
	for n := range format.Nodes(f, false) {
		l.nodes = append(l.nodes, n)
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				l.wires = append(l.wires, wire{digits(n.GUID()), digits(r.Node().GUID()), p.Num(), r.Num()})
			}
		}
	}
}

// changes are the links that are new, or no longer there.
func (l *listing) changes(old map[wire]bool) (list []wire) {
	now := map[wire]bool{}
	for _, w := range l.wires {
		if now[w] = true; !old[w] {
			list = append(list, w)
		}
	}
	for w := range old {
		if !now[w] {
			list = append(list, w)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(
			cmp.Compare(len(a.local), len(b.local)), strings.Compare(a.local, b.local), cmp.Compare(a.localPort, b.localPort),
			strings.Compare(a.remote, b.remote), cmp.Compare(a.remotePort, b.remotePort)) < 0
	})
	return list
}

func kind(n *fabric.Node) string {
	if n.Type() == ib.NodeSwitch {
		return "Switch"
	}
	return "Host"
}

// print prints the list, and the changes.
func (l *listing) print(changes []wire) {
	w := l.env.Stdout
	for _, n := range l.nodes {
		guid := digits(n.GUID())
		fmt.Fprintf(w, "\n%s GUID: %s  %s\n", kind(n), guid, escape.Text(l.places[guid]))
		for p := range n.Ports() {
			r := p.Remote()
			if r == nil {
				continue
			}
			far := digits(r.Node().GUID())
			fmt.Fprintf(w, "Local: %2d  Remote: %2d  %7s  GUID: %s  Location: %s\n",
				p.Num(), r.Num(), kind(r.Node()), far, escape.Text(cmp.Or(l.places[far], far)))
		}
	}
	fmt.Fprint(w, "\nDelta change in topo (change between successive runs)\n\n")
	for _, c := range changes {
		local, remote := escape.Text(c.local), escape.Text(c.remote)
		fmt.Fprintf(w, "Link change:  Local/Remote Port %2d/%2d Local/Remote GUID: %s/%s\n", c.localPort, c.remotePort, local, remote)
		fmt.Fprintf(w, "\tLocations: Local/Remote\n\t\t%s\n\t\t%s\n\n", escape.Text(l.places[c.local]), escape.Text(l.places[c.remote]))
	}
}
