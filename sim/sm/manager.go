package sm

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// Options of Start. The zero Options are a manager of priority 0 that routes as
// the shape of the fabric suggests.
type Options struct {
	Engine     route.Engine // "" is what route.Suggest says; FatTree of a fabric that is none becomes UpDown
	Priority   uint8        // 0…15
	Partitions []Partition
	Aliases    bool // each virtual port gets an alias GUID, else those that a client asks for
}

// sweepDelay is how long changes gather before the manager looks at them.
const sweepDelay = time.Millisecond

// Manager are the subnet managers of a fabric, as one sim.Manager.
type Manager struct {
	sim     *sim.Fabric
	options Options
	started time.Time
	state   atomic.Pointer[state]
	groups  groups
	aliases aliases

	listener atomic.Pointer[func(*Subnet, *gs.Notice)]

	mu       sync.Mutex // held while sweeping
	isClosed bool
	pkeys    map[*fabric.Node][]ib.PKey // the tables, nil for none but the default; never changes
	ports    []*sim.Port                // where the managers run, by subnet
	written  map[*fabric.Node]bool      // switches whose tables were set, see forward

	// Traps come while mu is held: a sweep causes some.
	timing   sync.Mutex
	timer    *time.Timer // of the next sweep, nil for none
	hasEnded bool
}

// state is what the last sweep found. It does not change.
type state struct {
	subnets []*Subnet
	of      []int32 // subnet of a switch by the node's index, -1 for none
}

// Start makes a manager for each subnet of f, lets them sweep once, and plugs
// them in. A bad Engine or Priority is an *Error that wraps os.ErrInvalid.
func Start(f *sim.Fabric, o *Options) (*Manager, error) {
	m := &Manager{sim: f, started: time.Now(), written: map[*fabric.Node]bool{}}
	if o != nil {
		m.options = *o
	}
	if err := m.options.check(); err != nil {
		return nil, err
	}
	m.groups.manager = m
	m.state.Store(&state{})
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, at := range m.choosePlaces() {
		port, err := f.AttachAt(at.Node.GUID().String(), at.Port)
		if err != nil {
			for _, p := range m.ports {
				_ = p.Close() // it never fails
			}
			return nil, err
		}
		port.Receive(func(p *mad.Packet, from mad.Addr, err error) {
			if err == nil {
				m.receive(port, p, from)
			}
		})
		port.ReceiveLate()
		m.ports = append(m.ports, port)
	}
	if err := m.assignPKeys(); err != nil {
		for _, p := range m.ports {
			_ = p.Close() // it never fails
		}
		return nil, err
	}
	f.Manage(m)
	m.sweep()
	if m.options.Aliases {
		for _, s := range m.Subnets() {
			m.assignAliases(s)
		}
	}
	for _, p := range m.ports {
		p.SetIsSM(true)
	}
	return m, nil
}

// Options are those of Start.
func (m *Manager) Options() Options { return m.options }

// Close takes the managers out of the fabric. What they have set stays.
func (m *Manager) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isClosed {
		return nil
	}
	m.isClosed = true
	m.endTimer()
	m.sim.Manage(nil)
	for _, p := range m.ports {
		if err := p.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Fabric is the fabric that is managed.
func (m *Manager) Fabric() *sim.Fabric { return m.sim }

// Subnets lists the subnets as the last sweep found them.
func (m *Manager) Subnets() []*Subnet { return m.state.Load().subnets }

// SubnetAt is the subnet whose manager runs at a place; nil for none. On a
// switch every port is the place of its port 0.
func (m *Manager) SubnetAt(at sim.Place) *Subnet {
	if at.Node.Type() == ib.NodeSwitch {
		at.Port = 0
	}
	for _, s := range m.Subnets() {
		if s.SM == at {
			return s
		}
	}
	return nil
}

// Next implements sim.Manager.
func (m *Manager) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if s := m.subnetOf(sw); s != nil {
		return s.Tables().Next(sw, lid)
	}
	return route.NoPort
}

func (m *Manager) subnetOf(sw *fabric.Node) *Subnet {
	st := m.state.Load()
	if i := sw.Index(); st != nil && i < len(st.of) && st.of[i] >= 0 {
		return st.subnets[st.of[i]]
	}
	return nil
}

// Group implements sim.Manager.
func (m *Manager) Group(sw *fabric.Node, mlid ib.LID) [4]uint64 { return m.groups.ports(sw, mlid) }

// SMInfo implements sim.Manager.
func (m *Manager) SMInfo(at sim.Place) (smp.SMInfo, bool) {
	s := m.SubnetAt(at)
	if s == nil {
		return smp.SMInfo{}, false
	}
	return smp.SMInfo{
		GUID: s.SMGUID, ActCount: uint32(time.Since(m.started)/time.Second) + 1,
		Priority: m.options.Priority, State: ib.SMMaster,
	}, true
}

// receive gets what is sent to the manager: traps, and requests of SMInfo.
func (m *Manager) receive(port *sim.Port, p *mad.Packet, from mad.Addr) {
	reply := *p
	switch {
	case p.Class().IsSMP() && p.Method() == mad.MethodTrap:
		reply.SetMethod(mad.MethodTrapRepress)
		m.sweepSoon()
	case p.Class().IsSMP() && p.AttrID() == smp.AttrSMInfo && !p.IsResponse():
		// A Set asks to hand over or to stand by: the answer says that it is master.
		info, _ := m.SMInfo(sim.Place{Node: port.Node(), Port: port.Num()})
		info.Encode(reply.SMPData())
		reply.SetMethod(mad.MethodGetResp)
		if p.Class() == mad.ClassSubnDirected {
			reply.SetReturning(true)
		}
	default:
		return
	}
	// The port is open as long as the manager is; else nobody waits for a reply.
	_ = port.Send(&reply, from, 0)
	if p.Method() == mad.MethodTrap {
		m.trapped(sim.Place{Node: port.Node(), Port: port.Num()}, p)
	}
}

// LinkUp looks at the fabric when a link of a manager's own machine has come up.
func (m *Manager) LinkUp(at sim.Place) {
	for _, p := range m.ports { // they stay what they are from Manage on
		if p.Node() == at.Node && (p.Num() == at.Port || isSwitch(at.Node)) {
			m.sweepSoon()
			return
		}
	}
}

// sweepSoon sweeps after a moment in which more changes may come.
func (m *Manager) sweepSoon() {
	m.timing.Lock()
	defer m.timing.Unlock()
	if m.hasEnded || m.timer != nil {
		return
	}
	m.timer = time.AfterFunc(sweepDelay, func() {
		m.timing.Lock()
		m.timer = nil
		m.timing.Unlock()
		m.Sweep()
	})
}

// endTimer makes sure that no sweep begins by itself any more.
func (m *Manager) endTimer() {
	m.timing.Lock()
	defer m.timing.Unlock()
	m.hasEnded = true
	if m.timer != nil {
		m.timer.Stop()
	}
}

// Sweep looks at the fabric at once.
func (m *Manager) Sweep() {
	for _, e := range m.look() {
		m.notify(e.subnet, e.notice)
	}
}

// look sweeps, unless the manager is closed, and lists what has happened.
func (m *Manager) look() []event {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isClosed {
		return nil
	}
	return m.sweep()
}
