package netdump_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/netdump"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

const titles = "  #     : IB# : Sta  : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid : N# : NLID : Neighbor Description\n"

const dump = "# made by hand\n" +
	`"leaf: "a", b", Mellanox, 0xa0, LID 24` + "\n" + titles +
	"  1/1/1 : 1   : ACT  : LINK UP : 5 : 4x : 100 : RS : NO-RTR : 0xc0 : B1/0/0/1 : 156 : \"host: HCA-1\"\n" +
	"  1/1/2 : 2   : ACT  : LINK UP : 4 : 4x : 50 : N/A : N/A : 0xb0 : 2/7 : 25 : \"spine\"\n" +
	"  N/A   : 65  : DOWN : POLL    : N/A : N/A : N/A : N/A : N/A : : : :\n\n" +
	`"spine", Mellanox, 0xb0, LID 25` + "\n" + titles +
	"  2/7   : 9   : ACT  : LINK UP : 4 : 4x : 50 : N/A : N/A : 0xa0 : 1/1/2 : 24 : \"leaf\"\n"

func TestRead(t *testing.T) {
	f, err := netdump.Read(strings.NewReader(dump), "n")
	if err != nil {
		t.Fatal(err)
	}
	leaf, _ := f.NodeByGUID(0xa0)
	spine, _ := f.NodeByGUID(0xb0)
	host, _ := f.NodeByGUID(0xc0)
	if leaf == nil || spine == nil || host == nil || f.NumNodes() != 3 {
		t.Fatal("nodes")
	}
	if leaf.Description() != `leaf: "a", b` || host.Description() != "host: HCA-1" || host.Type() != ib.NodeCA || leaf.Type() != ib.NodeSwitch {
		t.Errorf("%q, %q %s", leaf.Description(), host.Description(), host.Type())
	}
	if leaf.Port(2).Remote() != spine.Port(9) || leaf.Port(1).Remote() != host.Port(1) || leaf.Port(1).LID() != 24 || host.Port(1).LID() != 156 {
		t.Error("links or LIDs")
	}
	if host.Port(1).Active().String() != "4xNDR" || spine.Port(9).Active().String() != "4xHDR" {
		t.Errorf("%s, %s", host.Port(1).Active(), spine.Port(9).Active())
	}
	if p := leaf.Port(65); p.State() != ib.PortDown || p.PhysState() != ib.PhysPolling {
		t.Errorf("port 65 is %s, %s", p.State(), p.PhysState())
	}
	if info, _ := leaf.Port(2).Info(); info.NeighborMTU != ib.MTU2048 {
		t.Errorf("MTU %s", info.NeighborMTU)
	}
	for _, p := range f.Problems() {
		t.Error(p)
	}
}

// TestReadExtended: the columns are those that others who read such files name; no
// real file was at hand.
func TestReadExtended(t *testing.T) {
	const text = "Ty : # : #IB : GUID : LID : Sta : PhysSta : LWA : LSA : Conn LID (#) : FEC mode : RTR : Raw BER : Effective BER : Symbol BER : Symbol Err : Effective Err : Node Desc\n" +
		"SW : 1/1 : 1 : 0xa0 : 24 (0x18) : ACT : LINK UP : 4x : 100 : 156 (1) : RS : NO-RTR : 1e-9 : 0 : 0 : 0 : 0 : \"MF0;leaf:QM/U1\"\n" +
		"CA : 1 : 1 : 0xc0 : 156 (0x9c) : ACT : LINK UP : 4x : 100 : 24 (1/1) : RS : NO-RTR : 1e-9 : 0 : 0 : 0 : 0 : \"host HCA-1\"\n" +
		"SW : 1/2 : 2 : 0xa0 : 24 (0x18) : DOWN : POLL : N/A : N/A : : N/A : N/A : N/A : N/A : N/A : N/A : N/A : \"MF0;leaf:QM/U1\"\n"
	f, err := netdump.Read(strings.NewReader(text), "n")
	if err != nil {
		t.Fatal(err)
	}
	leaf, _ := f.NodeByGUID(0xa0)
	host, _ := f.NodeByGUID(0xc0)
	if leaf == nil || host == nil || leaf.Port(1).Remote() != host.Port(1) || leaf.Port(2).State() != ib.PortDown ||
		leaf.Description() != "MF0;leaf:QM/U1" || host.Port(1).LID() != 156 || leaf.Port(0).LID() != 24 {
		t.Error(f.Problems())
	}
	for _, p := range f.Problems() {
		t.Error(p)
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"x\n" + dump:               "n:1: expected a switch",
		dump + "  3 : 300 : ACT\n": "n:11: expected a row of 13 columns",
		strings.Replace(dump, "2/7 : 25", "9/9 : 25", 1):         `n:5: node 0x00000000000000b0 has no port "9/9"`,
		strings.Replace(dump, ": ACT", ": WHAT", 1):              `n:4: column STA: "WHAT" is not known`,
		strings.Replace(dump, "0xa0 : 1/1/2", "0xa0 : 1/1/1", 1): "is connected to node 0x00000000000000a0 port 1 here",
	} {
		f, err := netdump.Read(strings.NewReader(text), "n")
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
	if _, err := netdump.Read(strings.NewReader(""), "n"); !errors.Is(err, facts.ErrNothing) {
		t.Error(err)
	}
}

// TestCorpus counts rows and links with other tools.
func TestCorpus(t *testing.T) {
	path := filepath.Join(testenv.Corpus(t), "ibdiagnet/gm-infiniband-default-ibdiagnet2.net_dump")
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := netdump.Read(r, "n")
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	switches, rows, linked, links := 0, 0, 0, 0
	for n := range f.Switches() {
		switches++
		for p := range n.Ports() {
			if p.Num() > 0 {
				rows++
			}
			if p.Remote() != nil {
				linked++
			}
		}
	}
	for range f.Links() {
		links++
	}
	for line, got := range map[string]int{
		`grep -c '^"' "$1"`:                          switches,
		`awk -F: '$2 ~ /^ *[0-9]+ *$/' "$1" | wc -l`: rows,
		`awk -F: '$10 ~ /0x/' "$1" | wc -l`:          linked,
		// Switches and the far ends, each GUID once.
		`{ grep '^"' "$1" | grep -o '0x[0-9a-f]*'; awk -F: '{print $10}' "$1" | grep -o '0x[0-9a-f]*'; } | sort -u | wc -l`: f.NumNodes(),
	} {
		if want := testenv.ShellCount(t, line, path); got != want {
			t.Errorf("%s gives %d, we %d", line, want, got)
		}
	}
	t.Logf("%d nodes, %d rows, %d links", f.NumNodes(), rows, links)
}

func FuzzRead(f *testing.F) {
	f.Add(dump)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := netdump.Read(strings.NewReader(text), "f")
		if err == nil && got.NumNodes() == 0 {
			t.Error("no nodes, and no error")
		}
	})
}
