package cache

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// stored is a file with an adapter and a switch, and what was written into it.
func stored(t *testing.T) (path string, data []byte) {
	t.Helper()
	f := small()
	path = filepath.Join(t.TempDir(), "fabric.cache")
	if err := WriteFile(path, f); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestReplace(t *testing.T) {
	path, before := stored(t)
	r, err := ReadRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	var sw, ca *fabric.Node
	f, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range f.Nodes() {
		if n.Type() == ib.NodeSwitch {
			sw = n
		} else {
			ca = n
		}
	}
	for _, wrong := range []Change{
		{SwitchGUID, 0, ca.GUID(), 1},
		{CAGUID, 0, sw.GUID(), 1},
		{SystemImageGUID, 0, 0x99, 1},
		{PortGUID, 0x99, sw.GUID(), 1},
		{PortGUID, ca.GUID(), 0x99, 1},
	} {
		if err := r.Replace(wrong); !errors.Is(err, ErrNoSuchGUID) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if err := r.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if same, _ := os.ReadFile(path); !bytes.Equal(before, same) {
		t.Error("the file is another without a change")
	}
	for _, c := range []Change{
		{SwitchGUID, 0, sw.GUID(), 0x51}, {CAGUID, 0, ca.GUID(), 0x52}, {PortGUID, 0x52, ca.Port(1).GUID(), 0x53},
	} {
		if err := r.Replace(c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := r.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	after, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := after.NodeByGUID(0x52)
	if n == nil || n.Port(1).GUID() != 0x53 || n.Port(1).Remote() == nil || n.Port(1).Remote().GUID() != 0x51 {
		t.Errorf("the link is gone: %v", after.Problems())
	}
	if d := cmp.Diff(f.NumNodes(), after.NumNodes()); d != "" {
		t.Error(d)
	}
}

// FuzzRecords: what is read is written as it was, and changes do not panic.
func FuzzRecords(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, small()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes(), uint64(0x10), uint64(0x20))
	path := filepath.Join(f.TempDir(), "in")
	f.Fuzz(func(t *testing.T, in []byte, before, node uint64) {
		if err := os.WriteFile(path, in, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := ReadRecords(path)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := r.write(&out); err != nil || !bytes.HasPrefix(in, out.Bytes()) {
			t.Fatalf("%v: % x became % x", err, in, out.Bytes())
		}
		for kind := SwitchGUID; kind <= PortGUID; kind++ {
			_ = r.Replace(Change{Kind: kind, Node: ib.GUID(node), Before: ib.GUID(before), After: 7})
		}
	})
}
