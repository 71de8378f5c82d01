package sa

import (
	"encoding/binary"
	"fmt"

	"github.com/ibscope/ibscope/mad/field"
)

func (*Text) pathRecord(w *printer, row []byte) {
	var v PathRecord
	v.Decode((*[64]byte)(row))
	w.printf("PathRecord dump:")
	w.line(normal, "service_id", "0x%016x", v.ServiceID)
	w.lines(normal, "%v", "dgid", v.DGID, "sgid", v.SGID)
	w.lines(normal, "%d", "dlid", v.DLID, "slid", v.SLID)
	w.lines(normal, "0x%X", "hop_flow_raw", binary.BigEndian.Uint32(row[44:]), "tclass", v.TClass, "num_path_revers", row[49],
		"pkey", uint16(v.PKey), "qos_class", v.QoSClass, "sl", v.SL,
		"mtu", row[54], "rate", row[55], "pkt_life", row[56], "preference", row[57])
	w.line(normal, "resv2", "0x%X", row[58:64])
}

// mcMemberRecord shows ProxyJoin where IBA has it; saquery takes the lowest bit of
// the byte for it, which is reserved.
func (*Text) mcMemberRecord(w *printer, row []byte) {
	var v MCMemberRecord
	v.Decode((*[52]byte)(row))
	w.printf("MCMember Record dump:")
	w.lines(normal, "%v", "MGID", v.MGID, "PortGid", v.PortGID)
	w.lines(normal, "0x%x", "qkey", v.QKey, "mlid", uint16(v.MLID), "mtu", row[38], "TClass", v.TClass,
		"pkey", uint16(v.PKey), "rate", row[42], "pkt_life", row[43], "SL", v.SL, "FlowLabel", v.FlowLabel,
		"HopLimit", v.HopLimit, "Scope", v.Scope, "JoinState", v.JoinState, "ProxyJoin", bit(v.ProxyJoin))
}

// AppendGroup appends a multicast group as saquery -g prints it.
func (v *MCMemberRecord) AppendGroup(dst []byte) []byte {
	w := printer{dst}
	w.printf("MCMemberRecord group dump:")
	w.line(normal, "MGID", "%v", v.MGID)
	w.lines(normal, "0x%X", "Mlid", uint16(v.MLID), "Mtu", v.MTUSelector<<6|uint8(v.MTU), "pkey", uint16(v.PKey),
		"Rate", v.RateSelector<<6|uint8(v.Rate), "SL", v.SL)
	return w.dst
}

// AppendMember appends a member of a group as saquery -m prints it; name is that
// of its node.
func (v *MCMemberRecord) AppendMember(dst []byte, name string) []byte {
	w := printer{dst}
	w.printf("MCMemberRecord member dump:")
	w.line(normal, "MGID", "%v", v.MGID)
	w.line(normal, "Mlid", "0x%X", uint16(v.MLID))
	w.line(normal, "PortGid", "%v", v.PortGID)
	w.lines(normal, "0x%X", "ScopeState", v.Scope<<4|v.JoinState, "ProxyJoin", bit(v.ProxyJoin))
	w.line(normal, "NodeDescription", "%s", name)
	return w.dst
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (o *Text) serviceRecord(w *printer, row []byte) {
	var v ServiceRecord
	v.Decode((*[176]byte)(row))
	w.printf("ServiceRecord dump:")
	w.line(normal, "ServiceID", "0x%016x", v.ID)
	w.line(normal, "ServiceGID", "%v", v.GID)
	w.lines(normal, "0x%X", "ServiceP_Key", uint16(v.PKey), "ServiceLease", v.Lease)
	key := notDisplayed
	if o.ShowKeys {
		key = fmt.Sprintf("0x%x", v.Key)
	}
	w.line(normal, "ServiceKey", "%s", key)
	w.line(normal, "ServiceName", "%s", field.AppendPrintable(nil, v.Name[:]))
	for i, d := range v.Data8 {
		w.line(normal, fmt.Sprintf("ServiceData8.%d", i+1), "0x%X", d)
	}
	for i, d := range v.Data16 {
		w.line(normal, fmt.Sprintf("ServiceData16.%d", i+1), "0x%X", d)
	}
	for i, d := range v.Data32 {
		w.line(normal, fmt.Sprintf("ServiceData32.%d", i+1), "0x%X", d)
	}
	for i, d := range v.Data64 {
		w.line(normal, fmt.Sprintf("ServiceData64.%d", i+1), "0x%016x", d)
	}
}

func (o *Text) informInfoRecord(w *printer, row []byte) {
	var v InformInfoRecord
	v.Decode((*[60]byte)(row))
	i := &v.Inform
	w.printf("InformInfoRecord dump:\n\t\tRID")
	w.line(normal, "SubscriberGID", "%v", v.SubscriberGID)
	w.line(normal, "SubscriberEnum", "0x%X", v.SubscriberEnum)
	w.printf("\t\tInformInfo dump:")
	w.line(normal, "gid", "%v", i.GID)
	w.lines(normal, "%d", "lid_range_begin", i.LIDRangeBegin, "lid_range_end", i.LIDRangeEnd)
	w.lines(normal, "0x%X", "is_generic", i.IsGeneric, "subscribe", i.Subscribe, "trap_type", i.Type)
	number, format, producer := "trap_num", "%d", "node_type"
	if i.IsGeneric == 0 {
		number, format, producer = "dev_id", "0x%X", "vendor_id"
	}
	w.line(normal, number, format, i.TrapNumber)
	if o.ShowKeys {
		w.line(normal, "qpn", "0x%06X", i.QPN)
	} else {
		w.line(normal, "qpn", notDisplayed)
	}
	w.line(normal, "resp_time_val", "0x%X", i.RespTimeValue)
	w.line(normal, producer, "0x%06X", i.ProducerType)
}
