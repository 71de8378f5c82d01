package sa

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// nodes: one record for each port with a LID.
func (q *query) nodes() {
	var record [108]byte
	var data [mad.DataSize]byte
	for _, p := range q.ports() {
		clear(record[:])
		binary.BigEndian.PutUint16(record[:], uint16(p.LID))
		if !q.get(p.Place, smp.AttrNodeInfo, 0, &data) {
			continue
		}
		copy(record[4:44], data[:])
		q.get(p.Place, smp.AttrNodeDescription, 0, &data)
		copy(record[44:], data[:])
		if !q.add(record[:]) {
			return
		}
	}
}

// eachPort calls f for the ports that have a PortInfo behind a port with a LID:
// that port itself, or all ports of the switch.
func eachPort(p *sm.EndPort, f func(num int) bool) bool {
	if !isSwitch(p) {
		return f(p.Place.Port)
	}
	for num := range p.Place.Node.NumPorts() + 1 {
		if !f(num) {
			return false
		}
	}
	return true
}

// portInfos: with the modifier CapMaskMatch, ports that have all of the
// capabilities. Nobody sees an M_Key.
func (q *query) portInfos() {
	matches := q.packet.Modifier()&adm.CapMaskMatch != 0 && q.has(adm.CompPortInfoRecordCapMask)
	caps := binary.BigEndian.Uint32(q.want[4+20:])
	if matches {
		q.filter = filterOf((*adm.PortInfoRecord)(nil).Fields(), q.mask&^adm.CompPortInfoRecordCapMask)
	}
	for _, p := range q.ports() {
		if !eachPort(&p, func(num int) bool { return q.portInfoRecord(&p, num, matches, caps) }) {
			return
		}
	}
}

func (q *query) portInfoRecord(p *sm.EndPort, num int, matches bool, caps uint32) bool {
	if q.has(adm.CompPortInfoRecordPortNum) && int(q.want[2]) != num {
		return true
	}
	var record [68]byte
	var data [mad.DataSize]byte
	if !q.get(p.Place, smp.AttrPortInfo, uint32(num), &data) {
		return true
	}
	binary.BigEndian.PutUint16(record[:], uint16(p.LID))
	record[2] = byte(num)
	clear(data[:8])
	copy(record[4:], data[:])
	if matches && binary.BigEndian.Uint32(data[20:])&caps != caps {
		return true
	}
	return q.add(record[:])
}

// switchInfos: one record for each switch.
func (q *query) switchInfos() {
	var record [24]byte
	var data [mad.DataSize]byte
	for _, p := range q.ports() {
		if !isSwitch(&p) || !q.get(p.Place, smp.AttrSwitchInfo, 0, &data) {
			continue
		}
		binary.BigEndian.PutUint16(record[:], uint16(p.LID))
		copy(record[4:], data[:20])
		if !q.add(record[:]) {
			return
		}
	}
}

// smInfos: the manager itself.
func (q *query) smInfos() {
	var record [25]byte
	info, ok := q.manager.SMInfo(q.subnet.SM)
	if !ok {
		return
	}
	var data [mad.DataSize]byte
	info.Encode(&data)
	binary.BigEndian.PutUint16(record[:], uint16(q.subnet.SMLID))
	copy(record[4:], data[:21])
	q.add(record[:])
}

// links: one record for each end of each link that is up.
func (q *query) links() {
	var record [6]byte
	for _, p := range q.ports() {
		if !eachPort(&p, func(num int) bool {
			if q.has(adm.CompLinkRecordFromPort) && int(q.want[2]) != num {
				return true
			}
			peer, ok := q.manager.Fabric().Peer(sim.Place{Node: p.Place.Node, Port: num})
			far := q.subnet.ByPlace(peer)
			if !ok || far == nil {
				return true
			}
			binary.BigEndian.PutUint16(record[:], uint16(p.LID))
			record[2], record[3] = byte(num), byte(peer.Port)
			binary.BigEndian.PutUint16(record[4:], uint16(far.LID))
			return q.add(record[:])
		}) {
			return
		}
	}
}
