package ibsimnet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// dump has a line for each node, linked port and problem.
func dump(f *fabric.Fabric) string {
	var b strings.Builder
	for n := range f.Nodes() {
		fmt.Fprintf(&b, "%v %#x ports %d %q\n", n.Type(), uint64(n.GUID()), n.NumPorts(), n.Description())
		for p := range n.Ports() {
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, "  %d %v %v - %#x %d\n", p.Num(), p.State(), p.Active(), uint64(r.Node().GUID()), r.Num())
			}
		}
	}
	for _, p := range f.Problems() {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			name: "rates of both ends",
			text: `width=11
speed=7
extspeed=3
Switch 6 "a"
[1] "b"[1] w=1
[2] "b"[2] s=1 e=0
[3] "b"[3] e=8
[4] "b"[4] # "b" lid 2 2xNDR
[5] "b"[5] # "b" lid 2 4xXDR
[6] "b"[6] w=4

Switch 6 "b"
[1] "a"[1]
[2] "a"[2] s=7
[3] "a"[3] e=15
[4] "a"[4] # "a" lid 2 2xNDR
[5] "a"[5] # "a" lid 2 4xXDR
[6] "a"[6] w=1
`,
			want: `Switch 0x200000 ports 6 "a"
  1 Initialize 1xEDR - 0x200001 1
  2 Initialize 12xSDR - 0x200001 2
  3 Initialize 12xNDR - 0x200001 3
  4 Initialize 2xNDR - 0x200001 4
  5 Initialize 4xXDR - 0x200001 5
  6 Initialize 1xSDR - 0x200001 6
Switch 0x200001 ports 6 "b"
  1 Initialize 1xEDR - 0x200000 1
  2 Initialize 12xSDR - 0x200000 2
  3 Initialize 12xNDR - 0x200000 3
  4 Initialize 2xNDR - 0x200000 4
  5 Initialize 4xXDR - 0x200000 5
  6 Initialize 1xSDR - 0x200000 6
f:10: the two ends of the link have no width or speed in common; it is 1x SDR
`,
		},
		{
			name: "what ibsim gives up at",
			text: `Switch 4 "a"
[1] "nobody"[1]
[2] "b"[9]
[3] "b" [2]
[0] "b"[1]
[5] "b"[1]
[4]
vendid=0x2c9
Ca 2 "b"
[1] "a"[4]
[2] "a"[3] w=99
[1] "a"[1]
Ca 1 "b"
Switch 0 "c"
Switch 2
Ca 300 "d@e"
`,
			want: `Switch 0x200000 ports 4 "a"
  3 Initialize 4xSDR - 0x100000 2
  4 Initialize 4xSDR - 0x100000 1
CA 0x100000 ports 2 "b"
  1 Initialize 4xSDR - 0x200000 4
  2 Initialize 4xSDR - 0x200000 3
CA 0x100003 ports 1 "b"
CA 0x100005 ports 255 "d@e"
f:4: ibsim does not see a port number with blanks before it, as in "id" [2]
f:5: expected a port number in [1]…[4]
f:6: expected a port number in [1]…[4]
f:7: expected "id" of the other end, or "alias"
f:8: an empty line is missing before this one: ibsim would not see it
f:11: expected w=1…31, s=1…7 or e=0…15, got "w=99"
f:12: node "b" has 2 ports, and all were listed before this line
f:13: the id "b" stands for another node already; links lead to the first
f:14: an empty line is missing before this one: ibsim would not see it
f:14: expected at least one port and an "id" of 1…64 bytes in a node header
f:15: expected the number of ports and "id" in a node header
f:16: a node has at most 255 ports, not 300
f:16: # and @ are not allowed in the id "d@e"
f:2: there is no node "nobody"; the port is not linked
f:3: node "b" has only 2 ports, not 9; the port is not linked
f:10: port 4 of "a" does not name this port; they are linked all the same
`,
		},
		{
			name: "GUIDs, aliases and lines without meaning",
			text: `# comment
switchguid=0x10(10)
Switch 2 "a" # named lid 5
[1] "@later"
# comment between ports
[2] "b"[1] # no rate lid x

switchguid+0x10
Switch 0x2 "b"
[1] "a"[2]
@[2] "later"
@[2] "later"

rtguid=0x50
Rt 1 "r"

Rt 1 "s"

do Link "r"[1] "s"[1]
 Switch 2 "hidden"
[1] "a"[1]
Non-Chassis Nodes
speed=9
width
module=x
switchguid*1
`,
			want: `Switch 0x10 ports 2 "named"
  1 Initialize 4xSDR - 0x20 2
  2 Initialize 4xSDR - 0x20 1
Switch 0x20 ports 2 "b"
  1 Initialize 4xSDR - 0x10 2
  2 Initialize 4xSDR - 0x10 1
Router 0x50 ports 1 "r"
Router 0x52 ports 1 "s"
f:6: expected a LID and a rate as in lid 1 4xEDR, got "lid x"
f:12: node "b" has 2 ports, and all were listed before this line
f:19: console commands are not run: "Link \"r\"[1] \"s\"[1]"
f:20: this line begins with blanks and is ignored, as ibsim does
f:21: expected a node header before this port line
f:22: expected a node header, a port line or another keyword of ibsim, got "Non-Chassis Nodes"
f:23: expected speed= and a number in 0x1…0x7
f:24: expected width= and a number in 0x1…0x1f
f:25: expected module="name", with at most 20 characters
f:26: expected switchguid= or switchguid+ and a number
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Read(strings.NewReader(tt.text), "f", nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, dump(f)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInclude(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/part.net", "include \"leaf.net\"\nCa 1 \"b\"\n[1] \"nobody\"[1]\n\n")
	write("sub/leaf.net", "Ca 1 \"c\"\n[1] \"a\"[1]\n\n")
	main := filepath.Join(dir, "main.net")
	text := "Switch 2 \"a\"\n[1] \"c\"[1]\n\ninclude \"sub/part.net\"\ninclude \"gone.net\"\n"
	f, err := Read(strings.NewReader(text), main, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "Switch 0x200000 ports 2 \"a\"\n  1 Initialize 4xSDR - 0x100000 1\nCA 0x100000 ports 1 \"c\"\n" +
		"  1 Initialize 4xSDR - 0x200000 1\nCA 0x100002 ports 1 \"b\"\n" +
		"DIR/main.net:5: cannot include: open DIR/gone.net: no such file or directory\n" +
		"DIR/sub/part.net:3: there is no node \"nobody\"; the port is not linked\n"
	if diff := cmp.Diff(want, strings.ReplaceAll(dump(f), dir, "DIR")); diff != "" {
		t.Error(diff)
	}

	if f, err = Read(strings.NewReader(text), main, &Options{NoInclude: true}); err != nil || f.NumNodes() != 1 {
		t.Errorf("without include: %v", err)
	}

	// A file that includes itself twice must end.
	write("loop.net", "Ca 1 \"x\"\n\ninclude \"loop.net\"\ninclude \"loop.net\"\n")
	f, err = Read(strings.NewReader("include \"loop.net\"\n"), main, nil)
	if err != nil || f.NumNodes() > maxIncludes {
		t.Errorf("loop: %v, %d nodes", err, f.NumNodes())
	}

	// What may have no end, as devices and pipes, is not opened.
	f, err = Read(strings.NewReader("include \""+os.DevNull+"\"\ninclude \"sub\"\nCa 1 \"x\"\n"), main, nil)
	want = "CA 0x100000 ports 1 \"x\"\nDIR/main.net:1: cannot include: open " + os.DevNull + ": not a regular file\n" +
		"DIR/main.net:2: cannot include: open DIR/sub: not a regular file\n"
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, strings.ReplaceAll(dump(f), dir, "DIR")); diff != "" {
		t.Error(diff)
	}
}

func TestReadErrors(t *testing.T) {
	var e *Error
	_, err := Read(strings.NewReader("# nothing\nvendid=1\n"), "f", nil)
	if !errors.Is(err, ErrNothing) || !errors.As(err, &e) || e.File != "f" {
		t.Errorf("no node: %v", err)
	}
	_, err = Read(strings.NewReader(strings.Repeat("Ca 255\"x\"\n\n", 1<<15+1)), "f", nil)
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many ports: %v", err)
	}
	_, err = Read(io.MultiReader(strings.NewReader("Ca 1 \"a\"\n"), iotest.ErrReader(io.ErrClosedPipe)), "f", nil)
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("broken stream: %v", err)
	}
}

func TestUnlinkedPortsAreKnown(t *testing.T) {
	f, err := Read(strings.NewReader("Ca 2 \"a\" # lid 3\n[2] \"a\"[2]\n"), "f", nil)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := f.NodeByGUID(0x100000)
	if p := n.Port(1); p == nil || p.State() != ib.PortDown || p.GUID() != 0x100001 || f.Start() != p {
		t.Errorf("port 1: %+v", p)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("module=\"m\"\nwidth=3\nSwitch 4 \"a\" # \"d\" enhanced port 0 lid 7 lmc 2\n[1] \"m#b\"[1](1) w=1 s=2 e=3 # lid 1 \"x\" lid 2 4xEDR\n@[2] \"al\"\n\nCa 2 \"b\"\n[1] \"a\"[1]\n[2] \"@al\"\n")
	f.Add("switchguid+0x10\nhcaguids=07\nRt 2 \"r\"\n[1]\"r\"[2]\n[2]\"r\"[1]\nextspeed=15\nvendid=9\nsysimgguid=9\ninclude \"x\"\ndo x\n")
	f.Fuzz(func(t *testing.T, text string) {
		fab, err := Read(strings.NewReader(text), "f", &Options{NoInclude: true})
		if err != nil {
			if !errors.Is(err, ErrNothing) {
				t.Fatal(err)
			}
			return
		}
		dump(fab)
		for p := range fab.Ports() {
			if r := p.Remote(); r != nil && r.Remote() != p {
				t.Errorf("the link of %v port %d leads one way", p.Node().GUID(), p.Num())
			}
		}
	})
}
