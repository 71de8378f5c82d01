package ibnetdiscover_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func newNode(b *fabric.Builder, t ib.NodeType, ports int, guid ib.GUID, desc string) *fabric.Node {
	var raw, text [64]byte
	info := smp.NodeInfo{
		NodeType: t, NumPorts: uint8(ports), NodeGUID: guid, PortGUID: guid + 1,
		SystemImageGUID: guid, VendorID: 0x2c9, DeviceID: 0xd2f4,
	}
	info.Encode(&raw)
	copy(text[:], desc)
	n := b.AddNode(&raw)
	b.SetDescription(n, &text)
	return n
}

func setInfo(b *fabric.Builder, p *fabric.Port, info smp.PortInfo) {
	var raw [64]byte
	info.Encode(&raw)
	b.SetPortInfo(p, &raw)
}

// pair is a switch with one host, whose link tells the given codes.
func pair(desc string, link smp.PortInfo, port0 bool, extended *[64]byte) *fabric.Fabric {
	b := fabric.NewBuilder()
	host := newNode(b, ib.NodeCA, 1, 0x100, desc)
	sw := newNode(b, ib.NodeSwitch, 1, 0x200, "sw")
	if port0 {
		setInfo(b, b.Port(sw, 0), smp.PortInfo{LID: 7, LMC: 1, CapMask: link.CapMask, CapMask2: link.CapMask2})
	}
	setInfo(b, b.Port(sw, 1), link)
	if extended != nil {
		b.SetExtendedPortInfo(b.Port(sw, 1), extended)
	}
	link.LID = 9
	setInfo(b, b.Port(host, 1), link)
	b.Link(b.Port(host, 1), b.Port(sw, 1))
	b.SetStart(b.Port(host, 1))
	return b.Build()
}

func TestRates(t *testing.T) {
	const ext, ext2 = smp.CapExtendedSpeeds, smp.CapExtendedSpeeds | smp.CapCapMask2
	fdr10 := &[64]byte{15: 1}
	for _, c := range []struct {
		link  smp.PortInfo
		port0 bool
		epi   *[64]byte
		want  string
	}{
		{smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 4}, true, nil, "4xQDR"},
		{smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 4}, true, fdr10, "4xFDR10"},
		{smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 2}, true, fdr10, "4xDDR"},
		{smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 4, LinkSpeedExtActive: 8}, true, nil, "4xQDR"},
		{smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 4, LinkSpeedExtActive: 8, CapMask: ext}, true, nil, "4xNDR"},
		{smp.PortInfo{
			LinkWidthActive: 16, LinkSpeedActive: 4, LinkSpeedExtActive2: 1, CapMask: ext2,
			CapMask2: smp.Cap2ExtendedSpeeds2,
		}, true, nil, "2xXDR"},
		{smp.PortInfo{LinkWidthActive: 3, LinkSpeedActive: 8}, true, nil, "?????"},
		{smp.PortInfo{LinkWidthActive: 1, LinkSpeedActive: 4, LinkSpeedExtActive: 3, CapMask: ext}, true, nil, "1x???"},
		{smp.PortInfo{LinkWidthActive: 8, LinkSpeedActive: 1}, false, nil, "12x???"},
		{smp.PortInfo{}, true, nil, "?????"},
	} {
		var b bytes.Buffer
		if err := ibnetdiscover.Write(&b, pair("h", c.link, c.port0, c.epi), nil); err != nil {
			t.Fatal(err)
		}
		if want := `"h" lid 9 ` + c.want + "\n"; !strings.Contains(b.String(), want) {
			t.Errorf("%+v: no %q in\n%s", c.link, want, b.String())
		}
	}
}

// upper gives names in capitals, as a Namer.
type upper struct{}

func (upper) Name(_ ib.GUID, desc string) string {
	return strings.ToUpper(desc) + "é\x1b[0m\u202e\xff"
}

func TestUntrustedNames(t *testing.T) {
	f := pair("a\nb\x1b]0;x\x07\u202e\"c\xff", smp.PortInfo{LinkWidthActive: 2, LinkSpeedActive: 1}, true, nil)
	for _, o := range []*ibnetdiscover.Options{nil, {Names: upper{}}, {Grouped: true, Full: true, Names: upper{}}} {
		var b bytes.Buffer
		err := errors.Join(ibnetdiscover.Write(&b, f, o), ibnetdiscover.WritePorts(&b, f, o), ibnetdiscover.WriteList(&b, f, o))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x202e || r == 0xfffd {
				t.Errorf("%+v: %U is in the output:\n%s", o, r, b.String())
				break
			}
		}
		if n := strings.Count(b.String(), "\nb"); n > 0 {
			t.Errorf("a name broke %d lines", n)
		}
	}
	var b bytes.Buffer
	ibnetdiscover.WriteList(&b, f, nil, ib.NodeCA)
	want := "Ca\t : 0x0000000000000100 ports 1 devid 0xd2f4 vendid 0x2c9 \"a b ]0;x    \"c \"\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestHeader(t *testing.T) {
	b := fabric.NewBuilder()
	n := newNode(b, ib.NodeCA, 1, 0x100, "h")
	b.SetStart(b.Port(n, 1))
	b.SetSweep(fabric.Sweep{MaxHops: 3, SMPs: 32, Started: time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)})
	f := b.Build()
	for _, c := range []struct {
		o    *ibnetdiscover.Options
		want string
	}{
		{nil, "#\n# Topology file: generated on Sat Feb  3 04:05:06 2024\n#\n" +
			"# Initiated from node 0000000000000100 port 0000000000000101\n"},
		{
			&ibnetdiscover.Options{MaxHops: true, Time: time.Date(2025, 12, 31, 23, 0, 0, 0, time.FixedZone("", 3600))},
			"#\n# Topology file: generated on Wed Dec 31 23:00:00 2025\n#\n" +
				"# Reported max hops discovered: 3\n# Total MADs used: 32\n" +
				"# Initiated from node 0000000000000100 port 0000000000000101\n",
		},
	} {
		var out bytes.Buffer
		if err := ibnetdiscover.Write(&out, f, c.o); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("got\n%s\nwant\n%s", out.String(), c.want)
		}
	}
}

// TestDiffFreePort has what the C tool dies of: a switch with another LID and a
// port without a peer.
func TestDiffFreePort(t *testing.T) {
	fabricWithLID := func(lid ib.LID) *fabric.Fabric {
		b := fabric.NewBuilder()
		sw := newNode(b, ib.NodeSwitch, 2, 0x200, "sw")
		setInfo(b, b.Port(sw, 0), smp.PortInfo{LID: lid})
		setInfo(b, b.Port(sw, 1), smp.PortInfo{})
		setInfo(b, b.Port(sw, 2), smp.PortInfo{})
		b.Link(b.Port(sw, 2), b.Port(newNode(b, ib.NodeCA, 1, 0x100, "h"), 1))
		return b.Build()
	}
	got := diffOf(t, fabricWithLID(1), fabricWithLID(2), &ibnetdiscover.DiffOptions{Checks: ibnetdiscover.CheckSwitches | ibnetdiscover.CheckLIDs})
	if strings.Contains(got, " [1]\t") || !strings.Contains(got, "\n< [2]\t") || !strings.Contains(got, "\n> [2]\t") {
		t.Errorf("got\n%s", got)
	}
}

type failing struct{}

var errFull = errors.New("disk is full")

func (failing) Write(p []byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	f := bigFabric(50)
	for name, err := range map[string]error{
		"Write":      ibnetdiscover.Write(failing{}, f, nil),
		"WritePorts": ibnetdiscover.WritePorts(failing{}, f, nil),
		"WriteList":  ibnetdiscover.WriteList(failing{}, f, nil),
		"Diff":       ibnetdiscover.Diff(failing{}, f, fabric.NewBuilder().Build(), nil),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bigFabric is a two-level tree with n leaf switches of 32 hosts.
func bigFabric(n int) *fabric.Fabric {
	link := smp.PortInfo{PhysState: 5, State: 4, LinkWidthActive: 2, LinkSpeedActive: 4, LinkSpeedExtActive: 4, CapMask: smp.CapExtendedSpeeds}
	b := fabric.NewBuilder()
	join := func(x *fabric.Node, px int, y *fabric.Node, py int) {
		setInfo(b, b.Port(x, px), link)
		setInfo(b, b.Port(y, py), link)
		b.Link(b.Port(x, px), b.Port(y, py))
	}
	var tops []*fabric.Node
	for i := range (n + 63) / 64 * 32 {
		tops = append(tops, newNode(b, ib.NodeSwitch, 64, ib.GUID(0x1000000+i*0x100), fmt.Sprintf("top %d", i)))
		setInfo(b, b.Port(tops[i], 0), smp.PortInfo{LID: ib.LID(i + 1), CapMask: link.CapMask})
	}
	for i := range n {
		leaf := newNode(b, ib.NodeSwitch, 64, ib.GUID(0x9000000+i*0x100), fmt.Sprintf("leaf %d", i))
		setInfo(b, b.Port(leaf, 0), smp.PortInfo{LID: ib.LID(2000 + i), CapMask: link.CapMask})
		for p := range 32 {
			h := newNode(b, ib.NodeCA, 1, ib.GUID(0x20000000+(i*32+p)*16), fmt.Sprintf("node%06d mlx5_0", i*32+p))
			join(leaf, 1+p, h, 1)
			join(leaf, 33+p, tops[i/64*32+p], 1+i%64)
		}
	}
	return b.Build()
}

func BenchmarkWrite65536Hosts(b *testing.B) {
	f := bigFabric(2048)
	b.ReportAllocs()
	for b.Loop() {
		var n countingWriter
		if err := ibnetdiscover.Write(&n, f, &ibnetdiscover.Options{Full: true}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(n))
	}
}

type countingWriter int64

func (n *countingWriter) Write(p []byte) (int, error) {
	*n += countingWriter(len(p))
	return len(p), nil
}

var _ io.Writer = (*countingWriter)(nil)
