package subnetlst_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/subnetlst"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

const (
	hostSide = "{ CA Ports:02 SystemGUID:00000000000000c0 NodeGUID:00000000000000c0 PortGUID:00000000000000c2 VenID:000002C9 DevID:101B0000 Rev:00000000 {host {1} HCA-1} LID:00b5 PN:02 }"
	leafSide = "{ SW-SM Ports:29 SystemGUID:00000000000000a0 NodeGUID:00000000000000a0 PortGUID:00000000000000a1 VenID:0002C9 DevID:D2F2 Rev:000000A0 {leaf} LID:1 PN:00} LID:0002 PN:0c }"
	list     = "# made by hand\n\n" + hostSide + " " + leafSide + " PHY=4x LOG=ACT SPD=100\n" +
		leafSide + " " + hostSide + " PHY=4x LOG=ACT SPD=100\n"
)

func TestRead(t *testing.T) {
	f, err := subnetlst.Read(strings.NewReader(list), "a.lst")
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	host, _ := f.NodeByGUID(0xc0)
	leaf, _ := f.NodeByGUID(0xa0)
	if host == nil || leaf == nil || f.NumNodes() != 2 {
		t.Fatalf("%d nodes", f.NumNodes())
	}
	if host.Description() != "host {1} HCA-1" || leaf.Description() != "leaf} LID:1 PN:00" {
		t.Errorf("descriptions %q, %q", host.Description(), leaf.Description())
	}
	info := host.Info()
	if info.DeviceID != 0x101b || info.VendorID != 0x2c9 || info.NumPorts != 2 || info.NodeType != ib.NodeCA || info.LocalPort != 2 || info.PortGUID != 0xc2 {
		t.Errorf("%+v", info)
	}
	if i := leaf.Info(); i.NumPorts != 41 || i.Revision != 0xa0 || i.PortGUID != 0xa1 || i.DeviceID != 0xd2f2 {
		t.Errorf("%+v", i)
	}
	p := host.Port(2)
	if p.GUID() != 0xc2 || p.LID() != 0xb5 || p.Remote() != leaf.Port(12) || leaf.Port(12).LID() != 2 ||
		p.Active().String() != "4xNDR" || p.State() != ib.PortActive || p.PhysState() != ib.PhysLinkUp {
		t.Errorf("%s LID %d %s %s", p.GUID(), p.LID(), p.Active(), p.State())
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]string{
		"PHY=1x LOG=INI SPD=2.5": "1xSDR Initialize", "PHY=4x LOG=ACT": "4xnone Active", "PHY=4x LOG=ACT SPD=10": "4xQDR Active",
		"PHY=2x LOG=ARM SPD=50": "2xHDR Armed", "PHY=4x LOG=ACT SPD=??": "4xnone Active", "PHY=4x LOG=ACT SPD=FDR10": "4xFDR10 Active",
		"PHY=4x LOG=ACT SPD=200": "4xXDR Active",
	} {
		f, err := subnetlst.Read(strings.NewReader(hostSide+" "+leafSide+" "+text), "a.lst")
		if err != nil {
			t.Fatal(err)
		}
		n, _ := f.NodeByGUID(0xc0)
		if got := n.Port(2).Active().String() + " " + n.Port(2).State().String(); got != want || len(f.Problems()) > 0 {
			t.Errorf("%s: %s, want %s; %v", text, got, want, f.Problems())
		}
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"nonsense\n" + list:                                     "a.lst:1: expected { node",
		list + hostSide + "\n":                                  "a.lst:5: expected { node",
		list + strings.Replace(list, "4x", "9x", 1):             "a.lst:7: expected PHY=",
		list + strings.Replace(list, "LID:00b5", "LID:00b6", 1): "node 0x00000000000000c0 port 2 Lid is 182 here, but 181 at a.lst:3",
		list + strings.Replace(list, "PN:0c", "PN:0d", 1):       "port 2 is connected to node 0x00000000000000a0 port 13 here, but to node 0x00000000000000a0 port 12 at a.lst:3",
	} {
		f, err := subnetlst.Read(strings.NewReader(text), "a.lst")
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
	if _, err := subnetlst.Read(strings.NewReader("# nothing\n"), "a"); !errors.Is(err, facts.ErrNothing) {
		t.Error(err)
	}
	if _, err := subnetlst.Read(iotest.ErrReader(os.ErrClosed), "a"); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// TestCorpus counts nodes and links with other tools.
func TestCorpus(t *testing.T) {
	corpus := testenv.Corpus(t)
	for _, file := range []string{"ibdiagnet/gm-infiniband-default-ibdiagnet2.lst", "opensm-dump/subnet.lst"} {
		path := filepath.Join(corpus, file)
		r, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		f, err := subnetlst.Read(r, file)
		if err != nil || len(f.Problems()) > 0 {
			t.Fatal(file, err, f.Problems())
		}
		links, ends := 0, 0
		for l := range f.Links() {
			links++
			ends += 2
			if l.OneWay() {
				t.Errorf("%s: one way", file)
			}
		}
		for what, got := range map[string]int{
			`grep -o 'NodeGUID:[0-9a-fA-F]*' "$1" | sort -u | wc -l`: f.NumNodes(),
			// The GUID and port of each side of a line, once.
			`sed 's/NodeGUID:\([0-9a-f]*\)[^}]*{[^}]*} LID:[0-9a-fA-F]* PN:\([0-9a-fA-F]*\)/\n@\1-\2\n/g' "$1" | grep '^@' | sort -u | wc -l`: ends,
		} {
			if want := testenv.ShellCount(t, what, path); got != want {
				t.Errorf("%s: %s gives %d, we %d", file, what, want, got)
			}
		}
		t.Logf("%s: %d nodes, %d links", file, f.NumNodes(), links)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(list)
	f.Add(hostSide + " " + hostSide + " PHY=4x LOG=ACT SPD=10")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := subnetlst.Read(strings.NewReader(text), "f")
		if err == nil && got.NumNodes() == 0 {
			t.Error("no nodes, and no error")
		}
		for _, p := range problems(got) {
			_ = p.Error()
		}
	})
}

func problems(f *fabric.Fabric) []fabric.Problem {
	if f == nil {
		return nil
	}
	return f.Problems()
}
