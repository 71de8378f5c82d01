package sa

import (
	"encoding/binary"
	"strings"

	"github.com/ibscope/ibscope/ib"
)

func (*Text) classPortInfo(w *printer, row []byte) {
	var v ClassPortInfo
	v.Decode((*[72]byte)(row))
	be32 := func(at int) uint32 { return binary.BigEndian.Uint32(row[at:]) }
	w.printf("SA ClassPortInfo:")
	w.lines(class, "%d", "Base version", v.BaseVersion, "Class version", v.ClassVersion)
	w.line(class, "Capability mask", "0x%04X", v.CapMask)
	w.line(class, "Capability mask 2", "0x%08X", v.CapMask2)
	w.line(class, "Response time value", "0x%02X", v.RespTimeValue)
	w.line(class, "Redirect GID", "%v", v.RedirectGID)
	w.line(class, "Redirect TC/SL/FL", "0x%08X", be32(24))
	w.line(class, "Redirect LID", "%d", v.RedirectLID)
	w.line(class, "Redirect PKey", "0x%04X", uint16(v.RedirectPKey))
	w.lines(class, "0x%08X", "Redirect QP", be32(32), "Redirect QKey", v.RedirectQKey)
	w.line(class, "Trap GID", "%v", v.TrapGID)
	w.line(class, "Trap TC/SL/FL", "0x%08X", be32(56))
	w.line(class, "Trap LID", "%d", v.TrapLID)
	w.line(class, "Trap PKey", "0x%04X", uint16(v.TrapPKey))
	w.lines(class, "0x%08X", "Trap HL/QP", be32(64), "Trap QKey", v.TrapQKey)
}

func (o *Text) nodeRecord(w *printer, row []byte) {
	var v NodeRecord
	v.Decode((*[108]byte)(row))
	n := &v.Node
	w.printf("NodeRecord dump:")
	w.line(normal, "lid", "%d", v.LID)
	w.lines(normal, "0x%X", "reserved", binary.BigEndian.Uint16(row[2:]),
		"base_version", n.BaseVersion, "class_version", n.ClassVersion)
	w.line(normal, "node_type", "%s", nodeTypeText(n.NodeType))
	w.line(normal, "num_ports", "%d", n.NumPorts)
	w.lines(normal, "0x%016x", "sys_guid", uint64(n.SystemImageGUID), "node_guid", uint64(n.NodeGUID), "port_guid", uint64(n.PortGUID))
	w.lines(normal, "0x%X", "partition_cap", n.PartitionCap, "device_id", n.DeviceID, "revision", n.Revision)
	w.line(normal, "port_num", "%d", n.LocalPort)
	w.line(normal, "vendor_id", "0x%X", n.VendorID)
	w.line(normal, "NodeDescription", "%s", o.nodeName(n.NodeGUID, v.Desc.Raw()))
}

// nodeTypeText is saquery's word for a type of node.
func nodeTypeText(t ib.NodeType) string {
	switch t {
	case ib.NodeCA:
		return "Channel Adapter"
	case ib.NodeSwitch:
		return "Switch"
	case ib.NodeRouter:
		return "Router"
	}
	return "UNKNOWN"
}

func (o *Text) portInfoRecord(w *printer, row []byte) {
	var v PortInfoRecord
	v.Decode((*[68]byte)(row))
	w.printf("PortInfoRecord dump:\n\tRID")
	w.lines(normal, "%d", "EndPortLid", v.EndPortLID, "PortNum", v.PortNum)
	w.line(normal, "Options", "0x%x", v.Options)
	w.printf("\tPortInfo dump:")
	// The lines of libibmad, but those of the names of capabilities, get two tabs.
	for line := range strings.Lines(string(v.Port.AppendDump(nil))) {
		switch {
		case strings.HasPrefix(line, "Mkey:") && !o.ShowKeys:
			line = line[:33] + notDisplayed + "\n"
		case strings.HasPrefix(line, "\t"):
			w.dst = append(w.dst, line...)
			continue
		}
		w.dst = append(append(w.dst, "\t\t"...), line...)
	}
}

// AppendPortCapabilities appends a PortInfoRecord as saquery -s prints it.
func (v *PortInfoRecord) AppendPortCapabilities(dst []byte) []byte {
	w := printer{dst}
	w.printf("PortInfoRecord dump:")
	w.lines(normal, "%d", "EndPortLid", v.EndPortLID, "PortNum", v.PortNum, "base_lid", v.Port.LID, "master_sm_base_lid", v.Port.SMLID)
	w.line(normal, "capability_mask", "0x%X", v.Port.CapMask)
	return w.dst
}

func (o *Text) switchInfoRecord(w *printer, row []byte) {
	be16 := func(at int) uint16 { return binary.BigEndian.Uint16(row[at:]) }
	w.printf("SwitchInfoRecord dump:\n\t\tRID")
	w.line(switches, "LID", "%d", be16(0))
	w.printf("\t\tSwitchInfo dump:")
	w.lines(switches, "0x%X", "LinearFDBCap", be16(4), "RandomFDBCap", be16(6), "MulticastFDBCap", be16(8), "LinearFDBTop", be16(10))
	w.lines(switches, "%d", "DefaultPort", row[12], "DefaultMulticastPrimaryPort", row[13], "DefaultMulticastNotPrimaryPort", row[14])
	w.lines(switches, "0x%X", "LifeTimeValue/PortStateChange/OpSL2VL", row[15],
		"LIDsPerPort", be16(16), "PartitionEnforcementCap", be16(18), "flags", row[20])
	if o.CapMask2&Cap2MulticastFDBTop != 0 {
		w.line(switches, "MulticastFDBTop", "0x%X", be16(22))
	}
}

func (*Text) smInfoRecord(w *printer, row []byte) {
	var v SMInfoRecord
	v.Decode((*[25]byte)(row))
	w.printf("SMInfoRecord dump:\n\t\tRID")
	w.line(narrow, "LID", "%d", v.LID)
	w.printf("\t\tSMInfo dump:")
	w.lines(narrow, "0x%016x", "GUID", uint64(v.SM.GUID), "SM_Key", v.SM.SMKey)
	w.lines(narrow, "%d", "ActCount", v.SM.ActCount, "Priority", v.SM.Priority, "SMState", uint8(v.SM.State))
}

func (*Text) linkRecord(w *printer, row []byte) {
	var v LinkRecord
	v.Decode((*[6]byte)(row))
	w.printf("LinkRecord dump:")
	w.lines(tables, "%d", "FromLID", v.FromLID, "FromPort", v.FromPort, "ToPort", v.ToPort, "ToLID", v.ToLID)
}
