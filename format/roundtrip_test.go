package format_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

// generated are fabrics of all shapes.
var generated = []string{
	"fattree?levels=2&radix=8&hosts=9", "fattree?levels=3&radix=4", "fattree?levels=2&radix=8&split=yes&speed=ndr", "gpupod?hosts=4&rails=4&radix=8&storage=2",
	"dragonfly+?groups=3&leaves=2", "torus?dims=3x3x2&cables=2", "hypercube?dims=3", "director?hosts=20", "star", "subnets", "xdrplanes", "line?switches=2",
}

// attributes are all that nodes have told, one line each.
func attributes(f *fabric.Fabric) (lines []string) {
	for n := range f.Nodes() {
		sw, _ := n.RawSwitchInfo()
		lines = append(lines, fmt.Sprintf("node %s %x %x %x", n.GUID(), n.RawInfo(), n.RawDescription(), sw))
		for p := range n.Ports() {
			info, _ := p.RawInfo()
			ext, _ := p.RawExtendedInfo()
			lines = append(lines, fmt.Sprintf("port %s %d %s %x %x", n.GUID(), p.Num(), p.GUID(), info, ext))
		}
	}
	return append(lines, graph(f)...)
}

// graph is nodes, names, LIDs and links with what they run at.
func graph(f *fabric.Fabric) (lines []string) {
	for n := range f.Nodes() {
		lines = append(lines, fmt.Sprintf("%s %s %d %q", n.GUID(), n.Type(), n.NumPorts(), n.Description()))
		for p := range n.Ports() {
			if q := p.Remote(); q != nil {
				lines = append(lines, fmt.Sprintf("%s %d %s LID %d to %s %d", n.GUID(), p.Num(), p.Active(), lidOf(p), q.Node().GUID(), q.Num()))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// lidOf is that of port 0 on a switch: other ports of a switch tell different things.
func lidOf(p *fabric.Port) ib.LID {
	if zero := p.Node().Port(0); p.Node().Type() == ib.NodeSwitch && zero != nil {
		return zero.LID()
	}
	return p.LID()
}

// withoutRouters is the graph without the lines of routers, whose LIDs ibsim's format
// does not have.
func withoutRouters(f *fabric.Fabric) []string {
	return slices.DeleteFunc(graph(f), func(line string) bool {
		g, err := ib.ParseGUID(line[:strings.IndexByte(line, ' ')])
		n, ok := f.NodeByGUID(g)
		return err != nil || !ok || n.Type() == ib.NodeRouter
	})
}

// names are the nodes alone.
func names(f *fabric.Fabric) (lines []string) {
	for n := range f.Nodes() {
		lines = append(lines, fmt.Sprintf("%s %s %q", n.GUID(), n.Type(), n.Description()))
	}
	slices.Sort(lines)
	return lines
}

// TestRoundTrips: what is written in a format and read again is the same, as far as
// the format holds it: all attributes, or the graph, or the nodes.
func TestRoundTrips(t *testing.T) {
	holds := map[format.Kind]func(*fabric.Fabric) []string{
		format.Snapshot: attributes, format.Cache: attributes,
		format.Topology: graph, format.Ibsim: withoutRouters, format.Ports: nil, format.List: names,
	}
	for _, generator := range generated {
		f, err := gen.Parse(generator)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range format.Writable() {
			t.Run(generator+" "+string(kind), func(t *testing.T) {
				of, known := holds[kind]
				if !known {
					t.Fatal("a format that can be written needs a row here")
				}
				got := again(t, kind, f)
				if of == nil { // of links only, and by port GUIDs
					if n, want := count(got), count(f); n != want {
						t.Errorf("%d links, not %d", n, want)
					}
					return
				}
				if d := cmp.Diff(of(f), of(got)); d != "" {
					t.Errorf("(-written +read)\n%.3000s", d)
				}
				if twice := again(t, kind, got); !slices.Equal(of(twice), of(got)) {
					t.Error("a second round changes something")
				}
			})
		}
	}
}

// again writes and reads a fabric.
func again(t *testing.T, kind format.Kind, f *fabric.Fabric) *fabric.Fabric {
	t.Helper()
	var b bytes.Buffer
	if err := (&format.Document{Kind: kind, Fabric: f}).Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), strings.ReplaceAll(string(kind), "/", "-"))
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := format.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range got.Problems() {
		t.Errorf("%v", p)
	}
	return got
}

func count(f *fabric.Fabric) (n int) {
	for range f.Links() {
		n++
	}
	return n
}
