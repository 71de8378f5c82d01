package ibsendtrap

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// about is what a trap can tell of.
type about struct {
	lid     ib.LID // of the local port
	capMask uint32
	port    uint8 // from the command line
}

// trap is one that can be sent.
type trap struct {
	name   string
	number uint16
	kind   uint8 // smp.Notice… constant
	fill   func(*smp.Notice, about)
}

// sample stands for GUIDs and keys.
const sample = 0x1234567812345678

var traps = []trap{
	{"node_desc_change", smp.TrapCapMaskChange, smp.NoticeInfo, func(n *smp.Notice, a about) {
		n.SetLocalChanges(a.lid, a.capMask, smp.ChangedNodeDescription)
	}},
	{"link_speed_enabled_change", smp.TrapCapMaskChange, smp.NoticeInfo, func(n *smp.Notice, a about) {
		n.SetLocalChanges(a.lid, a.capMask, smp.ChangedLinkSpeedEnabled)
	}},
	{"local_link_integrity", smp.TrapLocalLinkIntegrity, smp.NoticeUrgent, func(n *smp.Notice, a about) {
		n.SetLink(a.lid, a.port)
	}},
	{"sys_image_guid_change", smp.TrapSysImageGUIDChange, smp.NoticeInfo, func(n *smp.Notice, _ about) {
		n.SetSystemImageGUID(0, sample) // C tells no LID
	}},
	{"mkey_lid", smp.TrapBadMKey, smp.NoticeSecurity, func(n *smp.Notice, a about) { n.SetBadMKey(badMKey(a)) }},
	{"mkey_dr", smp.TrapBadMKey, smp.NoticeSecurity, func(n *smp.Notice, a about) {
		bad := badMKey(a)
		bad.Directed, bad.Return = true, []byte{5, 6, 7, 8}
		n.SetBadMKey(bad)
	}},
	{"pkey", smp.TrapBadPKey, smp.NoticeSecurity, badKey},
	{"qkey", smp.TrapBadQKey, smp.NoticeSecurity, badKey},
}

// badMKey is a Get of PortInfo.
func badMKey(a about) *smp.BadMKey {
	return &smp.BadMKey{LID: a.lid, DrSLID: ib.PermissiveLID, Method: 1, AttrID: uint16(smp.AttrPortInfo), Modifier: 0x12, MKey: sample}
}

func badKey(n *smp.Notice, _ about) {
	const prefix = 0xf8c0000000000001
	n.SetBadKey(&smp.BadKey{
		LID1: 1, LID2: 2, Key: 0x12345678, QP1: 0x010101, QP2: 0x020202,
		GID1: ib.GIDFrom(prefix, 0x1111222233334444), GID2: ib.GIDFrom(prefix, 0x5678567812341234),
	})
}

func findTrap(name string) *trap {
	for i := range traps {
		if traps[i].name == name {
			return &traps[i]
		}
	}
	return nil
}

// notice is the trap as a port of a node of that type sends it.
func (t *trap) notice(node ib.NodeType, a about) *smp.Notice {
	n := &smp.Notice{IsGeneric: true, Type: t.kind, ProducerType: uint32(node), TrapNumber: t.number, IssuerLID: a.lid}
	t.fill(n, a)
	return n
}
