package ibnetdiscover

import "github.com/ibscope/ibscope/fabric"

// port compares a port in both fabrics; nil is a port that is not known. A port
// without a peer has no line to print.
func (d *differ) port(old, new *fabric.Port, header *onceHeader) {
	printOld, printNew := d.connection(old, new)
	if old != nil && new != nil && d.differs(old, new) {
		printOld, printNew = true, true
	}
	if printOld && peerOf(old) != nil {
		header.print()
		d.link(old, oldPrefix)
	}
	if printNew && peerOf(new) != nil {
		header.print()
		d.link(new, newPrefix)
	}
}

// connection tells on which sides a port is connected otherwise.
func (d *differ) connection(old, new *fabric.Port) (printOld, printNew bool) {
	if d.checks&CheckPorts == 0 {
		return false, false
	}
	oldPeer, newPeer := peerOf(old), peerOf(new)
	switch {
	case oldPeer == nil || newPeer == nil:
		return oldPeer != nil, newPeer != nil
	case old.GUID() != new.GUID(), oldPeer.GUID() != newPeer.GUID(),
		d.moved && oldPeer.Num() != newPeer.Num():
		return true, true
	}
	return false, false
}

// differs compares the LIDs and descriptions of a port that both fabrics know.
func (d *differ) differs(old, new *fabric.Port) bool {
	if d.checks&CheckLIDs != 0 && lid(old) != lid(new) {
		return true
	}
	oldPeer, newPeer := old.Remote(), new.Remote()
	if d.checks&CheckPorts == 0 || oldPeer == nil || newPeer == nil {
		return false
	}
	if d.checks&CheckDescriptions != 0 &&
		oldPeer.Node().RawDescription() != newPeer.Node().RawDescription() {
		return true
	}
	return d.checks&CheckLIDs != 0 && lid(oldPeer) != lid(newPeer)
}

func peerOf(p *fabric.Port) *fabric.Port {
	if p == nil {
		return nil
	}
	return p.Remote()
}
