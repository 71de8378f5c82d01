package watch

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// label gives the nodes that a sweep has made the firmware that is known of them. Nobody
// else has the fabric yet.
func label(f *fabric.Fabric, devices map[ib.GUID]Device) {
	b := fabric.NewBuilder() // sets the firmware of nodes that another one has built
	for n := range f.Nodes() {
		if d, ok := devices[n.GUID()]; ok {
			b.SetFirmware(n, d.Firmware)
		}
	}
}

// withFirmware is a fabric whose nodes have the firmware that devices told: the same one
// where that is nothing new.
func withFirmware(f *fabric.Fabric, devices map[ib.GUID]Device) *fabric.Fabric {
	for n := range f.Nodes() {
		now, known := devices[n.GUID()]
		if was, _ := n.Firmware(); known && was != now.Firmware {
			return f.Copy(func(b *fabric.Builder, n *fabric.Node) {
				if d, ok := devices[n.GUID()]; ok {
					b.SetFirmware(n, d.Firmware)
				}
			})
		}
	}
	return f
}

// withoutTables is a fabric without forwarding tables: where they are known they are in
// State.Routes.
func withoutTables(f *fabric.Fabric) *fabric.Fabric {
	for sw := range f.Switches() {
		if sw.LFT() != nil {
			return f.Copy(func(b *fabric.Builder, n *fabric.Node) { b.SetLFT(n, nil) })
		}
	}
	return f
}

// noteReturned has devices be asked for their firmware that a sweep has met for the first
// time, or again.
func (w *Watcher) noteReturned(was, is *fabric.Fabric) {
	if !w.opts.Firmware || was == is || was == nil {
		return
	}
	for n := range is.Nodes() {
		if before, ok := was.NodeByGUID(n.GUID()); answers(n) && !(ok && answers(before)) {
			w.noteRestarted(n)
		}
	}
}

// noteFallen has the devices be asked at both ends of links that went down between two
// passes: one of them may have been started again.
func (w *Watcher) noteFallen(d doubts) {
	f := w.State().Fabric
	for k := range d {
		n, ok := f.NodeByGUID(k.Node)
		if !ok || !w.opts.Firmware {
			continue
		}
		w.noteRestarted(n)
		if p := n.Port(k.Num); p != nil && p.Remote() != nil {
			w.noteRestarted(p.Remote().Node())
		}
	}
}

func (w *Watcher) noteRestarted(n *fabric.Node) {
	w.restarted[n.GUID()] = true
	w.schedule.devices.asked = true
}

// answers reports whether general services reach a node: it has a LID, and a link that
// carries packets.
func answers(n *fabric.Node) bool {
	hasLID, hasLink := false, false
	for p := range n.Ports() {
		hasLID = hasLID || p.LID().IsUnicast()
		hasLink = hasLink || p.Remote() != nil && !isInactive(p)
	}
	return hasLID && hasLink
}

// takeRestarted tells which devices are to be asked, nil for all of them.
func (w *Watcher) takeRestarted() map[ib.GUID]bool {
	some := w.restarted
	w.restarted = map[ib.GUID]bool{}
	if w.askAll {
		some = nil
	}
	w.askAll = false
	return some
}
