package ibsimnet

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/testenv"
)

func written(t *testing.T, f *fabric.Fabric) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readText(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := Read(strings.NewReader(text), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What is written reads as it was, and is written the same again.
func TestWriteReadsBack(t *testing.T) {
	for _, name := range []string{"net", "net.1", "net.2sw2path", "net.2sw2path4hca", "net.2sw2path4hca2port"} {
		f := readFile(t, testenv.Example(t, name))
		text := written(t, f)
		again := readText(t, text)
		if d := cmp.Diff(dump(f), dump(again)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(text, written(t, again)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Descriptions can neither end their quotes nor their line, nor set options.
func TestWriteHostileDescriptions(t *testing.T) {
	f := readText(t, "Switch 2 \"a\" # x\n[1] \"b\"[1] # \"b\" lid 2 4xEDR\n\nCa 1 \"b\" # x\n[1] \"a\"[1] # lid 2 lmc 0 \"a\" lid 1 4xEDR\n")
	for _, desc := range []string{
		"\"\nSwitch 4 \"x", "w=16 e=0 s=9", "\x1b[31m", "é\xff", "#", "@[1]", "a\" lid 9 1xSDR", "\\", " ", "",
		strings.Repeat("=", 64), "one enhanced port 0 lid 7 lmc 3",
	} {
		b := fabric.NewBuilder()
		var nodes []*fabric.Node
		for n := range f.Nodes() {
			info, sw := n.RawInfo(), n.SwitchInfoBytes()
			c := b.AddNode(&info)
			var raw [64]byte
			copy(raw[:], desc)
			b.SetDescription(c, &raw)
			if sw != nil {
				b.SetSwitchInfo(c, sw)
			}
			for p := range n.Ports() {
				if info, ok := p.RawInfo(); ok {
					b.SetPortInfo(b.Port(c, p.Num()), &info)
				}
			}
			nodes = append(nodes, c)
		}
		b.Link(b.Port(nodes[0], 1), b.Port(nodes[1], 1))
		text := written(t, b.Build())
		again := readText(t, text)
		if again.NumNodes() != 2 || len(again.Problems()) > 0 || strings.Contains(text, "\xff") || strings.ContainsAny(text, "\x1b\r") {
			t.Errorf("%q: %q, %v", desc, text, again.Problems())
		}
		for n := range again.Nodes() {
			if p := n.Port(1); p.Remote() == nil || p.Active().String() != "4xEDR" || n.Description() == "" {
				t.Errorf("%q: %q, a link at %s", desc, n.Description(), p.Active())
			}
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("no space")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	f := readFile(t, testenv.Example(t, "net"))
	if err := Write(fullDisk{}, f); !errors.Is(err, errFull) {
		t.Error(err)
	}
}
