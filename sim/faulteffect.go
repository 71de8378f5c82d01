package sim

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// wrongVersion is the class version of WrongClassVersion replies.
const wrongVersion = 127

// spoil does to the reply m what the fault does; random are bits for it to
// use. It reports false when there is no reply at all.
func (s *faultState) spoil(m *mad.Packet, d *delivery, random uint64) bool {
	switch s.Kind {
	case DeadSMA, DeadNode:
		return false
	case WrongNodeGUID:
		s.putGUID(m, offNodeGUID)
	case WrongPortGUID:
		s.putGUID(m, offPortGUID)
	case WrongTID:
		m.SetTID(m.TID() ^ (random | 1))
	case WrongClassVersion:
		m.SetClassVersion(wrongVersion)
	case BadStatus:
		m.SetStatus(s.Status)
	case ZeroData:
		*m.SMPData() = [mad.DataSize]byte{}
	case CorruptBytes:
		corrupt(m, random)
	case Duplicated:
		d.extraCopies++
	case Delayed:
		d.delay += s.Delay
	}
	return true
}

// corrupt makes some bytes wrong.
func corrupt(m *mad.Packet, random uint64) {
	for range 4 {
		m[uint8(random)] ^= byte(random>>8) | 1
		random >>= 16
	}
}

func (s *faultState) putGUID(m *mad.Packet, offset int) {
	if m.AttrID() == attrNodeInfo && m.Status() == mad.StatusOK {
		binary.BigEndian.PutUint64(m.SMPData()[offset:], uint64(s.GUID))
	}
}

// check refuses faults that could never strike as they are written.
func (f *Fault) check(model *fabric.Fabric) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf(format+": %w", append(args, os.ErrInvalid)...)
	}
	switch {
	case f.Kind < DeadSMA || f.Kind > Delayed:
		return bad("kind %d is not defined", f.Kind)
	case f.After < 0 || f.Times < 0:
		return bad("After %d, Times %d: neither may be negative", f.After, f.Times)
	case !(f.Probability >= 0 && f.Probability <= 1):
		return bad("Probability %v is not from 0 to 1", f.Probability)
	case f.Delay < 0:
		return bad("Delay %v is negative", f.Delay)
	case f.Port < 0 || f.Port > 255:
		return bad("Port %d is not from 0 to 255", f.Port)
	case f.Kind == DeadPort && f.Port == 0:
		return bad("a DeadPort wants the number of the port")
	}
	if f.Node == 0 {
		return nil
	}
	n, ok := model.NodeByGUID(f.Node)
	if !ok {
		return bad("no node has GUID %s", f.Node)
	}
	if f.Port > n.NumPorts() {
		return bad("node %s has ports 1…%d, not %d", f.Node, n.NumPorts(), f.Port)
	}
	return nil
}
