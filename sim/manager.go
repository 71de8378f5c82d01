package sim

import (
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// A Manager stands for what subnet managers have written into the fabric: it
// tells what no table in the fabric does. It is called by many goroutines at
// once, for each packet, and must not wait.
type Manager interface {
	// Next is the port by which a switch forwards to a LID, 0 for the switch
	// itself and 255 for none.
	Next(sw *fabric.Node, lid ib.LID) uint8
	// Group is the ports by which a switch forwards to a multicast LID: bit i%64
	// of word i/64 stands for port i.
	Group(sw *fabric.Node, mlid ib.LID) [4]uint64
	// SMInfo is what the manager that runs at a port says of itself; false for
	// ports without one.
	SMInfo(at Place) (smp.SMInfo, bool)
}

// A LinkWatcher is a Manager that learns of each port whose link has come up, as a
// machine is told of its own: no trap reaches a manager whose only switch has lost
// all that was set. LinkUp must not wait, nor ask the fabric.
type LinkWatcher interface {
	LinkUp(at Place)
}

// cameUp tells the manager of a port whose link has come up.
func (s *Fabric) cameUp(p *port) {
	if w, ok := s.manager.get().(LinkWatcher); ok {
		w.LinkUp(p.place())
	}
}

// Manage makes m the fabric's manager; nil is none, the default. With none,
// forwarding tables that the fabric does not know are made up. It may be called
// at any time. What is Set by a program comes before what the manager tells.
func (s *Fabric) Manage(m Manager) {
	if m == nil {
		s.manager.Store(nil)
		return
	}
	s.manager.Store(&m)
}

// Manager is the fabric's manager as Manage has set it, nil for none.
func (s *Fabric) Manager() Manager { return s.manager.get() }

// managerPointer is a Manager that may change. Readers take no lock.
type managerPointer struct{ atomic.Pointer[Manager] }

// get is nil for none.
func (p *managerPointer) get() Manager {
	if m := p.Load(); m != nil {
		return *m
	}
	return nil
}
