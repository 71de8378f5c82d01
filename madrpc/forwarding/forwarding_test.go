package forwarding_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// open simulates a star, and gives a client and the switch.
func open(t *testing.T, uri string, faults func(sw *fabric.Node) []sim.Fault) (*madrpc.Client, *fabric.Node) {
	t.Helper()
	model, err := gen.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	var sw *fabric.Node
	for sw = range model.Switches() {
		break
	}
	o := &sim.Options{}
	if faults != nil {
		o.Faults = faults(sw)
	}
	f, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	t.Cleanup(func() { client.Close() })
	return client, sw
}

func TestUnicast(t *testing.T) {
	client, sw := open(t, "star?hosts=200", nil)
	to := mad.ByLID(sw.Port(0).LID())
	var starts []ib.LID
	for lid, block := range forwarding.Unicast(t.Context(), client, to, 70, 192) {
		if block.Err != nil {
			t.Fatal(block.Err)
		}
		starts = append(starts, lid)
		for i, port := range block.Table.Ports {
			want := smp.NoPort
			for p := range sw.Ports() {
				if far := p.Remote(); far != nil && far.LID() == lid+ib.LID(i) {
					want = uint8(p.Num())
				}
			}
			if p := sw.Port(0); p.LID() == lid+ib.LID(i) {
				want = 0
			}
			if want != smp.NoPort && port != want {
				t.Errorf("LID %d goes to port %d, want %d", lid+ib.LID(i), port, want)
			}
		}
	}
	if len(starts) != 3 || starts[0] != 64 || starts[1] != 128 || starts[2] != 192 {
		t.Errorf("blocks %v", starts)
	}
	for range forwarding.Unicast(t.Context(), client, to, 70, 69) {
		t.Error("a block of no LIDs")
	}
	for range forwarding.Unicast(t.Context(), client, to, 0, ib.MaxUnicastLID) {
		break // and nothing is left behind
	}
	if s := client.Stats(); s.InFlight != 0 || s.Waiting != 0 {
		t.Errorf("left behind: %+v", s)
	}
}

// TestBlockFails has one block refused: it costs itself, in its place.
func TestBlockFails(t *testing.T) {
	client, sw := open(t, "star?hosts=200", func(sw *fabric.Node) []sim.Fault {
		return []sim.Fault{{Kind: sim.BadStatus, Node: sw.GUID(), Attr: smp.AttrLinearForwardingTable, After: 1, Times: 1, Status: mad.StatusInvalidValue}}
	})
	failed, total := 0, 0
	for lid, block := range forwarding.Unicast(t.Context(), client, mad.ByLID(sw.Port(0).LID()), 0, 255) {
		if lid != ib.LID(total)*smp.LIDsPerBlock {
			t.Errorf("block %d starts at %d", total, lid)
		}
		total++
		if block.Err != nil {
			failed++
			if !errors.Is(block.Err, mad.StatusInvalidValue) {
				t.Error(block.Err)
			}
		}
	}
	if total != 4 || failed != 1 {
		t.Errorf("%d blocks, %d failed", total, failed)
	}
}

func TestMulticast(t *testing.T) {
	client, sw := open(t, "star?hosts=40", nil)
	to := mad.ByLID(sw.Port(0).LID())
	set := smp.MulticastForwardingTable{}
	set.PortMasks[3] = 1<<1 | 1<<7
	if err := madrpc.Set(t.Context(), client, to, smp.MFTModifier(2, 1), &set); err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for lid, block := range forwarding.Multicast(t.Context(), client, to, sw.Info().NumPorts, 0xc001, 0xc03f) {
		blocks++
		for port := range 41 {
			want := lid == 0xc020 && (port == 33 || port == 39)
			if block.Has(3, uint8(port)) != want {
				t.Errorf("LID 0x%x port %d: %v", lid+3, port, !want)
			}
		}
		if block.Has(3, 200) {
			t.Error("a port beyond the table")
		}
	}
	if blocks != 2 {
		t.Errorf("%d blocks", blocks)
	}
	for range forwarding.Multicast(t.Context(), client, to, 8, 5, 0xc003) {
		t.Error("a unicast LID is in no block")
	}
}

func TestEnd(t *testing.T) {
	client, sw := open(t, "star?hosts=4", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for _, block := range forwarding.Unicast(ctx, client, mad.ByLID(sw.Port(0).LID()), 0, 1000) {
		n++
		if !errors.Is(block.Err, context.Canceled) {
			t.Error(block.Err)
		}
	}
	if n > 1 {
		t.Errorf("%d blocks after the end", n)
	}
}
