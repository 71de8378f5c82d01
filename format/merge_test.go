package format_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// small are small files of the kinds that package snapshot and the tests of
// formats.go do not cover.
var small = map[format.Kind]string{
	format.Database: "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n\"a\",2,2,0xa0,0xa0,0\nEND_NODES\n",
	format.LinkList: "{ SW Ports:02 SystemGUID:a0 NodeGUID:a0 PortGUID:a0 VenID:2c9 DevID:1 Rev:1 {a} LID:1 PN:01 } { SW Ports:02 SystemGUID:b0 NodeGUID:b0 PortGUID:b0 VenID:2c9 DevID:1 Rev:1 {b} LID:2 PN:01 } PHY=4x LOG=ACT\n",
	format.NetDump:  "\"a\", Mellanox, 0xa0, LID 1\n # : IB# : Sta : PhysSta : Neighbor Guid : N# : NLID\n 1 : 1 : ACT : LINK UP : 0xb0 : 1 : 2\n",
	format.Links:    "Switch: 0x00000000000000a0 a:\n           1    1[  ] ==(              Down/ Polling)==>             [  ] \"\" ( )\n",
	format.Plan:     "X a\n P1 -> Y b P1\n",
	format.Counters: "# Port counters: Lid 1 port 1 (CapMask: 0x00)\nSymbolErrorCounter:..............3\n",
	format.Tables:   "Unicast lids [0-2] of switch Lid 1 guid 0x00000000000000a0 ('a'):\n0x0001 000 #\n",
	format.LIDs:     "0x00000000000000a0 0x0001 0x0001\n",
	format.Systems:  "TOPSYSTEM X\nNODE SW 2 x U1\n 1 -> P1\n",
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKinds: each kind is recognised, and one without a graph says that it has
// none.
func TestKinds(t *testing.T) {
	for kind, text := range small {
		d, err := format.ReadDocument(strings.NewReader(text), "x")
		switch kind {
		case format.Counters, format.Tables, format.LIDs, format.Systems:
			var e *format.Error
			if !errors.Is(err, format.ErrNoGraph) || !errors.As(err, &e) || e.Kind != kind {
				t.Errorf("%s: %v", kind, err)
			}
		default:
			if err != nil || d.Kind != kind || d.Fabric.NumNodes() == 0 {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
}

// TestMerge reads a directory of several files of one fabric, and one of none.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	for _, kind := range []format.Kind{format.Database, format.LinkList, format.NetDump, format.Links, format.Counters, format.Tables, format.LIDs} {
		write(t, dir, string(kind), small[kind])
	}
	write(t, dir, "notes", "nothing that is known\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := format.Merge(dir)
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, p := range s.Fabric.Problems() {
		problems = append(problems, strings.ReplaceAll(p.Error(), dir+"/", ""))
	}
	want := []string{
		"iblinkinfo:2: node 0x00000000000000a0 port 1 LinkState is Down here, but Active at lst:1, which counts",
		"iblinkinfo:2: node 0x00000000000000a0 port 1 PhysLinkState is Polling here, but LinkUp at lst:1, which counts",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
	a, ok := s.Fabric.NodeByGUID(0xa0)
	if !ok || s.Fabric.NumNodes() != 2 || a.Port(1).LID() != 1 || a.Port(1).Remote() == nil || len(a.LFT()) != 2 {
		t.Errorf("%d nodes", s.Fabric.NumNodes())
	}
	if len(s.Tables) != 1 || len(s.LIDs) != 1 || len(s.Counters) != 1 || len(s.Files) != 8 {
		t.Errorf("%d tables, %d LIDs, %d counters, %v", len(s.Tables), len(s.LIDs), len(s.Counters), s.Files)
	}
	for _, f := range s.Files {
		if name := filepath.Base(f.Name); string(f.Kind) != name && (name != "notes" || f.Kind != "") {
			t.Errorf("%s is a %q", f.Name, f.Kind)
		}
	}
	if joined, problems := counterdump.Join(s.Fabric, s.Counters); len(joined) != 1 || joined[0].Of != a.Port(1) || len(problems) > 0 {
		t.Errorf("%v %v", joined, problems)
	}
}

// TestMergeWritten: the files that this library writes of one fabric agree, in any
// order.
func TestMergeWritten(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=4")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var names []string
	for _, kind := range []format.Kind{format.Topology, format.Cache, format.Ports, format.Snapshot, format.Ibsim, format.List} {
		var b bytes.Buffer
		d := format.Document{Kind: kind, Fabric: f}
		if err := d.Write(&b); err != nil {
			t.Fatal(err)
		}
		names = append(names, write(t, dir, string(kind), b.String()))
	}
	var b bytes.Buffer
	if err := iblinkinfo.Write(&b, f, nil); err != nil {
		t.Fatal(err)
	}
	names = append(names, write(t, dir, "links", b.String()))
	for i := range names {
		s, err := format.Merge(append(names[i:len(names):len(names)], names[:i]...)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Fabric.Problems() {
			t.Errorf("from %s on: %v", filepath.Base(names[i]), p)
		}
		if got, want := links(s.Fabric), links(f); s.Fabric.NumNodes() != f.NumNodes() || got != want {
			t.Errorf("from %s on: %d nodes, %d links, want %d, %d", filepath.Base(names[i]), s.Fabric.NumNodes(), got, f.NumNodes(), want)
		}
	}
}

func links(f *fabric.Fabric) int {
	n := 0
	for range f.Links() {
		n++
	}
	return n
}

// TestMergeLines: contradictions of ibnetdiscover's text have lines too.
func TestMergeLines(t *testing.T) {
	const topology = "vendid=0x2c9\nSwitch\t2 \"S-00000000000000a0\"\t\t# \"a\" base port 0 lid 9 lmc 0\n[1]\t\"S-00000000000000b0\"[2]\t\t# \"b\" lid 2 4xEDR\n\n" +
		"Switch\t2 \"S-00000000000000b0\"\t\t# \"b\" base port 0 lid 2 lmc 0\n[2]\t\"S-00000000000000a0\"[1]\t\t# \"a\" lid 9 4xEDR\n"
	dir := t.TempDir()
	s, err := format.Merge(write(t, dir, "a.lst", small[format.LinkList]), write(t, dir, "b.topo", topology))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.Fabric.Problems() {
		got = append(got, strings.ReplaceAll(p.Error(), dir+"/", ""))
	}
	want := []string{
		"b.topo:2: node 0x00000000000000a0 port 0 Lid is 9 here, but 1 at a.lst:1, which counts",
		"b.topo:6: node 0x00000000000000a0 port 1 is connected to node 0x00000000000000b0 port 2 here, but to node 0x00000000000000b0 port 1 at a.lst:1, which counts",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMergeErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := format.Merge(filepath.Join(dir, "no")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := format.Merge(dir); !errors.Is(err, format.ErrNoGraph) {
		t.Errorf("an empty directory: %v", err)
	}
	lids := write(t, dir, "guid2lid", small[format.LIDs])
	if _, err := format.Merge(lids); !errors.Is(err, format.ErrNoGraph) {
		t.Errorf("no graph: %v", err)
	}
	if _, err := format.Merge(lids, write(t, dir, "notes", "nothing\n")); !errors.Is(err, format.ErrUnknown) {
		t.Errorf("an unknown file: %v", err)
	}
}

// TestPlanBeside: definitions beside a plan are found.
func TestPlanBeside(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "X.ibnl", small[format.Systems])
	write(t, dir, "Y.ibnl", strings.ReplaceAll(small[format.Systems], "X", "Y"))
	plan := write(t, dir, "p.topo", small[format.Plan])
	for _, load := range []func() (*fabric.Fabric, error){
		func() (*fabric.Fabric, error) { return format.Load(plan) },
		func() (*fabric.Fabric, error) {
			s, err := format.Merge(dir)
			if err != nil {
				return nil, err
			}
			return s.Fabric, nil
		},
	} {
		f, err := load()
		if err != nil || len(f.Problems()) > 0 || f.NumNodes() != 2 || links(f) != 1 {
			t.Errorf("%v, %v", err, f.Problems())
		}
	}
}

// TestMergeCorpus: the files that ibdiagnet wrote of one real fabric agree.
func TestMergeCorpus(t *testing.T) {
	corpus := testenv.Corpus(t)
	s, err := format.Merge(filepath.Join(corpus, "ibdiagnet"), filepath.Join(corpus, "topo", "gm-infiniband-default-ibdiagnet2.ibnetdiscover.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Fabric.Problems(); len(p) > 0 {
		t.Errorf("%d problems, the first %v", len(p), p[0])
	}
	if s.Fabric.NumNodes() != 272 || links(s.Fabric) != 271 {
		t.Errorf("%d nodes, %d links", s.Fabric.NumNodes(), links(s.Fabric))
	}
}
