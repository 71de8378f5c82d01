package counterdump_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

const perfquery = `# Port extended counters: Lid 133 port 1 (CapMask: 0x5A00 CapMask2: 0x0000000)
PortSelect:......................1
CounterSelect:...................0x0000
PortXmitData:....................37108676853855
SymbolErrorCounter:..............2

# PortRcvErrorDetails counters: Lid 133 port 2
PortSelect:......................2
PortLocalPhysicalErrors:.........65535
# Port counters: DR path slid 0; dlid 0; 0,1 port 3 (CapMask: 0x00)
SymbolErrorCounter:..............65535
LinkDownedCounter:...............254
`

const queryErrors = `Errors for 0xa0 "leaf "a""
   GUID 0xa1 port ALL: [SymbolErrorCounter == 1 (1.000)] [PortXmitData == 2138767993 (7.968GB)]
   GUID 0xa1 port 5: [SymbolErrorCounter == 1] [LinkDownedCounter == 3]
       Link info:      9   5[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  0xc0      5    5[  ] "host" ( )
Data Counters for 0xc0 "host"
   GUID 0xc0 port 1: [PortXmitData == 766558601 (2.856GB)]

## Summary: 44 nodes checked, 11 bad nodes found
`

const pm = `------
host0008/P1 lid=0x0014 guid=0xc2 dev=4123
------
symbol_error_counter = 0x2
excesive_buffer_errors = 0xf
port_xmit_data = 0xffffffff
------
Port=5 Lid=0x0009 GUID=0xa1 Device=54000 Port Name=leaf/U1/P5
------
link_down_counter=0x00000001
port_xmit_data=0xffffffff
port_xmit_data_extended=0x00000001ffffffff
port_xmit_wait=N/A
`

func TestRead(t *testing.T) {
	type values = []counterdump.Value
	for _, tt := range []struct {
		name, text string
		want       []counterdump.Record
	}{
		{"perfquery", perfquery, []counterdump.Record{
			{Line: 1, LID: 133, Port: 1, Attribute: "Port extended", Values: values{
				{Name: "PortXmitData", N: 37108676853855, Extended: true}, {Name: "SymbolErrorCounter", N: 2, Extended: true},
			}},
			{Line: 7, LID: 133, Port: 2, Attribute: "PortRcvErrorDetails", Values: values{{Name: "PortLocalPhysicalErrors", N: 65535}}},
			{Line: 10, Port: 3, Attribute: "Port", Values: values{
				{Name: "SymbolErrorCounter", N: 65535, Saturated: true}, {Name: "LinkDownedCounter", N: 254},
			}},
		}},
		{"LDMS", "PortSelect: 1 \nSymbolErrorCounter: 4 \nPortSelect: 2\nVL15Dropped: 5\n", []counterdump.Record{
			{Line: 1, Port: 1, Values: values{{Name: "SymbolErrorCounter", N: 4}}},
			{Line: 3, Port: 2, Values: values{{Name: "VL15Dropped", N: 5}}},
		}},
		{"ibqueryerrors", queryErrors, []counterdump.Record{
			{Line: 2, PortGUID: 0xa1, Port: counterdump.AllPorts, Name: `leaf "a"`, Values: values{{Name: "SymbolErrorCounter", N: 1}, {Name: "PortXmitData", N: 2138767993}}},
			{Line: 3, PortGUID: 0xa1, Port: 5, Name: `leaf "a"`, Values: values{{Name: "SymbolErrorCounter", N: 1}, {Name: "LinkDownedCounter", N: 3}}},
			{Line: 6, NodeGUID: 0xc0, Port: 1, Name: "host", Values: values{{Name: "PortXmitData", N: 766558601}}},
		}},
		{".pm", pm, []counterdump.Record{
			{Line: 2, LID: 20, PortGUID: 0xc2, Port: 1, Name: "host0008", Attribute: "pm", Values: values{
				{Name: "SymbolErrorCounter", N: 2}, {Name: "ExcessiveBufferOverrunErrors", N: 15, Saturated: true}, {Name: "PortXmitData", N: 0xffffffff, Saturated: true},
			}},
			{Line: 8, LID: 9, PortGUID: 0xa1, Port: 5, Name: "leaf/U1/P5", Attribute: "pm", Values: values{
				{Name: "LinkDownedCounter", N: 1}, {Name: "PortXmitData", N: 0xffffffff, Saturated: true}, {Name: "PortXmitData", N: 0x1ffffffff, Extended: true},
			}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.want {
				tt.want[i].File = "c"
			}
			got, problems, err := counterdump.Read(strings.NewReader(tt.text), "c")
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	got, _, err := counterdump.Read(strings.NewReader(pm), "c")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := got[1].Value("PortXmitData"); !ok || v != 0x1ffffffff {
		t.Errorf("the wider counter is %#x", v)
	}
}

func TestProblems(t *testing.T) {
	_, problems, err := counterdump.Read(strings.NewReader("what is this\n"+perfquery+"SymbolErrorCounter:....99999999999999999999999\n"), "c")
	if err != nil || len(problems) != 2 || problems[0].File != "c:1" || problems[1].File != "c:14" {
		t.Errorf("%v, %v", err, problems)
	}
	for _, text := range []string{"", "SymbolErrorCounter:...1\n", "Errors for \"x\"\n"} {
		if _, _, err := counterdump.Read(strings.NewReader(text), "c"); !errors.Is(err, counterdump.ErrNothing) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestJoin(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	var sw *fabric.Node
	for n := range f.Switches() {
		sw = n
	}
	var records []counterdump.Record
	for n := range f.CAs() {
		records = append(records,
			counterdump.Record{NodeGUID: n.GUID(), Port: 1}, counterdump.Record{PortGUID: n.Port(1).GUID(), Port: 1},
			counterdump.Record{File: "c", Line: 4, NodeGUID: n.GUID(), Port: 9})
	}
	records = append(records, counterdump.Record{PortGUID: sw.Info().PortGUID, Port: counterdump.AllPorts}, counterdump.Record{File: "c", Line: 9, LID: 4711, Port: 1})
	joined, problems := counterdump.Join(f, records)
	if len(joined) != 5 || joined[0].Of != joined[1].Of || joined[0].Of == nil || joined[4].Of != nil || joined[4].Node != sw {
		t.Errorf("%+v", joined)
	}
	if len(problems) != 3 || problems[2].File != "c:9" || problems[0].Kind != fabric.FilesDisagree {
		t.Errorf("%v", problems)
	}
}

// TestCorpus counts counters with another tool.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "perfquery", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		records, problems, err := counterdump.Read(strings.NewReader(string(text)), "c")
		if len(text) == 0 {
			if !errors.Is(err, counterdump.ErrNothing) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", path, err, problems)
		}
		values := 0
		for _, r := range records {
			values += len(r.Values)
		}
		if want := testenv.ShellCount(t, `grep -v '^#' "$1" | grep : | grep -vc 'PortSelect:\|CounterSelect'`, path); values != want {
			t.Errorf("%s: %d counters, want %d", path, values, want)
		}
		t.Logf("%s: %d records, %d counters", filepath.Base(path), len(records), values)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(perfquery)
	f.Add(queryErrors)
	f.Add(pm)
	f.Fuzz(func(t *testing.T, text string) {
		records, _, err := counterdump.Read(strings.NewReader(text), "c")
		if (err == nil) != (len(records) > 0) {
			t.Errorf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			if r.Port < 0 || r.Port > counterdump.AllPorts || len(r.Values) > counterdump.MaxValues {
				t.Errorf("%+v", r)
			}
		}
	})
}
