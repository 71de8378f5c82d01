package baseboard

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/bm"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// Agent is the baseboard management of all nodes. It is a sim.Agent, and safe
// for concurrent use.
type Agent struct {
	mu   sync.Mutex
	keys map[sim.Place]*gmp.Key // of those that somebody has set
}

// New makes the agent.
func New() *Agent { return &Agent{keys: map[sim.Place]*gmp.Key{}} }

// Answer implements sim.Agent. A Set with a wrong key is not answered.
func (a *Agent) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	status, outcome := gmp.Check(m)
	if outcome != sim.Answered {
		return outcome
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if status == mad.StatusOK {
		k := a.key(r.At)
		isSet := m.Method() == mad.MethodSet
		if isSet && !k.MaySet(m.ClassKey()) {
			return sim.Silent
		}
		status = carryOut(k, m, isSet)
	}
	m.SetStatus(status)
	return sim.Answered
}

func (a *Agent) key(at sim.Place) *gmp.Key {
	if at.Node.Type() == ib.NodeSwitch {
		at.Port = 0
	}
	k := a.keys[at]
	if k == nil {
		k = &gmp.Key{}
		a.keys[at] = k
	}
	return k
}

func carryOut(k *gmp.Key, m *mad.Packet, isSet bool) mad.Status {
	data := (*[192]byte)(m.Data())
	switch attr := m.AttrID(); {
	case m.Modifier() != 0 && (attr == bm.AttrClassPortInfo || attr == bm.AttrBKeyInfo):
		return mad.StatusInvalidValue
	case attr == bm.AttrClassPortInfo && !isSet:
		v := bm.ClassPortInfo{ClassPortInfo: gs.ClassPortInfo{BaseVersion: 1, ClassVersion: 1, RespTimeValue: gmp.RespTime}}
		*data = [192]byte{}
		v.Encode((*[72]byte)(data[:]))
	case attr == bm.AttrBKeyInfo:
		var v bm.BKeyInfo
		if isSet {
			v.Decode(data)
			k.Value, k.Protect, k.Violations = v.BKey, v.Protect, v.Violations
			k.Lease = time.Duration(v.LeasePeriod) * time.Second
			m.SetClassKey(v.BKey)
		}
		v = bm.BKeyInfo{BKey: k.Shown(m.ClassKey()), Protect: k.Protect, LeasePeriod: uint16(k.Lease / time.Second), Violations: k.Violations}
		*data = [192]byte{}
		v.Encode(data)
	default:
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}
