package scenario_test

import (
	"sync"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// watcher is a program at the subnet manager's port that gets the traps, and
// represses each.
type watcher struct {
	port *sim.Port
	done chan struct{}

	mu    sync.Mutex
	traps map[uint16]int // by number
}

func (w *world) watch(node string) *watcher {
	w.Helper()
	p, err := w.sim.AttachAt(node, 1)
	if err != nil {
		w.Fatal(err)
	}
	p.SetIsSM(true)
	l := &watcher{port: p, done: make(chan struct{}), traps: map[uint16]int{}}
	go l.run()
	return l
}

func (l *watcher) run() {
	defer close(l.done)
	var m mad.Packet
	for {
		if _, err := l.port.Recv(&m); err != nil {
			return
		}
		if m.Method() != mad.MethodTrap {
			continue
		}
		var n smp.Notice
		n.Decode(m.SMPData())
		l.mu.Lock()
		l.traps[n.TrapNumber]++
		l.mu.Unlock()
		m.SetMethod(mad.MethodTrapRepress)
		_ = l.port.Send(&m, mad.Addr{LID: n.IssuerLID}, 0) // who sent it may be gone
	}
}

// close ends it and tells how many traps of each number came.
func (l *watcher) close() map[uint16]int {
	_ = l.port.Close()
	<-l.done
	return l.traps
}
