package ibcheck

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	format "github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
)

// walk is how a script goes through a fabric.
type walk struct {
	ask     checkFunc // of counters: of a switch for all ports, and for each if that fails
	port    checkFunc // of each cabled port
	pair    bool      // the node is checked with ask, not once before its ports
	headers headers
	warning string
	bad     string // the line about bad ports
	beyond  string // the line about ports with errors
}

// headers is before which nodes there is a line without -v.
type headers int

const (
	noHeaders       headers = iota
	withoutSwitches         // and with -v as well
)

// maxNodes is how many nodes are asked at the same time.
const maxNodes = 64

// visit is one node on the way.
type visit struct {
	*walk
	k      *checker
	style  style
	n      *fabric.Node
	fresh  bool // it was just swept
	out    bytes.Buffer
	checks []*outcome

	badNode            bool
	ports, bad, beyond int
}

// runWalk goes through a fabric.
func (p *program) runWalk(ctx context.Context, a *arguments) error {
	f, err := p.fabric(ctx, a)
	if err != nil {
		return err
	}
	client, err := a.Client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	k := &checker{client: client, limits: a.limits}
	var visits []*visit
	for n := range format.Nodes(f, false) {
		visits = append(visits, &visit{walk: p.walk, k: k, style: a.style(), n: n, fresh: len(a.operands) == 0})
	}
	visitAll(ctx, visits)
	return p.walk.finish(ctx, a, visits)
}

func (p *program) fabric(ctx context.Context, a *arguments) (*fabric.Fabric, error) {
	if len(a.operands) > 0 {
		return a.Load(ctx, a.operands[0], "")
	}
	return a.Discover(ctx, &discover.Options{})
}

// visitAll visits many nodes at the same time.
func visitAll(ctx context.Context, visits []*visit) {
	var g errgroup.Group
	g.SetLimit(maxNodes)
	for _, v := range visits {
		g.Go(func() error {
			if ctx.Err() == nil {
				v.visit(ctx)
			}
			return nil
		})
	}
	g.Wait() //nolint:errcheck // they give none
}

// finish prints what was found, in order, and gives the error that the tool ends with.
func (w *walk) finish(ctx context.Context, a *arguments, visits []*visit) error {
	var badNodes, ports, bad, beyond int
	d := document{Checks: []*outcome{}}
	for _, v := range visits {
		if !a.JSON {
			a.env.Stdout.Write(v.out.Bytes()) //nolint:errcheck // the summary fails too
		}
		for _, o := range v.checks {
			if o.err != nil {
				a.Failed(o.err)
			}
			if !o.Passed || o.Counters != nil {
				d.Checks = append(d.Checks, o)
			}
		}
		if v.badNode {
			badNodes++
		}
		ports, bad, beyond = ports+v.ports, bad+v.bad, beyond+v.beyond
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	nodes := len(visits)
	if a.JSON {
		d.Nodes, d.BadNodes, d.Ports = &nodes, &badNodes, &ports
		if w.bad != "" {
			d.BadPorts = &bad
		}
		if w.beyond != "" {
			d.ErrorPorts = &beyond
		}
		if err := a.PrintDocument(d); err != nil {
			return err
		}
	} else if _, err := fmt.Fprint(a.env.Stdout, w.summary(nodes, badNodes, ports, bad, beyond)); err != nil {
		return err
	}
	if w == netWalk.walk {
		return &diags.Exit{Code: min(badNodes+bad+beyond, diags.ExitFatal-1)}
	}
	return nil
}

func (w *walk) summary(nodes, badNodes, ports, bad, beyond int) string {
	text := w.warning + fmt.Sprintf("\n## Summary: %d nodes checked, %d bad nodes found\n", nodes, badNodes)
	switch {
	case w.bad != "" && w.beyond != "":
		return text + fmt.Sprintf("##          "+w.bad+w.beyond, ports, bad, beyond)
	case w.bad != "":
		return text + fmt.Sprintf("##          "+w.bad, ports, bad)
	case w.beyond != "":
		return text + fmt.Sprintf(w.beyond, ports, beyond)
	}
	return text + fmt.Sprintf("##          %d ports checked\n", ports)
}

// take keeps and prints an outcome, and reports whether it is well.
func (v *visit) take(o *outcome) bool {
	o.NodeGUID = v.n.GUID().String()
	v.checks = append(v.checks, o)
	v.style.print(&v.out, o)
	return o.Passed
}

func (v *visit) line(text string) {
	fmt.Fprintf(&v.out, "%s: nodeguid 0x%016x", text, uint64(v.n.GUID()))
}

// kind is the first word of the node in a topology file.
func (v *visit) kind() string {
	switch v.n.Type() {
	case ib.NodeSwitch:
		return "Switch"
	case ib.NodeRouter:
		return "Rt"
	}
	return "Ca"
}

func (v *visit) isSwitch() bool { return v.n.Type() == ib.NodeSwitch }

// at is the node, by the LID of a port.
func (v *visit) at(p *fabric.Port) place {
	lid := ib.LID(0)
	if p != nil {
		lid = p.LID()
	}
	at := place{to: mad.ByLID(lid), lid: strconv.Itoa(int(lid))}
	if v.fresh {
		at.node = v.n
	}
	return at
}

// visit looks at a node and its cabled ports.
func (v *visit) visit(ctx context.Context) {
	if v.headers == withoutSwitches && !v.isSwitch() || v.headers == noHeaders && v.style.verbose {
		v.line("\n# Checking " + v.kind())
		v.out.WriteByte('\n')
	}
	v.walkPorts(ctx)
}

func (v *visit) walkPorts(ctx context.Context) {
	whole := true // of a switch: its counters of all ports together are well
	told := false
	if v.isSwitch() {
		whole = v.node(ctx, v.at(v.n.Port(0)), allPorts)
	}
	for p := range v.n.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		v.ports++
		at := v.at(p)
		switch {
		case v.pair && !v.isSwitch():
			if !v.node(ctx, at, p.Num()) && !v.badNode {
				v.beyond++
			}
		case v.pair:
			if !whole && !v.check(ctx, v.ask, at, p.Num()) {
				v.beyond++
			}
		case !v.isSwitch() && v.ports == 1:
			v.node(ctx, at, p.Num())
		}
		if !v.pair && v.badNode {
			v.failed()
			continue
		}
		if v.port == nil || v.check(ctx, v.port, at, p.Num()) {
			continue
		}
		v.bad++
		if !told && (!v.style.verbose || v.headers == withoutSwitches) {
			v.line("# Checked " + v.kind())
			v.out.WriteString(" with failure\n")
			told = true
		}
	}
}

// check makes a check of a port, and reports whether all is well. A node that did not
// answer is not asked again.
func (v *visit) check(ctx context.Context, check checkFunc, at place, num int) bool {
	if v.badNode {
		o := &outcome{LID: at.lid, Port: &num}
		o.unreachable()
		return v.take(o)
	}
	return v.take(check(v.k, ctx, at, num))
}

// node checks the node, and its counters where they are asked for; it reports
// whether both are well.
func (v *visit) node(ctx context.Context, at place, num int) bool {
	if !v.check(ctx, (*checker).node, at, num) {
		v.badNode = true
		if v.pair {
			v.failed()
		}
		return false
	}
	return !v.pair || v.take(v.ask(v.k, ctx, at, num))
}

func (v *visit) failed() {
	v.line("\n# " + v.kind())
	v.out.WriteString(" failed\n")
}
