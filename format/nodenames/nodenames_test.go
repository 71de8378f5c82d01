package nodenames

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

func TestRead(t *testing.T) {
	tests := []struct {
		line, name, problem string
	}{
		{`0x10 "leaf 1"`, "leaf 1", ""},
		{`0x10 "leaf # 1" # comment`, "leaf # 1", ""},
		{`0x10 leaf 1`, "leaf 1", ""},
		{"\t0x10\tleaf\t1\t\t# comment", "leaf\t1", ""},
		{"0x10 leaf \r", "leaf", ""},
		{`0x10   "  leaf  "`, "  leaf  ", ""},
		{`0x10 "it's" leaf`, "it's", ""},
		{`0x10 leaf "one"`, "leaf", ""},
		{`0000000000000010 leaf`, "leaf", ""},
		{`16 leaf`, "leaf", ""},
		{`020 leaf`, "leaf", ""},
		{`0X10 leaf(root)`, "leaf(root)", ""},
		{`0x10 "leaf`, "leaf", "quote"},
		{"0x10 one\n0x10 two", "one", `"one" holds`},
		{"<guid> one\n0x10 two", "two", "expected a GUID"},
		{"10 one", "own", ""},
		{`0x10`, "own", "no name"},
		{`0x10 ""`, "own", "no name"},
		{`0x10 # bogus`, "own", "no name"},
		{`0x10"one"`, "own", "expected a GUID"},
		{`-1 one`, "own", "expected a GUID"},
		{`0x1ffffffffffffffff one`, "own", "expected a GUID"},
		{"# 0x10 one\n\n  # x", "own", ""},
	}
	for _, tt := range tests {
		m, problems, err := Read(strings.NewReader(tt.line), "f")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Name(0x10, "own"); got != tt.name {
			t.Errorf("%q: name %q, want %q", tt.line, got, tt.name)
		}
		if (len(problems) > 0) != (tt.problem != "") || len(problems) > 0 && !strings.Contains(problems[0].Detail, tt.problem) {
			t.Errorf("%q: problems %v, want %q", tt.line, problems, tt.problem)
		}
	}
}

func TestNilMap(t *testing.T) {
	var m *Map
	if got := m.Name(1, "a\tb\xc3\xa9"); got != "a b  " || m.Len() != 0 {
		t.Errorf("name %q, %d names", got, m.Len())
	}
}

func TestReadError(t *testing.T) {
	m, _, err := Read(io.MultiReader(strings.NewReader("0x1 one\n"), iotest.ErrReader(io.ErrClosedPipe)), "f")
	var e *Error
	if !errors.Is(err, io.ErrClosedPipe) || !errors.As(err, &e) || e.File != "f" || m.Len() != 1 {
		t.Errorf("error %v, %d names", err, m.Len())
	}
}

// endless gives one text again and again.
type endless string

func (e endless) Read(b []byte) (int, error) { return copy(b, e), nil }

func TestReadEnds(t *testing.T) {
	if _, _, err := Read(endless("0x1 a\n"), "f"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("lines without end: %v", err)
	}
	if _, _, err := Read(endless("\x00\x00"), "f"); err == nil || !strings.Contains(err.Error(), "f: not text") {
		t.Errorf("a line without end: %v", err)
	}
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if _, _, err := Read(dir, "DIR"); err == nil || err.Error() != "nodenames: read DIR: is a directory" {
		t.Errorf("a directory: %v", err)
	}
}

func TestCorpus(t *testing.T) {
	dir := filepath.Join(testenv.Corpus(t), "opensm-conf")
	for _, tt := range []struct {
		file            string
		names, problems int
	}{
		{"fabricmon-ib-node-name-map", 4, 1},
		{"scinet10-ib-node-name-map", 0, 11},
	} {
		f, err := os.Open(filepath.Join(dir, tt.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, problems, err := Read(f, tt.file)
		if err != nil || m.Len() != tt.names || len(problems) < tt.problems {
			t.Errorf("%s: %d names, %d problems, %v", tt.file, m.Len(), len(problems), err)
		}
	}
}

// TestAgainstC compares names with those that ibnetdiscover prints.
func TestAgainstC(t *testing.T) {
	testenv.Need(t, "ibsim", "umad2sim", "ibnetdiscover")
	dir := t.TempDir()
	net := filepath.Join(dir, "n.net")
	write := func(file, text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	desc := "\x01 tab\t\xc3\xa9 " + strings.Repeat("0123456789", 6)
	write(net, "switchguid=0x10\nSwitch 2 \"a\" # \""+desc+"\"\n[1] \"a\"[2]\n[2] \"a\"[1]\n\n")
	sim := testenv.StartIbsim(t, net)
	for _, line := range []string{
		"", "0x10 \"a name\"", "0x10 bare name", "\t0x10\tbare", "16 dec", "020 octal", "0X10 it's", "0x10 \"in quotes\" # comment",
		"0x10 one\n0x10 two", "0x11 other", "0x10 " + strings.Repeat("long", 30), "0x10 \"\"",
	} {
		file := filepath.Join(dir, "map")
		write(file, line+"\n")
		out, stderr, code := testenv.RunC(t, sim, "", "ibnetdiscover", "-S", "--node-name-map", file)
		_, name, ok := strings.Cut(out, "vendid 0x0 \"")
		want, ok2 := strings.CutSuffix(name, "\"\n")
		if code != 0 || !ok || !ok2 {
			t.Fatalf("%q: exit code %d, %q, %q", line, code, out, stderr)
		}
		m, _, err := Read(strings.NewReader(line+"\n"), "map")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Name(ib.GUID(0x10), desc); got != want {
			t.Errorf("%q: name %q, C has %q", line, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("0x10 \"leaf # 1\" # c\n# x\n16 bare\t#\n<guid> \"x")
	f.Fuzz(func(t *testing.T, text string) {
		m, problems, err := Read(strings.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text, "\n") + strings.Count(text, "\r") + 1; m.Len()+len(problems) > 3*n {
			t.Errorf("%d names and %d problems in %d lines", m.Len(), len(problems), n)
		}
		for g, name := range m.names {
			if name == "" || m.Name(g, "x") != name {
				t.Errorf("%v has the name %q", g, name)
			}
		}
	})
}
