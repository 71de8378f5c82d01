package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Bytes of NodeInfo.
const (
	offNodeGUID     = 12
	offPortGUID     = 20
	offPartitionCap = 28
	offLocalPort    = 36
)

// Sizes of tables where the fabric does not know them.
const (
	defaultPartitionCap = 128   // P_Keys of an adapter port
	switchPartitionCap  = 32    // P_Keys of a switch port
	defaultLinearCap    = 49152 // all unicast LIDs
	defaultMulticastCap = 4096
	guidsPerBlock       = 8
)

func (q *query) nodeDescription() mad.Status {
	*q.data = *q.node.model.DescriptionBytes()
	if b := q.node.description.Load(); b != nil {
		*q.data = *b
	}
	return mad.StatusOK
}

// nodeInfo is what the fabric knows, with the port that the request came in by
// and its GUID. PartitionCap 0, which no device has, marks a NodeInfo put
// together from a text.
func (q *query) nodeInfo() mad.Status {
	*q.data = *q.node.nodeInfo()
	if be.Uint16(q.data[offPartitionCap:]) == 0 {
		be.PutUint16(q.data[offPartitionCap:], q.partitionCap(0))
		fill(&q.data[0], 1)
		fill(&q.data[1], 1)
	}
	q.data[offLocalPort] = q.in
	if g := q.node.portGUID(int(q.in)); g != 0 {
		be.PutUint64(q.data[offPortGUID:], uint64(g))
	}
	return mad.StatusOK
}

func (q *query) switchInfo() mad.Status {
	if !q.isSwitch() {
		return mad.StatusUnsupportedAttr
	}
	if raw := q.node.switchInfo.Load(); raw != nil {
		*q.data = *raw
		return mad.StatusOK
	}
	if raw := q.node.model.SwitchInfoBytes(); raw != nil {
		*q.data = *raw
	}
	if be.Uint16(q.data[:]) == 0 { // no forwarding table: told by a text only
		v := q.completeSwitchInfo()
		v.Encode(q.data)
	}
	return mad.StatusOK
}

// completeSwitchInfo is the SwitchInfo of the node with the fields filled in
// that the fabric does not know.
func (q *query) completeSwitchInfo() smp.SwitchInfo {
	if raw := q.node.switchInfo.Load(); raw != nil {
		var v smp.SwitchInfo
		v.Decode(raw)
		return v
	}
	v, _ := q.node.model.SwitchInfo()
	if v.LinearFDBCap != 0 {
		return v
	}
	v.LinearFDBCap = defaultLinearCap
	fill(&v.MulticastFDBCap, defaultMulticastCap)
	fill(&v.LinearFDBTop, uint16(q.sim.topLID))
	fill(&v.PartitionEnforceCap, switchPartitionCap)
	fill(&v.LifeTime, 18)
	v.InboundPartEnforce, v.OutboundPartEnforce = true, true
	v.FilterRawInbound, v.FilterRawOutbound = true, true
	return v
}

// guidInfo answers the port's own GUID, and the aliases that were set.
func (q *query) guidInfo() mad.Status {
	info := q.completePortInfo(q.holderOf(int(q.in)))
	if q.modifier >= (uint32(info.GUIDCap)+guidsPerBlock-1)/guidsPerBlock {
		return mad.StatusInvalidValue
	}
	q.stored(attrGUIDInfo, uint32(q.in)<<16|q.modifier)
	if q.modifier == 0 {
		be.PutUint64(q.data[:], uint64(q.node.portGUID(int(q.in))))
	}
	return mad.StatusOK
}

// partitionCap is the number of P_Keys of a port: of an external switch port it
// stands in SwitchInfo, elsewhere in NodeInfo.
func (q *query) partitionCap(port int) uint16 {
	if q.isSwitch() && port != 0 {
		info := q.completeSwitchInfo()
		return info.PartitionEnforceCap
	}
	if n := be.Uint16(q.node.model.InfoBytes()[offPartitionCap:]); n != 0 {
		return n
	}
	if q.isSwitch() {
		return switchPartitionCap
	}
	return defaultPartitionCap
}

func (q *query) isSwitch() bool { return q.node.isSwitch }

func isSwitch(n *fabric.Node) bool { return n.Type() == ib.NodeSwitch }

// fill sets a field that is 0.
func fill[T ~uint8 | ~uint16 | ~uint32 | ~uint64](field *T, v T) {
	if *field == 0 {
		*field = v
	}
}
