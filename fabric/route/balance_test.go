package route

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

// repeat is n ports with so many LIDs, behind those that are there.
func repeat(u Usage, n, lids int) Usage {
	for range n {
		u.Linked++
		u.Uses = append(u.Uses, Use{u.Linked, lids})
	}
	return u
}

// TestBalance has what check_lft_balance -e was seen to say of such ports.
func TestBalance(t *testing.T) {
	for _, tt := range []struct {
		name            string
		usage           Usage
		balanced, seems bool
	}{
		{"none", Usage{}, true, true},
		{"one apart", repeat(repeat(Usage{}, 4, 3), 4, 4), true, true},
		{"two apart", repeat(repeat(Usage{}, 4, 3), 4, 5), false, false},
		{"halves of a small switch", repeat(repeat(Usage{}, 6, 5), 6, 20), false, false},
		{"halves of a large switch", repeat(repeat(Usage{}, 8, 5), 8, 20), false, true},
		{"halves and a host", repeat(repeat(Usage{Linked: 1}, 6, 5), 6, 20), false, true},
		{"a port more below", repeat(repeat(Usage{}, 9, 5), 7, 20), false, true},
		{"two ports more below", repeat(repeat(Usage{}, 10, 5), 6, 20), false, false},
		{"odd, fewer below", repeat(repeat(Usage{}, 6, 5), 9, 20), false, true},
		{"odd, more below", repeat(repeat(Usage{}, 9, 5), 6, 20), false, false},
		{"few ports count", repeat(repeat(Usage{Linked: 5}, 4, 5), 4, 20), false, false},
		{"the upper half is uneven", repeat(repeat(repeat(Usage{}, 8, 5), 4, 20), 4, 22), false, false},
		{"unused ports", repeat(repeat(Usage{}, 3, 0), 13, 20), false, true},
		{"unused ports of a small switch", repeat(repeat(Usage{}, 3, 0), 3, 3), false, false},
	} {
		if got := tt.usage.IsBalanced(); got != tt.balanced {
			t.Errorf("%s: IsBalanced gives %v", tt.name, got)
		}
		if got := tt.usage.SeemsBalanced(); got != tt.seems {
			t.Errorf("%s: SeemsBalanced gives %v", tt.name, got)
		}
	}
}

func TestUsageOf(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=8&hosts=14")
	if err != nil {
		t.Fatal(err)
	}
	leaf := f.Start().Remote().Node() // four hosts, four ports up
	got := UsageOf(leaf, map[int]int{0: 9, 1: 1, 2: 7, 5: 3, 200: 2})
	want := Usage{Uses: []Use{{5, 3}, {6, 0}, {7, 0}, {8, 0}, {200, 2}}, Linked: 8}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	got = UsageOf(nil, map[int]int{1: 1, 5: 3})
	if diff := cmp.Diff(Usage{Uses: []Use{{1, 1}, {5, 3}}}, got); diff != "" {
		t.Errorf("unknown switch: -want +got\n%s", diff)
	}
}

func TestBehind(t *testing.T) {
	f, err := gen.Parse("star?hosts=4")
	if err != nil {
		t.Fatal(err)
	}
	var sw *fabric.Node
	for sw = range f.Switches() {
		break
	}
	tables := LFTs{sw: nil}
	if got := Behind(f, tables, sw, 2); got != nil {
		t.Errorf("an empty table leads to %v", got)
	}
	table := make([]uint8, 10)
	for p := range f.Ports() {
		if lid := p.LID(); int(lid) < len(table) && lid != 0 && p.Num() != 0 {
			table[lid] = 2 // the switch itself too
		}
	}
	tables[sw] = table
	var types []ib.NodeType
	for _, p := range Behind(f, tables, sw, 2) {
		types = append(types, p.Node().Type())
	}
	if len(types) == 0 {
		t.Skip("the generator gives no LIDs") // then the test of the command has it
	}
	for _, typ := range types {
		if typ != ib.NodeCA {
			t.Errorf("lists a %s", typ)
		}
	}
	if got := tables.Next(sw, 4000); got != NoPort {
		t.Errorf("beyond the table: port %d", got)
	}
}
