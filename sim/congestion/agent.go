package congestion

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// Agent is the congestion control of all nodes. It is a sim.Agent, and safe for
// concurrent use.
type Agent struct {
	start time.Time

	mu    sync.Mutex
	state map[sim.Place]*state // of those that somebody has talked to
}

// state is that of a switch, or of a port of another node.
type state struct {
	isSwitch bool
	ports    int
	key      gmp.Key
	sw       cc.SwitchCongestionSetting
	swPorts  []cc.SwitchPortCongestionSetting // by block
	ca       cc.CACongestionSetting
	table    [tableBlocks]cc.CongestionControlTable
	limit    uint16
	log      eventLog
}

// tableBlocks is the size of the congestion control table, in blocks of 64.
const tableBlocks = 2

// timeUnit is that of time stamps.
const timeUnit = 1024 * time.Nanosecond

// New makes the agent. Time stamps count from now.
func New() *Agent { return &Agent{start: time.Now(), state: map[sim.Place]*state{}} }

// Answer implements sim.Agent.
func (a *Agent) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	status, outcome := gmp.Check(m)
	if outcome != sim.Answered {
		return outcome
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if status == mad.StatusOK {
		s := a.at(r.At)
		if m.Method() == mad.MethodGet {
			status = a.get(s, m)
		} else {
			if !s.key.MaySet(m.ClassKey()) {
				return sim.Silent
			}
			if status = s.set(m); status == mad.StatusOK {
				status = a.get(s, m)
			}
		}
	}
	m.SetStatus(status)
	return sim.Answered
}

// at is the state of a place.
func (a *Agent) at(p sim.Place) *state {
	isSwitch := p.Node.Type() == ib.NodeSwitch
	if isSwitch {
		p.Port = 0
	}
	s := a.state[p]
	if s == nil {
		s = &state{isSwitch: isSwitch, ports: p.Node.NumPorts()}
		if isSwitch {
			s.swPorts = make([]cc.SwitchPortCongestionSetting, p.Node.NumPorts()/cc.PortsPerBlock+1)
		}
		a.state[p] = s
	}
	return s
}

func (a *Agent) now() uint32 { return uint32(time.Since(a.start) / timeUnit) }

// has tells whether a node of this kind has an attribute, and the block that the
// modifier names.
func (s *state) has(attr mad.AttrID, modifier uint32) mad.Status {
	blocks := 1
	switch attr {
	case cc.AttrClassPortInfo, cc.AttrCongestionInfo, cc.AttrCongestionKeyInfo, cc.AttrCongestionLog, cc.AttrTimeStamp:
	case cc.AttrSwitchCongestionSetting:
		if !s.isSwitch {
			return mad.StatusUnsupportedAttr
		}
	case cc.AttrSwitchPortCongestionSetting:
		if !s.isSwitch {
			return mad.StatusUnsupportedAttr
		}
		blocks = len(s.swPorts)
	case cc.AttrCACongestionSetting:
		if s.isSwitch {
			return mad.StatusUnsupportedAttr
		}
	case cc.AttrCongestionControlTable:
		if s.isSwitch {
			return mad.StatusUnsupportedAttr
		}
		blocks = tableBlocks
	default:
		return mad.StatusUnsupportedAttr
	}
	if uint64(modifier) >= uint64(blocks) {
		return mad.StatusInvalidValue
	}
	return mad.StatusOK
}

// get writes the attribute into the data.
func (a *Agent) get(s *state, m *mad.Packet) mad.Status {
	if status := s.has(m.AttrID(), m.Modifier()); status != mad.StatusOK {
		return status
	}
	key := m.ClassKey()
	data := m.Data()
	clear(data)
	if m.AttrID() == cc.AttrCongestionLog {
		s.log.encode((*[224]byte)(data), s.isSwitch, a.now())
		return mad.StatusOK
	}
	b := (*[192]byte)(data)
	switch m.AttrID() {
	case cc.AttrClassPortInfo:
		v := cc.ClassPortInfo{ClassPortInfo: gs.ClassPortInfo{BaseVersion: 1, ClassVersion: 2, RespTimeValue: gmp.RespTime}}
		v.Encode((*[72]byte)(data))
	case cc.AttrCongestionInfo:
		s.info().Encode(b)
	case cc.AttrCongestionKeyInfo:
		shown := s.key.Shown(key)
		v := cc.CongestionKeyInfo{
			CCKey: shown, Protect: s.key.Protect,
			LeasePeriod: uint16(s.key.Lease / time.Second), Violations: s.key.Violations,
		}
		v.Encode(b)
	case cc.AttrSwitchCongestionSetting:
		s.sw.Encode(b)
	case cc.AttrSwitchPortCongestionSetting:
		s.swPorts[m.Modifier()].Encode(b)
	case cc.AttrCACongestionSetting:
		s.ca.Encode(b)
	case cc.AttrCongestionControlTable:
		v := s.table[m.Modifier()]
		v.Limit = s.limit
		v.Encode(b)
	case cc.AttrTimeStamp:
		v := cc.TimeStamp{TimeStamp: a.now()}
		v.Encode(b)
	}
	return mad.StatusOK
}

func (s *state) info() *cc.CongestionInfo {
	if s.isSwitch {
		return &cc.CongestionInfo{Info: cc.InfoCreditStarvation}
	}
	return &cc.CongestionInfo{ControlTableCap: tableBlocks}
}
