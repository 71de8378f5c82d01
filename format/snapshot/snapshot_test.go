package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/cache"
	"github.com/ibscope/ibscope/format/dot"
	"github.com/ibscope/ibscope/format/fabricjson"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/format/ibsimnet"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/format/summary"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// texts are all ways in which a fabric is printed.
var texts = map[string]func(io.Writer, *fabric.Fabric) error{
	"topology": func(w io.Writer, f *fabric.Fabric) error {
		return ibnetdiscover.Write(w, f, &ibnetdiscover.Options{Full: true})
	},
	"grouped": func(w io.Writer, f *fabric.Fabric) error {
		return ibnetdiscover.Write(w, f, &ibnetdiscover.Options{Grouped: true})
	},
	"ports":   func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.WritePorts(w, f, nil) },
	"list":    func(w io.Writer, f *fabric.Fabric) error { return ibnetdiscover.WriteList(w, f, nil) },
	"json":    func(w io.Writer, f *fabric.Fabric) error { return fabricjson.Write(w, f, nil) },
	"lines":   func(w io.Writer, f *fabric.Fabric) error { return fabricjson.WriteLines(w, f, nil) },
	"dot":     func(w io.Writer, f *fabric.Fabric) error { return dot.Write(w, f, nil) },
	"summary": func(w io.Writer, f *fabric.Fabric) error { return summary.Write(w, f, nil) },
	"ibsim":   ibsimnet.Write,
	"cache": func(w io.Writer, f *fabric.Fabric) error {
		if err := cache.Write(w, f); err != nil {
			_, err = io.WriteString(w, err.Error())
			return err
		}
		return nil
	},
}

// equal checks that two fabrics are the same in every output, and so in every
// attribute.
func equal(t *testing.T, want, got *fabric.Fabric) {
	t.Helper()
	for name, write := range texts {
		var a, b bytes.Buffer
		if err := errors.Join(write(&a, want), write(&b, got)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s (-want +got):\n%.2000s", name, cmp.Diff(strings.Split(a.String(), "\n"), strings.Split(b.String(), "\n")))
		}
	}
	nodes := []*fabric.Node{}
	for n := range got.Nodes() {
		nodes = append(nodes, n)
	}
	for n := range want.Nodes() {
		if !bytes.Equal(n.LFT(), nodes[n.Index()].LFT()) || (n.LFT() == nil) != (nodes[n.Index()].LFT() == nil) {
			t.Errorf("node %d: another forwarding table", n.Index())
		}
		for p := range n.Ports() {
			q := nodes[n.Index()].Port(p.Num())
			a, b := p.ExtendedInfoBytes(), q.ExtendedInfoBytes()
			if q == nil || (a == nil) != (b == nil) || a != nil && *a != *b || p.InfoOrder() != q.InfoOrder() {
				t.Fatalf("node %d port %d differs", n.Index(), p.Num())
			}
		}
	}
}

func write(t testing.TB, s *snapshot.Snapshot) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := snapshot.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t testing.TB, data []byte) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Read(bytes.NewReader(data), "test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// roundTrip checks that a snapshot comes back, and is written as before.
func roundTrip(t *testing.T, s *snapshot.Snapshot) *snapshot.Snapshot {
	t.Helper()
	data := write(t, s)
	got := read(t, data)
	equal(t, s.Fabric, got.Fabric)
	if s.Manager != nil {
		equal(t, s.Manager, got.Manager)
	}
	if !bytes.Equal(data, write(t, got)) {
		t.Error("written again, it differs")
	}
	return got
}

func generate(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGenerated(t *testing.T) {
	for _, text := range []string{
		"fattree?levels=2&radix=8", "star?speed=fdr10", "director?model=isr9288&lines=2&hosts=20", "director?lines=2&spines=2",
		"subnets?speed=hdr", "xdrplanes?hosts=3&radix=4", "gpupod?hosts=2&radix=8",
	} {
		t.Run(text, func(t *testing.T) { roundTrip(t, &snapshot.Snapshot{Fabric: generate(t, text)}) })
	}
}

// TestCorpus: whatever a file of another format holds is in its snapshot too.
func TestCorpus(t *testing.T) {
	dir := testenv.Corpus(t)
	count := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := format.Load(path)
		if err != nil || f.NumNodes() > 3000 {
			return nil // not a fabric
		}
		count++
		roundTrip(t, &snapshot.Snapshot{Fabric: f})
		if t.Failed() {
			t.Fatalf("%s", filepath.Base(path))
		}
		return nil
	})
	if err != nil || count < 20 {
		t.Errorf("%d files, %v", count, err)
	}
}

// full is a snapshot with something of everything, also what cannot be.
func full(t testing.TB) *snapshot.Snapshot {
	b := fabric.NewBuilder()
	sw := b.AddNode(&[mad.DataSize]byte{1, 1, 2, 2, 11: 9, 19: 0x10, 27: 0x10, 63: 1})
	ca := b.AddNode(&[mad.DataSize]byte{1, 1, 1, 2, 19: 0x20, 27: 0x21})
	twin := b.AddNode(&[mad.DataSize]byte{1, 1, 1, 1, 19: 0x20, 27: 0x22})
	b.SetDescription(sw, (*[mad.DataSize]byte)([]byte("a \x1b[31m\"name\" \xff with\x00 bytes behind it                                ")))
	b.SetDescription(ca, &[mad.DataSize]byte{})
	b.SetSwitchInfo(sw, &[mad.DataSize]byte{0: 0xc0, 16: 0x08})
	b.SetLFT(sw, []uint8{255, 0, 1, 2, 255})
	b.SetFirmware(sw, fabric.Firmware{Version: "27.2012.1010", PSID: "MT_\xff\""})
	path, _ := ib.NewDRPath(1, 2)
	b.SetPath(sw, ib.DRPath{})
	b.SetPath(ca, path)
	p1, p2 := b.Port(sw, 1), b.Port(sw, 2)
	b.SetPortInfo(p1, &[mad.DataSize]byte{17: 5, 32: 0x11, 63: 7})
	b.SetExtendedPortInfo(p1, &[mad.DataSize]byte{15: 1})
	b.SetInfoOrder(p1, 17)
	c2 := b.Port(ca, 2)
	b.SetPortGUID(c2, 0)
	b.LinkOneWay(p1, c2)
	b.Link(p2, p2)
	b.Link(c2, b.Port(twin, 1))
	b.SetStart(p2)
	b.SetSweep(fabric.Sweep{
		Source: "file:\xfe.topo", View: fabric.ByManager, Started: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Duration: time.Second + 1, SMPs: 5, Resent: 1, Timeouts: 2, MaxHops: 63,
	})
	b.AddProblem(fabric.Problem{Kind: fabric.BadStatus, Target: mad.ByPath(path), GUID: 0x10, Port: -1, Attr: 0x15, Modifier: 1 << 31, Err: mad.StatusUnsupportedAttr})
	b.AddProblem(fabric.Problem{Kind: fabric.NoReply, Target: mad.ByLID(7), Port: 3, Detail: "no \xff", Err: os.ErrDeadlineExceeded})
	b.AddProblem(fabric.Problem{Kind: fabric.BadInput, File: "a\xfd:7", Detail: "b", Err: errors.New("odd")})
	f := b.Build()
	return &snapshot.Snapshot{
		Taken: time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC), Tool: "test 1", Fabric: f, Manager: generate(t, "star?hosts=2"),
		Multicast: map[*fabric.Node][]snapshot.MulticastBlock{sw: {{Position: 15, Block: 511, Masks: [mad.DataSize]byte{63: 1}}}},
		SMInfo:    map[*fabric.Port]smp.SMInfo{c2: {GUID: 0x21, SMKey: 0x42, ActCount: 7, Priority: 15, State: ib.SMMaster}},
		Counters: []snapshot.PortCounters{
			{
				Node: sw, Port: 1, HasMasks: true, CapMask: 0x200, CapMask2: 1 << 31, Before: f.Sweep().Started, After: f.Sweep().Started.Add(5),
				Names: []string{"xmit_data", "new_counter"}, Values: []uint64{1<<64 - 1, 0}, Saturated: []string{"xmit_data"},
			},
			{Node: sw, Port: 255, Names: []string{"xmit_data"}, Values: []uint64{3}},
			{Node: ca, Port: 2, Names: []string{"xmit_data", "b"}, Values: []uint64{3, 4}},
		},
		Problems: []fabric.Problem{{Kind: fabric.NotFinished, GUID: 0x10, Port: -1, Class: mad.ClassPerf, Err: context.Canceled}},
	}
}

func TestEverything(t *testing.T) {
	s := full(t)
	got := roundTrip(t, s)
	if got.IsComplete() || got.Tool != s.Tool || !got.Taken.Equal(s.Taken) {
		t.Errorf("complete %v, tool %q, taken %v", got.IsComplete(), got.Tool, got.Taken)
	}
	for i, want := range []error{mad.StatusUnsupportedAttr, os.ErrDeadlineExceeded, nil} {
		p := got.Fabric.Problems()[i]
		if want != nil && !errors.Is(p, want) || p.Error() != s.Fabric.Problems()[i].Error() {
			t.Errorf("problem %d: %v is not %v", i, p, want)
		}
	}
	if d := cmp.Diff(s.Fabric.Sweep(), got.Fabric.Sweep()); d != "" {
		t.Error(d)
	}
	if len(got.Counters) != 3 || got.Counters[0].Values[0] != 1<<64-1 || got.Counters[2].Names[1] != "b" || got.Counters[2].Node.GUID() != 0x20 {
		t.Errorf("%+v", got.Counters)
	}
	if !errors.Is(got.Problems[0], context.Canceled) {
		t.Error(got.Problems[0])
	}
	if len(got.Of(mad.ClassPerf)) != 1 || len(got.Of(0)) != 0 {
		t.Errorf("problems by class: %v", got.Problems)
	}
	sw, _ := got.Fabric.NodeByGUID(0x10)
	if fw, ok := sw.Firmware(); !ok || fw != (fabric.Firmware{Version: "27.2012.1010", PSID: "MT_\xff\""}) {
		t.Errorf("firmware %q", fw)
	}
	if len(got.SMInfo) != 1 {
		t.Errorf("%d managers", len(got.SMInfo))
	}
	for p, info := range got.SMInfo {
		if want := (smp.SMInfo{GUID: 0x21, SMKey: 0x42, ActCount: 7, Priority: 15, State: ib.SMMaster}); p.Num() != 2 || info != want {
			t.Errorf("port %d: %+v", p.Num(), info)
		}
	}
	for n, blocks := range got.Multicast {
		if n.GUID() != 0x10 || len(blocks) != 1 || blocks[0].Masks[63] != 1 || blocks[0].Block != 511 {
			t.Errorf("%v", blocks)
		}
	}
}

// TestGolden: files that were written stay readable, and the schema as it is.
func TestGolden(t *testing.T) {
	var b bytes.Buffer
	if err := snapshot.WriteJSON(&b, full(t)); err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "full.json", b.Bytes())
}
