package attr

import (
	"errors"
	"io"
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestName(t *testing.T) {
	tests := []struct {
		class mad.Class
		id    mad.AttrID
		want  string
	}{
		{mad.ClassSubnLID, 0x11, "NodeInfo"},
		{mad.ClassSubnDirected, 0x15, "PortInfo"},
		{mad.ClassSubnDirected, 0xff90, "ExtendedPortInfo"},
		{mad.ClassSubnLID, 0x32, "CableInfo"},
		{mad.ClassSubnLID, 0x99, "attribute 0x0099"},
		{mad.ClassPerf, 0x12, "PortCounters"},
		{mad.ClassPerf, 0x13, "attribute 0x0013"},
		{mad.ClassBM, 0x01, "ClassPortInfo"},
		{mad.ClassSNMP, 0x01, "ClassPortInfo"},
		{mad.ClassCC, 0x13, "CongestionLog"},
		{0x33, 0x12, "SysstatCPU"},
		{mad.ClassSubnAdm, 0x32, "attribute 0x0032"},
	}
	for _, tt := range tests {
		if got := Name(tt.class, tt.id); got != tt.want {
			t.Errorf("Name(%v, %v) = %q, want %q", tt.class, tt.id, got, tt.want)
		}
	}
}

// TestRegistry checks what every entry must hold: it is found by both keys, is
// unique, and its value has its identifier and its size.
func TestRegistry(t *testing.T) {
	type key struct {
		class mad.Class
		id    mad.AttrID
	}
	seen := map[key]bool{}
	for class, a := range All() {
		k := key{class, a.ID}
		if a.View {
			checkView(t, class, a)
			continue
		}
		if seen[k] {
			t.Errorf("%v %v is there twice", class, a.ID)
		}
		seen[k] = true
		byID, ok := Lookup(class, a.ID)
		byName, ok2 := ByName(class, a.Name)
		if !ok || !ok2 || byID.Name != a.Name || byName.ID != a.ID {
			t.Errorf("%s is not found by its keys", a.Name)
		}
		data, err := a.New().AppendBinary(nil)
		if err != nil || len(data) != a.Size || a.New().AttrID() != a.ID || len(a.Fields) == 0 {
			t.Errorf("%s: %d bytes (%v), identifier %v", a.Name, len(data), err, a.New().AttrID())
		}
	}
	if len(seen) < 85 {
		t.Errorf("only %d attributes", len(seen))
	}
}

// checkView checks that a view is found by name only, and that its identifier
// has another layout too.
func checkView(t *testing.T, class mad.Class, a field.Attribute) {
	t.Helper()
	byID, ok := Lookup(class, a.ID)
	byName, ok2 := ByName(class, a.Name)
	if !ok || !ok2 || byID.Name == a.Name || byName.Name != a.Name || byID.View {
		t.Errorf("view %s: %v gives %s, the name %s", a.Name, a.ID, byID.Name, byName.Name)
	}
}

func TestDecode(t *testing.T) {
	var data [64]byte
	data[2] = 2
	v, ok, err := Decode(mad.ClassSubnDirected, smp.AttrNodeInfo, data[:])
	if n, is := v.(*smp.NodeInfo); !ok || err != nil || !is || n.NodeType != 2 {
		t.Errorf("NodeInfo: %+v, %v, %v", v, ok, err)
	}
	if _, ok, err := Decode(mad.ClassSubnLID, smp.AttrNodeInfo, data[:63]); !ok || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("63 bytes: %v, %v", ok, err)
	}
	if v, ok, err := Decode(mad.ClassSubnLID, 0x99, data[:]); v != nil || ok || err != nil {
		t.Errorf("0x99: %v, %v, %v", v, ok, err)
	}
}
