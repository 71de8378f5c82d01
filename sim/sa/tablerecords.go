package sa

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/sm"
)

func isSwitch(p *sm.EndPort) bool { return p.Place.Node.Type() == ib.NodeSwitch }

// eachBlock calls f for the blocks 0…last, or for the one that the request
// names if that counts.
func (q *query) eachBlock(component uint64, block, last int, f func(block int) bool) bool {
	if q.has(component) {
		return block < 0 || block > last || f(block)
	}
	for b := range last + 1 {
		if !f(b) {
			return false
		}
	}
	return true
}

// tableRecord adds a record of 72 bytes that ends with a table.
func (q *query) tableRecord(p *sm.EndPort, attr mad.AttrID, modifier uint32, fill func(record []byte)) bool {
	var record [72]byte
	var data [mad.DataSize]byte
	if !q.get(p.Place, attr, modifier, &data) {
		return true
	}
	binary.BigEndian.PutUint16(record[:], uint16(p.LID))
	fill(record[:])
	copy(record[8:], data[:])
	return q.add(record[:])
}

func (q *query) word(offset int) int { return int(binary.BigEndian.Uint16(q.want[offset:])) }

// linearTables: the blocks up to LinearFDBTop.
func (q *query) linearTables() {
	for _, p := range q.ports() {
		if !isSwitch(&p) {
			continue
		}
		info, ok := q.switchInfo(&p)
		if !ok || !q.eachBlock(adm.CompLinearForwardingTableRecordBlock, q.word(2), int(info.LinearFDBTop)/64, func(block int) bool {
			return q.tableRecord(&p, smp.AttrLinearForwardingTable, uint32(block), func(r []byte) {
				binary.BigEndian.PutUint16(r[2:], uint16(block))
			})
		}) {
			return
		}
	}
}

func (q *query) switchInfo(p *sm.EndPort) (v smp.SwitchInfo, ok bool) {
	var data [mad.DataSize]byte
	if !q.get(p.Place, smp.AttrSwitchInfo, 0, &data) {
		return v, false
	}
	v.Decode(&data)
	return v, true
}

// multicastTables: the blocks up to that of the highest group, for all ports.
func (q *query) multicastTables() {
	top, ok := q.topGroup()
	if !ok {
		return
	}
	last := int(top-ib.MinMulticastLID) / 32
	for _, p := range q.ports() {
		if !isSwitch(&p) {
			continue
		}
		want := int(q.want[2] >> 4)
		if !q.eachBlock(adm.CompMulticastForwardingTableRecordPosition, want, p.Place.Node.NumPorts()/16, func(position int) bool {
			return q.eachBlock(adm.CompMulticastForwardingTableRecordBlock, q.word(2)&0x1ff, last, func(block int) bool {
				return q.tableRecord(&p, smp.AttrMulticastForwardingTable, uint32(position)<<28|uint32(block), func(r []byte) {
					binary.BigEndian.PutUint16(r[2:], uint16(position)<<12|uint16(block))
				})
			})
		}) {
			return
		}
	}
}

// guidInfos: the blocks that GUIDCap has.
func (q *query) guidInfos() {
	for _, p := range q.ports() {
		var data [mad.DataSize]byte
		if !q.get(p.Place, smp.AttrPortInfo, uint32(p.Place.Port), &data) {
			continue
		}
		var info smp.PortInfo
		info.Decode(&data)
		if !q.eachBlock(adm.CompGUIDInfoRecordBlock, int(q.want[2]), (int(info.GUIDCap)-1)/8, func(block int) bool {
			return q.tableRecord(&p, smp.AttrGUIDInfo, uint32(block), func(r []byte) { r[2] = byte(block) })
		}) {
			return
		}
	}
}

// pkeyTables: all blocks that a port has, for those that are trusted.
func (q *query) pkeyTables() {
	if !q.isTrusted() {
		q.status = adm.StatusRequestInvalid
		return
	}
	for _, p := range q.ports() {
		if !eachPort(&p, func(num int) bool {
			if q.has(adm.CompPKeyTableRecordPortNum) && int(q.want[4]) != num {
				return true
			}
			return q.eachBlock(adm.CompPKeyTableRecordBlock, q.word(2), (q.pkeyCap(&p, num)-1)/32, func(block int) bool {
				modifier := uint32(block)
				if isSwitch(&p) {
					modifier |= uint32(num) << 16
				}
				return q.tableRecord(&p, smp.AttrPKeyTable, modifier, func(r []byte) {
					binary.BigEndian.PutUint16(r[2:], uint16(block))
					r[4] = byte(num)
				})
			})
		}) {
			return
		}
	}
}

// pkeyCap is the size of a port's P_Key table.
func (q *query) pkeyCap(p *sm.EndPort, num int) int {
	if isSwitch(p) && num != 0 {
		info, _ := q.switchInfo(p)
		return int(info.PartitionEnforceCap)
	}
	var data [mad.DataSize]byte
	q.get(p.Place, smp.AttrNodeInfo, 0, &data)
	var info smp.NodeInfo
	info.Decode(&data)
	return int(info.PartitionCap)
}

// slToVLs: on a switch for each pair of ports, elsewhere one table.
func (q *query) slToVLs() {
	for _, p := range q.ports() {
		if !eachPort(&p, func(out int) bool {
			if q.has(adm.CompSLtoVLMappingTableRecordOutPort) && int(q.want[3]) != out {
				return true
			}
			if !isSwitch(&p) { // ports have no meaning there
				q.filter = filterOf((*adm.SLtoVLMappingTableRecord)(nil).Fields(), q.mask&adm.CompSLtoVLMappingTableRecordLID)
				return q.slToVL(&p, 0, 0)
			}
			q.filter = nil // all is compared already
			return q.eachBlock(adm.CompSLtoVLMappingTableRecordInPort, int(q.want[2]), p.Place.Node.NumPorts(), func(in int) bool {
				return q.slToVL(&p, in, out)
			})
		}) {
			return
		}
	}
}

func (q *query) slToVL(p *sm.EndPort, in, out int) bool {
	var record [16]byte
	var data [mad.DataSize]byte
	modifier := uint32(0)
	if isSwitch(p) {
		modifier = uint32(in)<<8 | uint32(out)
	}
	if !q.get(p.Place, smp.AttrSLtoVLMappingTable, modifier, &data) {
		return true
	}
	binary.BigEndian.PutUint16(record[:], uint16(p.LID))
	record[2], record[3] = byte(in), byte(out)
	copy(record[8:], data[:8])
	return q.add(record[:])
}

// vlArbitrations: the four blocks of each port.
func (q *query) vlArbitrations() {
	for _, p := range q.ports() {
		if !eachPort(&p, func(num int) bool {
			if q.has(adm.CompVLArbitrationTableRecordPortNum) && int(q.want[2]) != num {
				return true
			}
			for block := uint32(1); block <= 4; block++ {
				if !q.tableRecord(&p, smp.AttrVLArbitrationTable, block<<16|uint32(num), func(r []byte) {
					r[2], r[3] = byte(num), byte(block)
				}) {
					return false
				}
			}
			return true
		}) {
			return
		}
	}
}
