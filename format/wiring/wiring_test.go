package wiring_test

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric/verify"
	"github.com/ibscope/ibscope/format/wiring"
	"github.com/ibscope/ibscope/ib"
)

func TestReadCSV(t *testing.T) {
	cable := verify.Cable{
		A: verify.End{Name: "leaf01", Port: 17}, B: verify.End{Name: "spine02", Port: 3},
		Label: "W-12", Width: ib.Width4x, Speed: ib.SpeedNDR,
	}
	short := verify.Cable{A: cable.A, B: cable.B}
	for _, tt := range []struct {
		text string
		want verify.Cable
	}{
		{"from node,from port,to node,to port,label,speed,width\nleaf01,17,spine02,3,W-12,NDR,4x\n", cable},
		{"\ufeffFrom Node;From Port;To Node;To Port;Cable ID;Rate\n# nothing\n\nleaf01; 17;spine02;port 3;W-12;400G\n", cable},
		{"sourceDevice\tsourcePort\tdestinationDevice\tdestinationPort\tcable_label\tspeed\nleaf01\tP17\tspine02\t3\tW-12\t4xNDR\n", cable},
		{"Node A,Port A,Node B,Port B,Width,Speed\nleaf01,17,spine02,3,,\n", short},
		{"device1,port1,device2,port2,comment\nleaf01,17,spine02,3\n", short},
		{"a,a port,b,b port\n\"leaf01\",17,spine02,3\n", short},
		{"Switch 1,Interface 1,Switch 2,Interface 2\nleaf01,17,spine02,1/2/1\n", verify.Cable{A: cable.A, B: verify.End{Name: "spine02", Cage: "1/2/1"}}},
		{"from,from hca,to guid,to port\nnode7,mlx5_1/2,0x506b4b0300ab12cd,3\n", verify.Cable{
			A: verify.End{Name: "node7 mlx5_1", Port: 2}, B: verify.End{GUID: 0x506b4b0300ab12cd, Port: 3},
		}},
	} {
		plan, ours, err := wiring.Read(strings.NewReader(tt.text), "c.csv")
		if err != nil || !ours || len(plan.Cables) != 1 {
			t.Errorf("%q: %v %v %+v", tt.text, ours, err, plan)
			continue
		}
		got := plan.Cables[0]
		if !strings.HasPrefix(got.Where, "c.csv:") {
			t.Errorf("%q: where %q", tt.text, got.Where)
		}
		got.Where = ""
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "f: no titles",
		"from,to\nleaf,spine\n":                   `f:1: no column "from port"`,
		"a,a port,b port\n":                       `f:1: no column "to node"`,
		"a,a port,b,b port\nx,1,y,\n":             `f:2: to port "": expected`,
		"a,a port,b,b port\nx,0,y,1\n":            `f:2: from port "0"`,
		"a,a port,b,b port\nx,1,,1\n":             "f:2: no to node",
		"a,a port,b,b port\nx,255,y,1\n":          `f:2: from port "255"`,
		"a,a port,b,b port,speed\nx,1,y,1,fast\n": `f:2: rate "fast"`,
	} {
		_, err := wiring.ReadCSV(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestReadRules(t *testing.T) {
	text := `# of pod 1
groups:
  leaf: ["leaf*", "l-*"]
  top: core*
rules:
  - every leaf has 2 links to each spine
  - each leaf has at least 16 links to hosts.
  - every host has a link
  - no leaves have links to leaves
`
	if _, err := wiring.ReadRules(strings.NewReader(text), "r.yaml"); err == nil || !strings.Contains(err.Error(), `r.yaml:9: rule "no leaves have`) {
		t.Errorf("a rule that is none: %v", err)
	}
	text = strings.Replace(text, "no leaves have links to leaves", "No leaf has links to leaves", 1) + `  - all links are at least NDR 4x
  - All links between leaves and tops run at least at 4x HDR
  - rails 1–8 are apart
  - rails apart
  - every leaf runs firmware 31.2012.1024
  - every ConnectX-7 runs at least firmware 28.39.1002.
  - all MT_0000000834 have firmware at least 28.39
  - all devices run firmware exactly 1.2.3
`
	text = strings.Replace(text, "run at least at", "are at least", 1)
	plan, ours, err := wiring.Read(strings.NewReader(text), "r.yaml")
	if err != nil || !ours {
		t.Fatal(ours, err)
	}
	leaf, top := verify.Group{Name: "leaf", Patterns: []string{"leaf*", "l-*"}}, verify.Group{Name: "top", Patterns: []string{"core*"}}
	host, spine := verify.Group{Name: "host"}, verify.Group{Name: "spine"}
	want := []verify.Rule{
		{Count: &verify.CountRule{Of: leaf, To: &spine, Each: true, Min: 2, Max: 2}},
		{Count: &verify.CountRule{Of: leaf, To: &host, Min: 16, Max: -1}},
		{Count: &verify.CountRule{Of: host, Min: 1, Max: 1}},
		{Count: &verify.CountRule{Of: leaf, To: &leaf}},
		{Rate: &verify.RateRule{Width: ib.Width4x, Speed: ib.SpeedNDR}},
		{Rate: &verify.RateRule{A: &leaf, B: &top, Width: ib.Width4x, Speed: ib.SpeedHDR}},
		{Rails: &verify.RailRule{First: 1, Last: 8}},
		{Rails: &verify.RailRule{First: 1}},
		{Firmware: &verify.FirmwareRule{Of: &leaf, Version: "31.2012.1024"}},
		{Firmware: &verify.FirmwareRule{Device: "connectx-7", Version: "28.39.1002", AtLeast: true}},
		{Firmware: &verify.FirmwareRule{Device: "mt_0000000834", Version: "28.39", AtLeast: true}},
		{Firmware: &verify.FirmwareRule{Version: "1.2.3"}},
	}
	for i := range plan.Rules {
		if plan.Rules[i].Where == "" || plan.Rules[i].Text == "" {
			t.Errorf("rule %d has no place", i)
		}
		plan.Rules[i].Where, plan.Rules[i].Text = "", ""
	}
	if diff := cmp.Diff(want, plan.Rules); diff != "" {
		t.Error(diff)
	}
}

func TestReadRulesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "f: expected rules",
		"rules: [":                               "f:",
		"rules: x":                               "f:1: expected rules:",
		"- a":                                    "f:1: expected rules:",
		"rules: []\nmore: 1":                     `f:2: "more" is not known`,
		"rules:\n - {a: b}":                      "f:2: expected a rule",
		"groups: {a: '['}\nrules: []":            `f:1: group "a"`,
		"rules:\n - rails 5-2 apart":             "f:2: rails 5-2",
		"rules:\n - all links are at warp":       "f:2: rate",
		"rules:\n - all leaves run firmware new": `f:2: firmware "new"`,
	} {
		_, err := wiring.ReadRules(strings.NewReader(text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestDocument: the examples of docs/verify.md can be read.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, kind := range []string{"csv", "yaml"} {
		for _, block := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllSubmatch(text, -1) {
			plan, ours, err := wiring.Read(bytes.NewReader(block[1]), "verify.md")
			if err != nil || !ours || len(plan.Cables) != 3 && len(plan.Rules) != 10 {
				t.Errorf("%v %v %+v", ours, err, plan)
			}
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d examples", found)
	}
}

// TestOthers: files of other kinds are left alone.
func TestOthers(t *testing.T) {
	for _, text := range []string{"", "Switch 36 \"S-1\"\n", "{\"schema\": 1}", "vendid=0x2c9\n"} {
		if _, ours, err := wiring.Read(strings.NewReader(text), "f"); ours || err != nil {
			t.Errorf("%q: %v %v", text, ours, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("from node,from port,to node,to port,label\nleaf01,17,spine02,1/3/1,W\n")
	f.Add("rules:\n - every leaf has 2 links to each spine\n - rails 1-8 apart\n")
	f.Fuzz(func(t *testing.T, text string) {
		plan, ours, err := wiring.Read(strings.NewReader(text), "f")
		if (plan != nil) != (ours && err == nil) {
			t.Errorf("%v %v %v", plan, ours, err)
		}
	})
}
