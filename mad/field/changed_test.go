package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/smp"
)

func changed(t *testing.T, a, b field.Value) []string {
	t.Helper()
	x, err := a.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range a.Fields().Changed(x, y) {
		names = append(names, string(f.AppendLine(nil, y)))
	}
	return names
}

func TestChanged(t *testing.T) {
	var mask [32]byte
	mask[31] = 2
	var one, other cc.CongestionControlTable
	other.Entries[7] = cc.TableEntry{Multiplier: 5}
	for _, tt := range []struct {
		name string
		a, b field.Value
		want []string
	}{
		{"same", &smp.PortInfo{LID: 4}, &smp.PortInfo{LID: 4}, nil},
		{
			"numbers", &smp.PortInfo{LID: 4, State: ib.PortActive}, &smp.PortInfo{LID: 5, State: ib.PortDown},
			[]string{"Lid:.............................5\n", "LinkState:.......................Down\n"},
		},
		{
			"whole array", &cc.SwitchCongestionSetting{}, &cc.SwitchCongestionSetting{VictimMask: mask},
			[]string{"Victim_Mask:.....................0000000000000000000000000000000000000000000000000000000000000002\n"},
		},
		{"element", &one, &other, []string{"CCT_Multiplier7:.................5\n"}},
	} {
		if diff := cmp.Diff(tt.want, changed(t, tt.a, tt.b)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}
