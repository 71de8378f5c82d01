package dbcsv_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/format/dbcsv"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

const database = `# INDEX_TABLE offset: 1, line: 1

START_NODES
NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,PartitionCap,revision,VendorID,LocalPortNum,NewColumn
"leaf ""a"", b",41,2,1,1,0xa0,0xa0,0xa1,54002,8,160,713,0,1
"host, HCA-1",2,1,1,1,0xc0,0xc0,0xc2,4129,128,0,713,2,1
END_NODES

START_PORTS
NodeGuid,PortGuid,PortNum,LID,CapMsk,LinkWidthActv,LinkSpeedActv,LinkSpeedSup,LinkWidthSup,PortPhyState,PortState,LMC,NMTU,CapMsk2,FECActv
0xa0,0xa1,0,2,49152,2,1,1,3,5,4,0,5,0,N/A
0xa0,0xa1,12,0,0,2,2052,3845,19,5,4,0,5,N/A,4
0xc0,0xc2,2,181,18432,2,2048,3841,19,5,4,0,5,N/A,4
END_PORTS

START_SWITCHES
NodeGUID,LinearFDBCap,MCastFDBCap,LinearFDBTop,ENP0
0xa0,49152,8192,274,1
END_SWITCHES

START_LINKS
NodeGuid1,PortNum1,NodeGuid2,PortNum2
0xa0,12,0xc0,2
END_LINKS

START_PM_INFO
NodeGUID,PortGUID,PortNumber,LinkDownedCounter,PortXmitData, PortXmitDataExtended,PortMultiCastRcvPkts,PortXmitWait,QP1DroppedExt
0xc0,0xc2,2,3,4294967295,5000000000,7,N/A,-1
END_PM_INFO

START_VNODES
NodeGuid,VNodeDesc
0xc0,a, b, "c
END_VNODES

START_INDEX_TABLE
Name, Offset, Size, Line, Rows
NODES, 1, 2, 3, 2
VNODES, 1, 2, 3, 1
END_INDEX_TABLE
`

func TestRead(t *testing.T) {
	f, db, err := dbcsv.Read(strings.NewReader(database), "d")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems() {
		t.Error(p)
	}
	leaf, _ := f.NodeByGUID(0xa0)
	host, _ := f.NodeByGUID(0xc0)
	if leaf == nil || host == nil || f.NumNodes() != 2 {
		t.Fatalf("%d nodes", f.NumNodes())
	}
	if leaf.Description() != `leaf ""a"", b` || host.Description() != "host, HCA-1" {
		t.Errorf("%q, %q", leaf.Description(), host.Description())
	}
	if i := host.Info(); i.NumPorts != 2 || i.DeviceID != 4129 || i.PartitionCap != 128 || i.LocalPort != 2 || i.PortGUID != 0xc2 || i.VendorID != 713 {
		t.Errorf("%+v", i)
	}
	if leaf.Info().PortGUID != 0xa1 || leaf.Port(12).GUID() != 0xa1 || host.Port(2).GUID() != 0xc2 {
		t.Error("port GUIDs")
	}
	p, q := leaf.Port(12), host.Port(2)
	if p.Remote() != q || p.Active().String() != "4xNDR" || q.Active().String() != "4xNDR" || p.LID() != 2 || q.LID() != 181 || q.State() != ib.PortActive {
		t.Errorf("%s %s %d %d", p.Active(), q.Active(), p.LID(), q.LID())
	}
	if got := p.Supported().Speed.String(); got != "SDR or QDR or FDR or EDR or HDR or NDR" {
		t.Errorf("supported: %s", got)
	}
	if sw, ok := leaf.SwitchInfo(); !ok || sw.LinearFDBTop != 274 || !sw.EnhancedPort0 || sw.MulticastFDBCap != 8192 {
		t.Errorf("%+v", sw)
	}
	if len(db.Counters) != 1 {
		t.Fatalf("%d records", len(db.Counters))
	}
	values := map[string]uint64{}
	for _, v := range db.Counters[0].Values {
		values[v.Name], _ = db.Counters[0].Value(v.Name)
	}
	if diff := cmp.Diff(map[string]uint64{"LinkDownedCounter": 3, "PortXmitData": 5000000000, "PortMulticastRcvPkts": 7}, values); diff != "" {
		t.Error(diff)
	}
	if !db.Counters[0].Values[1].Saturated {
		t.Error("PortXmitData is not saturated")
	}
	wantSections(t, db)
}

func wantSections(t *testing.T, db *dbcsv.Database) {
	t.Helper()
	want := []dbcsv.Section{
		{Name: "NODES", Line: 3, Rows: 2, Read: true, Skipped: []string{"NewColumn"}},
		{Name: "PORTS", Line: 9, Rows: 3, Read: true, Skipped: []string{"FECActv"}},
		{Name: "SWITCHES", Line: 16, Rows: 1, Read: true},
		{Name: "LINKS", Line: 21, Rows: 1, Read: true},
		{Name: "PM_INFO", Line: 26, Rows: 1, Read: true},
		{Name: "VNODES", Line: 31, Rows: 1},
		{Name: "INDEX_TABLE", Line: 36, Rows: 2, Read: true, Skipped: []string{"Offset", "Size", "Line"}},
	}
	if diff := cmp.Diff(want, db.Sections); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"x\n" + database: "d:1: expected the start of a section",
		strings.Replace(database, "NODES, 1, 2, 3, 2", "NODES, 1, 2, 3, 5", 1): "section NODES has 5 rows, but 2 are there",
		strings.Replace(database, "VNODES, 1,", "OTHER, 1,", 1):                `the index has a section "OTHER"`,
		database[:strings.Index(database, "0xa0,12,0xc0,2")]:                   "d:21: section LINKS has no end",
		strings.Replace(database, "END_LINKS\n", "", 1):                        "section PM_INFO begins, but LINKS has no end",
		strings.Replace(database, "NodeGuid1", "NodeGuidX", 1):                 "section LINKS has no column NodeGuid1",
		strings.Replace(database, "0xa0,12,0xc0,2", "0xa0,12", 1):              "d:23: section LINKS: expected 4 columns, got 2",
		strings.Replace(database, "0xa0,12,0xc0,2", "0xa0,N/A,0xc0,2", 1):      `d:23: section LINKS, column PortNum1: "N/A" is no value`,
		strings.Replace(database, "0xc0,0xc2,2,181", "0xc0,0xc2,2,99999", 1):   `column LID: "99999" is no value`,
		strings.Replace(database, "0xa0,49152", "0x0,49152", 1):                "section SWITCHES: the node GUID is 0",
	} {
		f, _, err := dbcsv.Read(strings.NewReader(text), "d")
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, p := range f.Problems() {
			found = found || strings.Contains(p.Error(), want)
		}
		if !found {
			t.Errorf("no problem %q in %v", want, f.Problems())
		}
	}
	if _, _, err := dbcsv.Read(strings.NewReader("START_X\nEND_X\n"), "d"); !errors.Is(err, facts.ErrNothing) {
		t.Error(err)
	}
}

// TestCorpus counts the rows of sections with other tools.
func TestCorpus(t *testing.T) {
	path := filepath.Join(testenv.Corpus(t), "ibdiagnet/gm-infiniband-default-ibdiagnet2.db_csv")
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, db, err := dbcsv.Read(r, "d")
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	links, ports, active, firmware := 0, 0, 0, 0
	for n := range f.Nodes() {
		if _, ok := n.Firmware(); ok {
			firmware++
		}
	}
	for range f.Links() {
		links++
	}
	for p := range f.Ports() {
		ports++
		if p.State() == ib.PortActive {
			active++
		}
	}
	// $s prints the rows of a section, without the names of its columns.
	const section = `s() { awk -v s="$2" '$0=="START_"s{p=1;getline;next} $0=="END_"s{p=0} p' "$1"; }; `
	for line, got := range map[string]int{
		section + `s "$1" NODES | wc -l`:                           f.NumNodes(),
		section + `s "$1" LINKS | wc -l`:                           links,
		section + `s "$1" PORTS | cut -d, -f1,3 | sort -u | wc -l`: ports,
		section + `s "$1" PORTS | awk -F, '$21==4' | wc -l`:        active,
		section + `s "$1" GENERAL_INFO_SMP | wc -l`:                firmware,
		`grep -c '^START_' "$1"`:                                   len(db.Sections),
	} {
		if want := testenv.ShellCount(t, line, path); got != want {
			t.Errorf("%s gives %d, we %d", line, want, got)
		}
	}
	t.Logf("%d nodes, %d ports, %d links, %d sections", f.NumNodes(), ports, links, len(db.Sections))
}

func FuzzRead(f *testing.F) {
	f.Add(database)
	f.Fuzz(func(t *testing.T, text string) {
		got, db, err := dbcsv.Read(strings.NewReader(text), "f")
		if err == nil && (got.NumNodes() == 0 || db == nil) {
			t.Error("no nodes, and no error")
		}
	})
}
