package summary

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// plant builds a switch with hosts, one link of which is degraded, and problems.
func plant(hosts, degraded, problems int) *fabric.Fabric {
	b := fabric.NewBuilder()
	sw := addNode(b, ib.NodeSwitch, 0x1000, hosts, "MF0;leaf01:MQM9700/U1", 0xd2f2)
	setPort(b, b.Port(sw, 0), ib.Width4x)
	for i := range hosts {
		h := addNode(b, ib.NodeCA, ib.GUID(0x2000+i), 1, fmt.Sprintf("host%02d \x1b[31m with a description too long for it", i), 0x1021)
		width := ib.Width4x
		if i < degraded {
			width = ib.Width1x
		}
		p, q := b.Port(sw, i+1), b.Port(h, 1)
		setPort(b, p, width)
		setPort(b, q, width)
		b.Link(p, q)
	}
	for i := range problems {
		b.AddProblem(fabric.Problem{Kind: fabric.NoReply, GUID: 0x1000, Port: i, Detail: "PortInfo not read", Err: fmt.Errorf("no reply")})
	}
	b.SetStart(b.Port(sw, 0))
	b.SetSweep(fabric.Sweep{
		Source: "sim:plant", Started: time.Date(2026, 11, 29, 19, 43, 42, 0, time.UTC),
		Duration: 1234567 * time.Microsecond, SMPs: 99, Resent: 3, Timeouts: problems, MaxHops: 2,
	})
	return b.Build()
}

func addNode(b *fabric.Builder, t ib.NodeType, guid ib.GUID, ports int, description string, device uint16) *fabric.Node {
	info := smp.NodeInfo{NodeType: t, NumPorts: uint8(ports), NodeGUID: guid, PortGUID: guid, VendorID: 0x2c9, DeviceID: device}
	var raw, desc [mad.DataSize]byte
	info.Encode(&raw)
	copy(desc[:], description)
	n := b.AddNode(&raw)
	b.SetDescription(n, &desc)
	return n
}

func setPort(b *fabric.Builder, p *fabric.Port, width ib.LinkWidth) {
	info := smp.PortInfo{
		State: ib.PortActive, PhysState: ib.PhysLinkUp, CapMask: smp.CapExtendedSpeeds,
		LinkWidthSupported: ib.Width1x | ib.Width4x, LinkWidthActive: width,
		LinkSpeedExtSupported: 0xf, LinkSpeedExtActive: 8,
	}
	var raw [mad.DataSize]byte
	info.Encode(&raw)
	b.SetPortInfo(p, &raw)
}

func write(t *testing.T, f *fabric.Fabric, o *Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteGolden(t *testing.T) {
	testenv.Golden(t, "plant.golden", []byte(write(t, plant(14, 2, 3), nil)))
	testenv.Golden(t, "bounded.golden", []byte(write(t, plant(14, 12, 25), &Options{Limit: 2})))
	testenv.Golden(t, "empty.golden", []byte(write(t, fabric.NewBuilder().Build(), nil)))
}

func TestFits80Columns(t *testing.T) {
	for line := range strings.Lines(write(t, plant(14, 2, 3), nil)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestColourIsAllThatColourAdds(t *testing.T) {
	f := plant(14, 2, 3)
	coloured := write(t, f, &Options{Colour: true})
	for _, code := range []string{bold, red, green, yellow} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if plain := write(t, f, nil); strings.ReplaceAll(coloured, "\x1b[0m", "") != plain {
		t.Errorf("the texts differ:\n%s\n%s", coloured, plain)
	}
}
