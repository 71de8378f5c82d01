package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/internal/testenv"
)

const topology = "vendid=0x2c9\nSwitch\t2 \"S-00000000000000a0\"\t\t# \"a\" base port 0 lid 1 lmc 0\n" +
	"[1]\t\"S-00000000000000b0\"[1]\t\t# \"b\" lid 2 4xEDR\n\n" +
	"Switch\t2 \"S-00000000000000b0\"\t\t# \"b\" base port 0 lid 2 lmc 0\n[1]\t\"S-00000000000000a0\"[1]\t\t# \"a\" lid 1 4xEDR\n"

// texts are small files of each text format, with what tells who read them: the
// GUID and description of a node.
var texts = []struct{ name, text, node string }{
	{"topology", topology, "0x00000000000000b0 b"},
	{"topology behind noise", "\ufeff$ ibnetdiscover\r\n" + strings.ReplaceAll(topology, "\n", "\r\n"), "0x00000000000000b0 b"},
	{"ibsim", "# hand-written\nSwitch\t2 \"one\"\n[1]\t\"two\"[2]\n\nHca 2 \"two\"\n[2] \"one\"[1]\n", "0x0000000000100000 two"},
	{"ibsim by keyword", "module=\"m\"\nSwitch 2 \"S-00000000000000a0\"\n\n", "0x0000000000200000 m#S-00000000000000a0"},
	{"report", "SW     5  1 0x00000000000000a0 4x SDR                                    'a'\n", "0x00000000000000a0 a"},
	{"list", "Switch\t : 0x00000000000000a0 ports 36 devid 0x1 vendid 0x2 \"a\"\n", "0x00000000000000a0 a"},
	{"list of ibhosts", "Ca\t: 0x00000000000000c0 ports 1 \"host HCA-1\"", "0x00000000000000c0 host HCA-1"},
	{"progress", strings.Repeat("DR path slid 0; dlid 0; 0,1 -> known Switch {00000000000000a0} portnum 0 lid 0-0 \"\"\n", 2000) + topology, "0x00000000000000a0 a"},
}

func hasNode(f *fabric.Fabric, want string) bool {
	for n := range f.Nodes() {
		if n.GUID().String()+" "+n.Description() == want {
			return true
		}
	}
	return false
}

func TestRead(t *testing.T) {
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			for _, text := range []string{tt.text, packed(t, tt.text)} {
				f, err := Read(iotest.HalfReader(strings.NewReader(text)), "f")
				if err != nil {
					t.Fatal(err)
				}
				if !hasNode(f, tt.node) {
					t.Errorf("no node %q", tt.node)
				}
			}
		})
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadCache(t *testing.T) {
	f, err := Read(strings.NewReader(topology), "f")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := cache.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b, "f.cache")
	if err != nil {
		t.Fatal(err)
	}
	if again.NumNodes() != 2 || !hasNode(again, "0x00000000000000b0 b") {
		t.Errorf("%d nodes", again.NumNodes())
	}
}

func TestUnknown(t *testing.T) {
	for name, text := range map[string]string{
		"prose": "Switch the light on.\nCa va?\n", "XML": "<?xml version=\"1.0\"?>", "zeros": strings.Repeat("\x00", 1<<20),
		"node name map": "0x0002c90300000010 \"leaf\"\n", "packed prose": packed(t, "prose"),
	} {
		_, err := Read(strings.NewReader(text), "some.file")
		var e *Error
		if !errors.Is(err, ErrUnknown) || !errors.As(err, &e) || e.File != "some.file" || !strings.Contains(err.Error(), "expected one of these: cache file of ibnetdiscover --cache; snapshot of ibscope; ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEmptyFile(t *testing.T) {
	for _, text := range []string{"", packed(t, "")} {
		_, err := Read(strings.NewReader(text), "some.file")
		if !errors.Is(err, ErrUnknown) || err.Error() != "format: recognise some.file: the file is empty" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReadErrors(t *testing.T) {
	if _, err := Read(iotest.ErrReader(io.ErrClosedPipe), "f"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("broken stream: %v", err)
	}
	whole := packed(t, strings.Repeat(topology, 1000))
	if _, err := Read(strings.NewReader(whole[:len(whole)/2]), "f"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half of a packed file: %v", err)
	}
	if _, err := Read(strings.NewReader("\x1f\x8bxxxxxxxxxxx"), "f"); !errors.Is(err, gzip.ErrHeader) {
		t.Errorf("bad packed file: %v", err)
	}
	l := limited{strings.NewReader("0123456789"), 4}
	if b, err := io.ReadAll(&l); string(b) != "0123" || !errors.Is(err, ErrTooLarge) {
		t.Errorf("limited: %q, %v", b, err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(filepath.Join(dir, "no")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(dir); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a directory: %v", err)
	}
	for file, text := range map[string]string{
		"main.net": "include \"part.net\"\nSwitch 2 \"one\"\n[1] \"two\"[1]\n\n",
		"part.net": "Ca 1 \"two\"\n[1] \"one\"[1]\n\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Load(filepath.Join(dir, "main.net"))
	if err != nil || f.NumNodes() != 2 || len(f.Problems()) != 0 {
		t.Fatalf("%v, %v", err, f.Problems())
	}
	// A stream has no directory, and must not open files.
	f, err = Read(strings.NewReader("include \"part.net\"\nSwitch 2 \"one\"\n"), filepath.Join(dir, "main.net"))
	if err != nil || f.NumNodes() != 1 || len(f.Problems()) != 1 {
		t.Errorf("stream with an include line: %v", err)
	}
}

func TestLoadCorpus(t *testing.T) {
	corpus := testenv.Corpus(t)
	for _, dir := range []string{"topo", "ibnetdiscover-p", "lists"} {
		files, err := filepath.Glob(filepath.Join(corpus, dir, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, file := range files {
			if f, err := Load(file); err != nil || f.NumNodes() == 0 {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
