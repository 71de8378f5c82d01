package vendors

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/sim"
)

// deviceIS4 is the switch whose counters can be chosen (InfiniScale IV).
const deviceIS4 = 48438

// word is a place in the configuration space of a device.
type word struct {
	node    *fabric.Node
	address uint32
}

// maxWords bounds what is remembered of all configuration spaces.
const maxWords = 1 << 16

// configSpace reads or writes words, which are 0 until somebody writes them.
func (a *MLNX) configSpace(n *fabric.Node, modifier uint32, data *[232]byte, isSet bool) mad.Status {
	count := int(modifier >> 16 & 0x3f)
	if modifier != mlnx.ConfigSpaceModifier(count) || count == 0 {
		return mad.StatusInvalidValue
	}
	var v mlnx.ConfigSpaceAccess
	v.Decode(data)
	a.mu.Lock()
	defer a.mu.Unlock()
	if isSet && len(a.config)+count > maxWords {
		return mad.StatusInvalidValue
	}
	for i := range v.Records[:count] {
		r := &v.Records[i]
		w := word{n, r.Address}
		if isSet {
			a.config[w] = a.config[w]&^r.Mask | r.Data&r.Mask
		}
		r.Data = a.config[w]
	}
	v.Encode(data)
	return mad.StatusOK
}

// The groups of counters that there are.
var counterGroups = mlnx.CounterGroupInfo{NumGroups: 2, Groups: [2]uint32{0x1f, 0x1f}}

// counterGroups tells which groups of counters a port has, and which are
// counted.
func (a *MLNX) counterGroups(at sim.Place, m *mad.Packet, data *[232]byte, isSet bool) mad.Status {
	if m.Modifier() > uint32(at.Node.NumPorts()) {
		return mad.StatusInvalidValue
	}
	at.Port = int(m.Modifier())
	if m.AttrID() == mlnx.AttrCounterGroupInfo {
		if isSet {
			return mad.StatusUnsupportedAttr
		}
		*data = [232]byte{}
		counterGroups.Encode(data)
		return mad.StatusOK
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if isSet {
		var v mlnx.ConfigCounterGroup
		v.Decode(data)
		a.groups[at] = v
	}
	*data = [232]byte{}
	v := a.groups[at]
	v.Encode(data)
	return mad.StatusOK
}
