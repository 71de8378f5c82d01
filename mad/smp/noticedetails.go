package smp

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
)

// Flags of a notice of local changes, trap 144 (14.2.5.1).
const (
	ChangedNodeDescription  uint16 = 1 << 0
	ChangedLinkWidthEnabled uint16 = 1 << 1
	ChangedLinkSpeedEnabled uint16 = 1 << 2
	ChangedCapMask2         uint16 = 1 << 5
)

// SetLink writes the details of traps 129 to 131: the link at a port of the node
// with a LID. See Link.
func (v *Notice) SetLink(lid ib.LID, port uint8) {
	v.Details = [54]byte{4: port}
	binary.BigEndian.PutUint16(v.Details[2:], uint16(lid))
}

// SetLocalChanges writes the details of trap 144: the capability mask of a port,
// and what else has changed there by itself, Changed… flags.
func (v *Notice) SetLocalChanges(lid ib.LID, capMask uint32, flags uint16) {
	v.Details = [54]byte{}
	binary.BigEndian.PutUint16(v.Details[2:], uint16(lid))
	if flags != 0 {
		v.Details[5] = 1 // OtherLocalChanges
	}
	binary.BigEndian.PutUint32(v.Details[6:], capMask)
	binary.BigEndian.PutUint16(v.Details[10:], flags)
}

// SetSystemImageGUID writes the details of trap 145: the new GUID of a port's system.
func (v *Notice) SetSystemImageGUID(lid ib.LID, guid ib.GUID) {
	v.Details = [54]byte{}
	binary.BigEndian.PutUint16(v.Details[2:], uint16(lid))
	binary.BigEndian.PutUint64(v.Details[6:], uint64(guid))
}

// BadMKey is the SMP with a wrong M_Key that trap 256 is about.
type BadMKey struct {
	LID      ib.LID // of its sender
	DrSLID   ib.LID // if it was directed
	Method   uint8
	AttrID   uint16
	Modifier uint32
	MKey     uint64
	Directed bool
	Return   []byte // the ports of its return path, if it was directed; 30 at most are told
}

// maxReturnPath is the room for the return path in a notice.
const maxReturnPath = 30

// SetBadMKey writes the details of trap 256.
func (v *Notice) SetBadMKey(bad *BadMKey) {
	v.Details = [54]byte{6: bad.Method}
	b := v.Details[:]
	binary.BigEndian.PutUint16(b[2:], uint16(bad.LID))
	binary.BigEndian.PutUint16(b[4:], uint16(bad.DrSLID))
	binary.BigEndian.PutUint16(b[8:], bad.AttrID)
	binary.BigEndian.PutUint32(b[10:], bad.Modifier)
	binary.BigEndian.PutUint64(b[14:], bad.MKey)
	if !bad.Directed {
		return
	}
	hops := min(len(bad.Return), maxReturnPath)
	b[23] = 0x80 | byte(hops) // DRNotice, and how many hops follow
	if hops < len(bad.Return) {
		b[23] |= 0x40 // truncated
	}
	copy(b[24:], bad.Return[:hops])
}

// BadKey is the packet with a wrong P_Key or Q_Key that traps 257 and 258 are about.
type BadKey struct {
	LID1, LID2 ib.LID // of its sender and of its receiver
	Key        uint32
	SL         uint8
	QP1, QP2   uint32
	GID1, GID2 ib.GID
}

// SetBadKey writes the details of traps 257 and 258.
func (v *Notice) SetBadKey(bad *BadKey) {
	v.Details = [54]byte{}
	b := v.Details[:]
	binary.BigEndian.PutUint16(b[2:], uint16(bad.LID1))
	binary.BigEndian.PutUint16(b[4:], uint16(bad.LID2))
	binary.BigEndian.PutUint32(b[6:], bad.Key)
	binary.BigEndian.PutUint32(b[10:], uint32(bad.SL)<<28|bad.QP1&0xffffff)
	binary.BigEndian.PutUint32(b[14:], bad.QP2&0xffffff)
	copy(b[18:], bad.GID1[:])
	copy(b[34:], bad.GID2[:])
}
