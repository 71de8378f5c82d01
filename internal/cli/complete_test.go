package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/sim/gen"
)

func TestCompleteValues(t *testing.T) {
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 2, Radix: 8, Hosts: 16})
	if err != nil {
		t.Fatal(err)
	}
	e := &Env{
		Sys: t.TempDir(), Cache: t.TempDir() + "/made",
		Getenv: func(name string) string { return map[string]string{"IBSCOPE_FABRIC": "sim:mine"}[name] },
	}
	live.Remember(e, "sim:mine", f)
	var guid string
	for n := range f.CAs() {
		guid = n.Port(1).GUID().String()
	}
	tests := []struct {
		line string // the last word is the one to complete
		want string // "" for nothing; "…" before it: one of several
	}{
		{"smpquery nodei", "NodeInfo"},
		{"smpquery -G NI " + guid[:8], "…" + guid},
		{"smpquery --Guid NI " + guid, guid},
		{"smpquery NI " + guid, ""}, // LIDs are asked for
		{"smpquery -G --fabric sim:other NI 0x", ""},
		{"sminfo --outp", "--output"},
		{"sminfo --output j", "json"},
		{"sminfo -o t", "text"},
		{"sminfo --output=j", "--output=json"},
		{"sminfo --fabric ib", "ibsim:"},
		{"sminfo -C mlx", ""},
		{"iblinkinfo -S " + guid, guid},
		{"saquery pir", ""}, // short forms are for those who know them
		{"saquery PortI", "PortInfoRecord"},
		{"ibportstate 1 ", ""}, // a port
		{"ibportstate 1 1 dis", "disable"},
		{"ibportstate -G " + guid[:8], "…" + guid},
		{"ibsysstat 1 c", "cpu"},
		{"ibfindnodesusing " + guid, guid},
		{"perfquery 1 ", ""},
		{"ibsendtrap node", "node_desc_change"},
		{"ibccconfig CongestionK", "CongestionKeyInfo"},
		{"ibccquery -c 1 CI ", "…1"},
		{"ibccquery SwitchCongestionS", "SwitchCongestionSetting"},
	}
	for _, tt := range tests {
		words := strings.Fields(tt.line)
		if strings.HasSuffix(tt.line, " ") {
			words = append(words, "")
		}
		a, ok := applets.Find(words[0])
		if !ok {
			t.Fatalf("no tool %s", words[0])
		}
		last := len(words) - 1
		list, _ := completeTool(e, a.Tool, words[1:last], words[last])
		var values []string
		for _, l := range list {
			value, _, _ := strings.Cut(l, "\t")
			values = append(values, value)
		}
		want, several := strings.CutPrefix(tt.want, "…")
		switch {
		case want == "" && len(values) == 0:
		case several && slices.Contains(values, want):
		case cmp.Equal(values, []string{want}):
		default:
			t.Errorf("%s: got %q, want %q", tt.line, values, tt.want)
		}
	}
}
