package sa_test

import (
	"encoding/binary"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// guids is a block of GUIDInfo as the port tells it.
func guids(f *sim.Fabric, at sim.Place, block uint32) (list [8]ib.GUID) {
	var data [mad.DataSize]byte
	f.Direct(at, mad.MethodGet, smp.AttrGUIDInfo, block, &data)
	for i := range list {
		list[i] = ib.GUID(binary.BigEndian.Uint64(data[8*i:]))
	}
	return list
}

// Alias GUIDs are set, chosen, found, kept through a loss of power, and removed.
func TestAliases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "fattree?levels=2&radix=4&vfs=20")
		port := c.adapters()[1]
		const one, two = 1 << (4 + 1), 1 << (4 + 2)
		const at = adm.CompGUIDInfoRecordLID | adm.CompGUIDInfoRecordBlock
		set := func(method mad.Method, mask uint64, block uint8, list [8]ib.GUID, want mad.Status) (r adm.GUIDInfoRecord) {
			t.Helper()
			m, status := c.ask(method, &adm.GUIDInfoRecord{LID: port.LID, Block: block, GUIDs: list}, mask)
			if status != want {
				t.Errorf("%s %#x of block %d: %v, want %v", method, mask, block, status, want)
			}
			if err := r.UnmarshalBinary(m.Data()); err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := set(mad.MethodSet, at|one|two, 0, [8]ib.GUID{1: 0x1234}, 0)
		if r.GUIDs[0] != port.GUID || r.GUIDs[1] != 0x1234 || r.GUIDs[2] == 0 {
			t.Errorf("the answer has %v", r.GUIDs)
		}
		if got := guids(c.fabric, port.Place, 0); got != r.GUIDs {
			t.Errorf("the port has %v, want %v", got, r.GUIDs)
		}
		set(mad.MethodSet, at|1<<4, 0, [8]ib.GUID{0x77}, adm.StatusRequestInvalid)        // its own
		set(mad.MethodSet, at|two, 1, [8]ib.GUID{2: 0x1234}, adm.StatusRequestInvalid)    // taken
		set(mad.MethodSet, at|1<<11, 2, [8]ib.GUID{7: 0x99}, adm.StatusRequestInvalid)    // beyond GUIDCap
		set(mad.MethodSet, at, 0, [8]ib.GUID{}, adm.StatusFewComponents)                  // nothing
		set(mad.MethodSet, one, 0, [8]ib.GUID{1: 0x9999}, adm.StatusFewComponents)        // nowhere
		set(mad.MethodSet, at|two, 0, [8]ib.GUID{2: port.GUID}, adm.StatusRequestInvalid) // a port's

		paths := func() int {
			m := c.request(mad.MethodGet, &adm.PathRecord{
				SGID: c.gid(c.adapters()[0]), DGID: ib.GIDFrom(c.subnet.Prefix, 0x1234), NumPath: 1,
			}, adm.CompPathRecordSGID|adm.CompPathRecordDGID)
			got := c.send(m)
			var p adm.PathRecord
			if err := p.UnmarshalBinary(got[0].Data()); err != nil {
				t.Fatal(err)
			}
			if got[0].Status() != 0 {
				return -1
			}
			if p.DGID.GUID() != 0x1234 {
				t.Errorf("a path to %s", p.DGID)
			}
			return int(p.DLID)
		}
		if lid := paths(); lid != int(port.LID) {
			t.Errorf("the path to the alias leads to LID %d, want %d", lid, port.LID)
		}
		if err := c.fabric.KillNode(port.Place.Node); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := c.fabric.ReviveNode(port.Place.Node); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := guids(c.fabric, port.Place, 0); got != r.GUIDs {
			t.Errorf("after a loss of power the port has %v", got)
		}
		c.subscribe(everything())
		got := c.send(c.request(mad.MethodDelete, &adm.GUIDInfoRecord{LID: port.LID}, at|one))
		if traps := traps(got); !slices.Equal(traps, []uint16{smp.TrapGIDOutOfService}) {
			t.Errorf("reports %v", traps)
		}
		if left := guids(c.fabric, port.Place, 0); left[1] != 0 || left[2] != r.GUIDs[2] {
			t.Errorf("after Delete %v", left)
		}
		if lid := paths(); lid != -1 {
			t.Errorf("a path to the alias that is gone leads to LID %d", lid)
		}
		time.Sleep(time.Minute)
	})
}

// traps lists the notices among packets.
func traps(got []mad.Packet) (list []uint16) {
	for i := range got {
		if got[i].Method() == mad.MethodReport {
			var n adm.Notice
			n.Decode((*[80]byte)(got[i].Data()))
			list = append(list, n.TrapNumber)
		}
	}
	return list
}

// The virtual ports of a generator get GUIDs of their own if the manager is to
// give them.
func TestVirtualPorts(t *testing.T) {
	f := must[*sim.Fabric](t)(sim.New(must[*fabric.Fabric](t)(gen.Parse("fattree?levels=2&radix=4&vfs=9")), nil))
	m := must[*sm.Manager](t)(sm.Start(f, &sm.Options{Aliases: true}))
	defer m.Close()
	seen := map[ib.GUID]bool{}
	for _, p := range m.Subnets()[0].Ports {
		if p.Place.Node.Type() != ib.NodeCA {
			continue
		}
		for i := range 10 {
			g := guids(f, p.Place, uint32(i/8))[i%8]
			if g == 0 || seen[g] {
				t.Errorf("%s: GUID %d is %s", p.Place.Node.Description(), i, g)
			}
			seen[g] = true
		}
		if g := guids(f, p.Place, 1)[2]; g != 0 {
			t.Errorf("one GUID more than there are virtual ports: %s", g)
		}
	}
	if len(seen) == 0 {
		t.Error("no adapters")
	}
}
