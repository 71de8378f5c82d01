package format_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// secrets are the texts of a fabric that must not be found in its anonymous form.
func secrets(f *fabric.Fabric) map[string]bool {
	found := map[string]bool{}
	add := func(g ib.GUID) {
		if g>>32 != 0 && g != 1<<64-1 { // small numbers are everywhere
			found[fmt.Sprintf("%016x", uint64(g))] = true
			if short := fmt.Sprintf("%x", uint64(g)); len(short) >= 8 {
				found[short] = true
			}
		}
	}
	for n := range f.Nodes() {
		info := n.Info()
		add(info.NodeGUID)
		add(info.SystemImageGUID)
		add(info.PortGUID)
		for p := range n.Ports() {
			add(p.GUID())
		}
		name := strings.TrimPrefix(n.Description(), "MF0;")
		name, _, _ = strings.Cut(name, ":")
		if words := strings.Fields(name); len(words) > 0 && strings.ContainsAny(words[0], "0123456789.") && !isMakers(words[0]) {
			found[words[0]] = true
		}
	}
	return found
}

// isMakers reports whether a word is one that may stay, or that may come up anew.
func isMakers(word string) bool {
	for _, start := range []string{"host", "switch", "router", "MT", "Connect", "Quantum", "mlx", "Switch", "MF0", "SwitchX"} {
		if strings.HasPrefix(word, start) {
			return true
		}
	}
	return len(word) < 5
}

// plainOf is a document as it is on disk, unpacked.
func plainOf(t *testing.T, d *format.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	if z, err := gzip.NewReader(bytes.NewReader(b.Bytes())); err == nil {
		all, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	return b.Bytes()
}

// checkNothingLeaks looks for what was in d in all that can be made of its
// anonymous form.
func checkNothingLeaks(t *testing.T, d *format.Document) {
	t.Helper()
	anonymous := d.Anonymize([]byte("seed"), nil)
	kept, count := 0, 0
	was := secrets(d.Fabric)
	var nodes []*fabric.Node
	for n := range anonymous.Fabric.Nodes() {
		nodes = append(nodes, n)
	}
	for p := range d.Fabric.Ports() {
		if q := nodes[p.Node().Index()].Port(p.Num()); p.LID() != 0 && p.LID() != 0xffff {
			count++
			if q.LID() == p.LID() {
				kept++
			}
		}
	}
	if count > 50 && kept > count/4 {
		t.Errorf("%d of %d ports have the LID that they had", kept, count)
	}
	for _, kind := range format.Writable() {
		out := *anonymous
		if out.Kind = kind; kind != format.Snapshot {
			out.Snapshot = nil
		}
		if kind == format.Cache && anonymous.Fabric.NumNodes() == 0 {
			continue
		}
		text := string(bytes.ToLower(plainOf(t, &out)))
		for secret := range was {
			if at := strings.Index(text, strings.ToLower(secret)); at >= 0 {
				t.Errorf("%s: %q is in %.60q", kind, secret, text[max(0, at-20):])
			}
		}
		if kind == format.Cache { // binary, GUIDs in two byte orders
			checkCache(t, d.Fabric, []byte(plainOf(t, &out)))
		}
	}
}

func checkCache(t *testing.T, f *fabric.Fabric, data []byte) {
	t.Helper()
	for n := range f.Nodes() {
		g := uint64(n.GUID())
		if g>>32 == 0 {
			continue
		}
		var big, little [8]byte
		for i := range 8 {
			big[i], little[7-i] = byte(g>>(56-8*i)), byte(g>>(56-8*i))
		}
		if bytes.Contains(data, big[:]) || bytes.Contains(data, little[:]) {
			t.Errorf("cache: %x is in it", g)
		}
	}
}

func TestNothingLeaks(t *testing.T) {
	for _, text := range []string{"fattree?levels=2&radix=8", "director?model=isr9288&lines=2&hosts=20", "gpupod?hosts=2&radix=8", "subnets?speed=hdr"} {
		f, err := gen.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s := &snapshot.Snapshot{Fabric: f, Manager: f}
		checkNothingLeaks(t, &format.Document{Kind: format.Snapshot, Fabric: f, Snapshot: s})
		anonymous := (&format.Document{Kind: format.Snapshot, Fabric: f, Snapshot: s}).Anonymize(nil, nil).Snapshot
		if got, want := len(anonymous.Fabric.Chassis()), len(f.Chassis()); got != want {
			t.Errorf("%s: %d chassis, want %d", text, got, want)
		}
		for n := range f.Nodes() {
			for m := range anonymous.Fabric.Nodes() {
				if m.Index() == n.Index() && m.Slot() != n.Slot() {
					t.Errorf("%s: %v is in slot %v, was in %v", text, n.GUID(), m.Slot(), n.Slot())
				}
			}
		}
	}
}

func TestNothingLeaksOfCorpus(t *testing.T) {
	count := 0
	err := filepath.WalkDir(testenv.Corpus(t), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		d, err := format.LoadDocument(path)
		if err != nil || d.Fabric.NumNodes() == 0 || d.Fabric.NumNodes() > 700 {
			return nil
		}
		count++
		checkNothingLeaks(t, d)
		if t.Failed() {
			t.Logf("%s", path)
			return fs.SkipAll
		}
		return nil
	})
	if err != nil || count < 20 {
		t.Errorf("%d files, %v", count, err)
	}
}
