package oracle_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDryRun: tools that would change something show what, and change nothing.
func TestDryRun(t *testing.T) {
	s := serve(t, "sim:star?hosts=3&traps=off")
	s.still(t, 1)
	uri := "ibsim:" + s.Name
	run := func(line string) result { return ours(t, uri, strings.Fields(line)...) }
	looks := []string{
		"perfquery 1 1", "perfquery -x 1 2", "perfquery -X 1 1", "smpquery PI 1 2", "smpquery PI 3 1", "sminfo -D 0",
		"ibccquery SS 1", "ibccquery SP 1", "ibccquery CK 1", "ibccquery CS 2", "ibccquery CT 2",
	}
	before := make(map[string]string)
	for _, line := range looks {
		before[line] = run(line).stdout
	}
	for _, tt := range []struct{ line, want string }{
		{"perfquery -R --dry-run 1 1", "Dry run: Set(PortCounters) modifier 0x0 to Lid 1 port 1, not sent, would change\n"},
		{"perfquery -r --dry-run 1 1", "  SymbolErrorCounter: "},
		{"perfquery -R --dry-run 1 1 0x1000", "  PortXmitData: "},
		{"perfquery -x -R --dry-run 1 2", "Dry run: Set(PortCountersExtended) modifier 0x0 to Lid 1 port 2, not sent"},
		{"perfquery -X -R --dry-run 1 1", "Dry run: Set(PortXmitDataSL)"},
		{"ibqueryerrors -k -K --dry-run", "Dry run: Set(PortCounters) modifier 0x0 to Lid 1 port "},
		{"sminfo --dry-run -s 3 2 1", "Dry run: Set(SMInfo) modifier 0x1 to Lid 2, not sent, would change\n"},
		{"ibportstate --dry-run 1 2 disable", "  PhysLinkState: LinkUp -> Disabled\n"},
		{"ibportstate --dry-run 3 1 lid 77", "  Lid: 3 -> 77\n"},
		{"ibccconfig --dry-run SS 1 0x1 0 0 3 0 0 0:0 7", "Dry run: Set(SwitchCongestionSetting) modifier 0x0 to Lid 1, not sent, would change\n  Control_Map: 0x00000000 -> 0x00000001\n  Marking_Rate: 0 -> 7\n"},
		{"ibccconfig --dry-run SP 1 2 1 0 3 4 5", "  Valid2: 0 -> 1\n"},
		{"ibccconfig --dry-run CK 1 0x55 1 0 0", "  CC_Key: <not displayed> -> <not displayed>\n"},
		{"ibccconfig --dry-run CS 2 0 0x4 200 1 0 0", "  CCTI_Timer2: 0 -> 200\n"},
		{"ibccconfig --dry-run CT 2 1 0 0:0 1:5", "  CCT_Multiplier1: 0 -> 5\n"},
		{"ibsendtrap --dry-run", "  NoticeTrapNumber: 0 -> 144\n"},
	} {
		if got := run(tt.line); !strings.Contains(got.stdout, tt.want) || got.code == 255 {
			t.Errorf("%s: exit code %d\n%s%s", tt.line, got.code, got.stdout, got.stderr)
		}
		for _, line := range looks {
			if after := run(line).stdout; after != before[line] {
				t.Fatalf("%s changes what %s prints, first in %s", tt.line, line, firstDifference(before[line], after))
			}
		}
	}
	for _, line := range []string{
		"perfquery --output json -R --dry-run 1 1", "ibportstate --output json --dry-run 1 2 disable", "ibccconfig --output json --dry-run CT 2 1 0 0:0 1:5",
		"ibsendtrap --output json --dry-run", "sminfo --output json --dry-run 2 1",
	} {
		var doc struct {
			Planned []struct {
				Method    string
				Attribute string
				Changes   []struct{ Field string }
			}
		}
		got := run(line)
		if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil || got.code != 0 || len(doc.Planned) != 1 || len(doc.Planned[0].Changes) == 0 {
			t.Errorf("%s: exit code %d, %v\n%s%s", line, got.code, err, got.stdout, got.stderr)
		}
	}
}
