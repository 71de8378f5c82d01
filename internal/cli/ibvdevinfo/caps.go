package ibvdevinfo

import (
	"github.com/ibscope/ibscope/rdma/uverbs"
)

func (r *report) odp(a *uverbs.DeviceAttributes) {
	const supported, implicit = 1, 2
	r.printf("\tgeneral_odp_caps:\n")
	var names []string
	if a.ODP.General&supported != 0 {
		names = append(names, "ODP_SUPPORT")
	}
	if a.ODP.General&implicit != 0 {
		names = append(names, "ODP_SUPPORT_IMPLICIT")
	}
	r.flags("", names, a.ODP.General&^(supported|implicit))
	for _, transport := range []struct {
		name string
		caps uverbs.ODPTransportCaps
	}{{"rc", a.ODP.RC}, {"uc", a.ODP.UC}, {"ud", a.ODP.UD}, {"xrc", a.ODP.XRC}} {
		r.printf("\t%s_odp_caps:\n", transport.name)
		if transport.caps == 0 {
			r.flags("", []string{"NO SUPPORT"}, 0)
		}
		names, unknown := transport.caps.Names()
		r.flags("SUPPORT_", names, uint64(unknown))
	}
}

func (r *report) clocks(a *uverbs.DeviceAttributes) {
	if a.TimestampMask != 0 {
		r.printf("\tcompletion timestamp_mask:\t\t\t0x%016x\n", a.TimestampMask)
	} else {
		r.printf("\tcompletion_timestamp_mask not supported\n")
	}
	if a.CoreClock != 0 {
		r.hca("hca_core_clock", "%dkHZ", a.CoreClock)
	} else {
		r.printf("\tcore clock not supported\n")
	}
}

func (r *report) rawPacket(caps uverbs.RawPacketCaps) {
	if caps == 0 {
		return
	}
	r.printf("\traw packet caps:\n")
	var names []string
	for _, c := range []struct {
		bit  uverbs.RawPacketCaps
		name string
	}{
		{uverbs.RawCVLANStripping, "C-VLAN stripping offload"},
		{uverbs.RawScatterFCS, "Scatter FCS offload"},
		{uverbs.RawIPChecksum, "IP csum offload"},
		{uverbs.RawDelayDrop, "Delay drop"},
	} {
		if caps&c.bit != 0 {
			names = append(names, c.name)
		}
	}
	r.flags("", names, 0)
}

// capsEx names the upper half; the lower one is device_cap_flags.
func (r *report) capsEx(caps uverbs.DeviceCaps) {
	r.hca("device_cap_flags_ex", "0x%X", uint64(caps))
	names, unknown := (caps >> 32 << 32).Names()
	r.flags("", names, uint64(unknown))
}

func (r *report) offloads(a *uverbs.DeviceAttributes) {
	r.printf("\ttso_caps:\n")
	r.printf("\t\tmax_tso:\t\t\t%d\n", int32(a.TSO.MaxSize))
	if a.TSO.MaxSize != 0 {
		r.qpTypes(a.TSO.QPTypes)
	}
	r.printf("\trss_caps:\n")
	r.printf("\t\tmax_rwq_indirection_tables:\t\t\t%d\n", a.RSS.MaxTables)
	r.printf("\t\tmax_rwq_indirection_table_size:\t\t\t%d\n", a.RSS.MaxTableSize)
	r.printf("\t\trx_hash_function:\t\t\t\t0x%x\n", a.RSS.HashFunctions)
	r.printf("\t\trx_hash_fields_mask:\t\t\t\t0x%X\n", a.RSS.HashFields)
	if a.RSS.QPTypes != 0 {
		r.qpTypes(a.RSS.QPTypes)
	}
	r.hca("max_wq_type_rq", "%d", a.MaxWQTypeRQ)
	r.printf("\tpacket_pacing_caps:\n")
	r.printf("\t\tqp_rate_limit_min:\t%dkbps\n", a.PacketPacing.Min)
	r.printf("\t\tqp_rate_limit_max:\t%dkbps\n", a.PacketPacing.Max)
	if a.PacketPacing.Max != 0 {
		r.qpTypes(a.PacketPacing.QPTypes)
	}
}

func (r *report) qpTypes(types uverbs.QPTypes) {
	r.printf("\t\tsupported_qp:\n")
	var names []string
	if types&uverbs.QPRawPacket != 0 {
		names = append(names, "RAW_PACKET")
	}
	if types&uverbs.QPUD != 0 {
		names = append(names, "UD")
	}
	r.flags("SUPPORT_", names, uint64(types&^(uverbs.QPRawPacket|uverbs.QPUD)))
}

func (r *report) tagMatching(c *uverbs.TagMatchingCaps) {
	const reliable = 1
	if c.MaxTags == 0 {
		r.printf("\ttag matching not supported\n")
		return
	}
	r.hca("max_rndv_hdr_size", "%d", c.MaxRndvHeader)
	r.hca("max_num_tags", "%d", c.MaxTags)
	r.hca("max_ops", "%d", c.MaxOps)
	r.hca("max_sge", "%d", c.MaxSGE)
	r.printf("\tflags:\n")
	if c.Flags&reliable != 0 {
		r.flags("", []string{"IBV_TM_CAP_RC"}, 0)
	}
}

func (r *report) cqModeration(c *uverbs.CQModerationCaps) {
	if c.MaxCount == 0 || c.MaxPeriod == 0 {
		return
	}
	r.printf("\n\tcq moderation caps:\n")
	r.printf("\t\tmax_cq_count:\t%d\n", c.MaxCount)
	r.printf("\t\tmax_cq_period:\t%d us\n\n", c.MaxPeriod)
}
