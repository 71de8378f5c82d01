package sim

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Flags of trap 144, and where its details have them.
const (
	changedDescription = 1 << 0
	changedWidth       = 1 << 1
	changedSpeed       = 1 << 2
	changedCapMask2    = 1 << 5
)

func lidAt(b *[mad.DataSize]byte, offset int) ib.LID { return ib.LID(be.Uint16(b[offset:])) }

// notifyLinkState sends trap 128: links of the switch went up or down.
func (s *Fabric) notifyLinkState(zero *port) {
	n := smp.Notice{Type: smp.NoticeUrgent, TrapNumber: smp.TrapLinkStateChange}
	be.PutUint16(n.Details[:], uint16(zero.lid()))
	s.traps.add(zero, &n)
}

// notifyChange sends trap 144 of what changed without the subnet manager's
// doing: with no flags it is the capability mask.
func (s *Fabric) notifyChange(p *port, flags uint16) {
	v := s.portInfo(p)
	if v.CapMask&smp.CapCapMaskNotice == 0 || flags != 0 && v.CapMask&smp.CapOtherLocalChanges == 0 {
		return
	}
	n := smp.Notice{Type: smp.NoticeInfo, TrapNumber: smp.TrapCapMaskChange}
	be.PutUint16(n.Details[2:], uint16(v.LID))
	if flags != 0 {
		n.Details[5] = 1 // OtherLocalChanges
	}
	be.PutUint32(n.Details[6:], v.CapMask)
	be.PutUint16(n.Details[10:], flags)
	be.PutUint16(n.Details[12:], v.CapMask2)
	s.traps.add(p, &n)
}

// notifyLinkEnabled sends trap 144 if other widths or speeds are enabled.
func (s *Fabric) notifyLinkEnabled(p *port, old, v *smp.PortInfo) {
	flags := uint16(0)
	if old.LinkWidthEnabled != v.LinkWidthEnabled {
		flags |= changedWidth
	}
	if old.LinkSpeedEnabled != v.LinkSpeedEnabled || old.LinkSpeedExtEnabled != v.LinkSpeedExtEnabled ||
		old.LinkSpeedExtEnabled2 != v.LinkSpeedExtEnabled2 {
		flags |= changedSpeed
	}
	if flags != 0 {
		s.notifyChange(p.node.keeper(int(p.num)), flags)
	}
}

// notifyMKey sends trap 256: m came with a wrong M_Key.
func (s *Fabric) notifyMKey(p *port, m *mad.Packet, d *delivery) {
	n := smp.Notice{Type: smp.NoticeSecurity, TrapNumber: smp.TrapBadMKey}
	b := n.Details[:]
	be.PutUint16(b[2:], uint16(p.lid()))
	if d.sender.IsUnicast() {
		be.PutUint16(b[2:], uint16(d.sender))
	}
	b[6] = byte(m.Method())
	be.PutUint16(b[8:], uint16(m.AttrID()))
	be.PutUint32(b[10:], m.Modifier())
	be.PutUint64(b[14:], m.MKey())
	if m.Class() == mad.ClassSubnDirected {
		be.PutUint16(b[4:], uint16(m.DrSLID()))
		hops := min(int(m.HopCount()), 30)
		b[23] = 0x80 | byte(hops) // DRNotice, and how many hops follow
		if hops < int(m.HopCount()) {
			b[23] |= 0x40 // truncated
		}
		copy(b[24:], m.ReturnPath()[1:1+hops])
	}
	s.traps.add(p, &n)
}

// notifyKey sends trap 257 or 258, and 259 of a switch: a packet of general
// services came with a wrong P_Key or Q_Key.
func (s *Fabric) notifyKey(at *port, trap uint16, key uint32, from, to mad.Addr) {
	n := smp.Notice{Type: smp.NoticeSecurity, TrapNumber: trap}
	b := n.Details[:]
	if trap == smp.TrapBadPKeySwitchPort {
		be.PutUint16(b[0:], 0x3) // LIDs and P_Key are valid
		be.PutUint16(b[2:], uint16(from.LID))
		be.PutUint16(b[4:], uint16(to.LID))
		be.PutUint16(b[6:], uint16(key))
		b[8] = from.SL << 4
		be.PutUint16(b[48:], uint16(at.lid()))
		b[50] = at.num
	} else {
		be.PutUint16(b[2:], uint16(from.LID))
		be.PutUint16(b[4:], uint16(to.LID))
		be.PutUint32(b[6:], key)
		be.PutUint32(b[10:], uint32(from.SL)<<28|mad.QPGeneral)
		be.PutUint32(b[14:], mad.QPGeneral)
	}
	s.traps.add(at.node.keeper(int(at.num)), &n)
}

// Raise makes the node at tell its subnet manager of trouble at a link that the
// simulator does not have by itself: smp.TrapLocalLinkIntegrity,
// TrapBufferOverrun or TrapFlowControl. Other traps, and places that are not
// there, are an Error that wraps os.ErrInvalid or os.ErrNotExist.
func (s *Fabric) Raise(at Place, trap uint16) error {
	p, err := s.at("raise", at)
	if err != nil {
		return err
	}
	if trap < smp.TrapLocalLinkIntegrity || trap > smp.TrapFlowControl {
		return &Error{Op: "raise", Obj: fmt.Sprintf("trap %d", trap), Err: errInvalid}
	}
	n := smp.Notice{Type: smp.NoticeUrgent, TrapNumber: trap}
	be.PutUint16(n.Details[2:], uint16(p.lid()))
	n.Details[4] = p.num
	s.traps.add(p.node.keeper(int(p.num)), &n)
	s.traps.flush()
	return nil
}
