package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// text is a change in short: leaf01/5 is port 5 of leaf01.
func text(c diff.Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", c.Op, c.Subject)
	for _, p := range []diff.Place{c.A, c.B} {
		switch {
		case p.Node == nil:
			b.WriteString(" –")
		case p.Port == nil:
			b.WriteString(" " + short(p.Node))
		case p.Peer == nil:
			fmt.Fprintf(&b, " %s/%d", short(p.Node), p.Port.Num())
		default:
			fmt.Fprintf(&b, " %s/%d=%s/%d", short(p.Node), p.Port.Num(), short(p.Peer.Node()), p.Peer.Num())
		}
	}
	if c.Op == diff.Differs {
		fmt.Fprintf(&b, " %s %q %q", c.Field, c.Old, c.New)
	}
	return b.String()
}

func short(n *fabric.Node) string {
	name := strings.TrimPrefix(n.Description(), "MF0;")
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, " ")
	return name
}

func texts(list []diff.Change) []string {
	var out []string
	for _, c := range list {
		out = append(out, text(c))
	}
	return out
}

// lab is a simulated fabric whose parts are known by their short names.
type lab struct {
	t   *testing.T
	sim *sim.Fabric
}

func open(t *testing.T) *lab {
	t.Helper()
	model, err := gen.FatTree(gen.FatTreeOptions{Levels: 2, Radix: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &lab{t, s}
}

func (l *lab) at(name string, port int) sim.Place {
	l.t.Helper()
	for n := range l.sim.Model().Nodes() {
		if short(n) == name {
			return sim.Place{Node: n, Port: port}
		}
	}
	l.t.Fatalf("no node %s", name)
	return sim.Place{}
}

func (l *lab) sweep() *fabric.Fabric {
	l.t.Helper()
	port, err := l.sim.Attach(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	f, err := discover.Run(l.t.Context(), port, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*lab)
		want   []string
	}{
		{"nothing", func(*lab) {}, nil},
		{"description", func(l *lab) {
			l.must(l.sim.SetNodeDescription(l.at("node0003", 1).Node, "other"))
		}, []string{`differs node node0003 other description "node0003 mlx5_0" "other"`}},
		{"link down", func(l *lab) {
			l.must(l.sim.LinkDown(l.at("leaf02", 3)))
		}, []string{`only-a link spine01/2=leaf02/3 –`}},
		{"host killed", func(l *lab) {
			l.must(l.sim.KillNode(l.at("node0003", 1).Node))
		}, []string{`only-a node node0003 –`, `only-a link leaf02/1=node0003/1 –`}},
		{"host moved", func(l *lab) {
			l.must(l.sim.Unlink(l.at("node0003", 1)))
			l.must(l.sim.Unlink(l.at("node0005", 1)))
			l.must(l.sim.Link(l.at("node0003", 1), l.at("leaf03", 1)))
		}, []string{
			`only-a node node0005 –`,
			`moved link node0003/1=leaf02/1 node0003/1=leaf03/1`,
			`only-a link leaf03/1=node0005/1 –`,
		}},
		{"hosts exchanged", func(l *lab) {
			l.must(l.sim.Unlink(l.at("node0003", 1)))
			l.must(l.sim.Unlink(l.at("node0005", 1)))
			l.must(l.sim.Link(l.at("node0003", 1), l.at("leaf03", 1)))
			l.must(l.sim.Link(l.at("node0005", 1), l.at("leaf02", 1)))
		}, []string{
			`moved link node0003/1=leaf02/1 node0003/1=leaf03/1`,
			`moved link node0005/1=leaf03/1 node0005/1=leaf02/1`,
		}},
		{"host replaced", func(l *lab) {
			l.must(l.sim.ReplaceNode(l.at("node0003", 1).Node, sim.Replacement{GUID: 0xabc00, Description: "new"}))
		}, []string{`replaced node node0003 new`}},
		{"switch replaced", func(l *lab) {
			l.must(l.sim.ReplaceNode(l.at("leaf02", 1).Node, sim.Replacement{GUID: 0xabc00, Description: "new"}))
		}, []string{`replaced node leaf02 new`}},
		{"host started again", func(l *lab) {
			l.must(l.sim.ReplaceNode(l.at("node0003", 1).Node, sim.Replacement{}))
		}, []string{
			`differs port leaf02/1=node0003/1 leaf02/1=node0003/1 state "Active" "Initialize"`,
			`differs port node0003/1=leaf02/1 node0003/1=leaf02/1 lid "9" "0"`,
			`differs port node0003/1=leaf02/1 node0003/1=leaf02/1 state "Active" "Initialize"`,
			`differs port node0003/1=leaf02/1 node0003/1=leaf02/1 mtu "4096" "2048"`,
		}},
		{"narrow", func(l *lab) {
			l.must(l.sim.LimitLink(l.at("leaf02", 3), fabric.LinkRate{Width: ib.Width1x}))
			l.must(l.sim.LinkDown(l.at("leaf02", 3)))
			l.must(l.sim.LinkUp(l.at("leaf02", 3)))
		}, []string{
			`differs link spine01/2=leaf02/3 spine01/2=leaf02/3 width "4x" "1x"`,
			`differs port spine01/2=leaf02/3 spine01/2=leaf02/3 state "Active" "Initialize"`,
			`differs port leaf02/3=spine01/2 leaf02/3=spine01/2 state "Active" "Initialize"`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := open(t)
			before := l.sweep()
			tt.change(l)
			now := l.sweep()
			if d := cmp.Diff(tt.want, texts(diff.Compare(before, now, nil))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if back := diff.Compare(now, before, nil); len(back) != len(tt.want) {
				t.Errorf("the other way round: %q", texts(back))
			}
		})
	}
}

// TestWithout leaves fields out.
func TestWithout(t *testing.T) {
	l := open(t)
	before := l.sweep()
	l.must(l.sim.SetNodeDescription(l.at("node0003", 1).Node, "other"))
	if got := diff.Compare(before, l.sweep(), &diff.Options{Without: []diff.Field{diff.Description}}); len(got) > 0 {
		t.Errorf("%q", texts(got))
	}
}

// TestFirmware: it is compared where both know it.
func TestFirmware(t *testing.T) {
	l := open(t)
	before, now := l.sweep(), l.sweep()
	b := fabric.NewBuilder()
	set := func(f *fabric.Fabric, version string) {
		for n := range f.Switches() {
			b.SetFirmware(n, fabric.Firmware{Version: version})
			return
		}
	}
	set(before, "31.2012.1024")
	if got := texts(diff.Compare(before, now, nil)); len(got) > 0 {
		t.Errorf("only one knows: %q", got)
	}
	set(now, "31.2012.1068")
	want := []string{`differs node leaf01 leaf01 firmware "31.2012.1024" "31.2012.1068"`}
	if d := cmp.Diff(want, texts(diff.Compare(before, now, nil))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestTwins: nodes with one GUID are matched in order.
func TestTwins(t *testing.T) {
	make := func(names ...string) *fabric.Fabric {
		b := fabric.NewBuilder()
		for _, name := range names {
			var info, desc [64]byte
			info[2], info[3], info[19] = byte(ib.NodeCA), 1, 7
			copy(desc[:], name)
			n := b.AddNode(&info)
			b.SetDescription(n, &desc)
		}
		return b.Build()
	}
	got := texts(diff.Compare(make("a", "b"), make("a", "c", "d"), nil))
	if d := cmp.Diff([]string{`differs node b c description "b" "c"`, `only-b node – d`}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
