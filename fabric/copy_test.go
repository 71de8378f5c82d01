package fabric_test

import (
	"bytes"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestCopy: a copy tells the same, shares no node, and what is set in it is not in the
// original.
func TestCopy(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=8&hosts=12")
	if err != nil {
		t.Fatal(err)
	}
	same := f.Copy(func(*fabric.Builder, *fabric.Node) {})
	if was, is := written(t, f), written(t, same); !bytes.Equal(was, is) {
		t.Errorf("a copy is written as\n%s\nand what it is of as\n%s", is, was)
	}
	set := f.Copy(func(b *fabric.Builder, n *fabric.Node) { b.SetFirmware(n, fabric.Firmware{Version: "1.2.3"}) })
	for n := range set.Nodes() {
		old, _ := f.NodeByGUID(n.GUID())
		if _, known := old.Firmware(); known || old == n {
			t.Fatalf("%s: the original has the firmware of its copy", n.GUID())
		}
		if found, _ := set.NodeByGUID(n.GUID()); found != n {
			t.Errorf("%s: the copy finds another node", n.GUID())
		}
		for p := range n.Ports() {
			if p.Node() != n || p.Remote() != nil && p.Remote().Remote() != p {
				t.Errorf("%s port %d does not belong to the copy", n.GUID(), p.Num())
			}
			if lid := p.LID(); lid != 0 {
				if owner, _ := set.PortByLID(lid); owner.Node() != n {
					t.Errorf("LID %d: the copy finds another node", lid)
				}
			}
		}
	}
}

func written(t *testing.T, f *fabric.Fabric) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := snapshot.WriteJSON(&b, &snapshot.Snapshot{Fabric: f}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
