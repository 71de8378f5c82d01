package ibvdevinfo

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

var (
	transportWords = []word{{0, "InfiniBand"}, {1, "iWARP"}, {2, "usNIC"}, {3, "usNIC UDP"}, {4, "unspecified"}}
	atomicWords    = []word{{0, "ATOMIC_NONE"}, {1, "ATOMIC_HCA"}, {2, "ATOMIC_GLOB"}}
)

// guid is a GUID in four groups.
func guid(g ib.GUID) string {
	return fmt.Sprintf("%04x:%04x:%04x:%04x", uint16(g>>48), uint16(g>>32), uint16(g>>16), uint16(g))
}

// summary prints what is printed of every device.
func (r *report) summary(d *rdma.Device, a *uverbs.DeviceAttributes) {
	r.printf("hca_id:\t%s\n", escape.Text(d.Name))
	r.hca("transport", "%s", coded(transportWords, "invalid transport", int(d.Transport())))
	if a.Firmware != "" {
		r.hca("fw_ver", "%s", escape.Text(a.Firmware))
	}
	r.hca("node_guid", "%s", guid(a.NodeGUID))
	r.hca("sys_image_guid", "%s", guid(a.SystemImageGUID))
	r.hca("vendor_id", "0x%04x", a.VendorID)
	r.number("vendor_part_id", a.VendorPartID)
	r.hca("hw_ver", "0x%X", a.HardwareVersion)
	if d.BoardID != "" {
		r.hca("board_id", "%s", escape.Text(d.BoardID))
	}
	r.hca("phys_port_cnt", "%d", a.PhysicalPorts)
}

// number prints a limit as the int that C takes it for.
func (r *report) number(name string, v uint32) { r.hca(name, "%d", int32(v)) }

// details prints what -v adds.
func (r *report) details(a *uverbs.DeviceAttributes) {
	r.hca("max_mr_size", "0x%x", a.MaxMRSize)
	r.hca("page_size_cap", "0x%x", a.PageSizes)
	r.number("max_qp", a.MaxQP)
	r.number("max_qp_wr", a.MaxQPWR)
	r.hca("device_cap_flags", "0x%08x", uint32(a.Caps))
	names, unknown := a.Caps.Names()
	r.flags("", names, uint64(unknown))
	r.limits(a)
	r.odp(a)
	r.clocks(a)
	r.rawPacket(a.RawPacket)
	r.capsEx(a.CapsEx)
	r.offloads(a)
	r.tagMatching(&a.TagMatching)
	r.cqModeration(&a.CQModeration)
	if a.MaxDeviceMemory != 0 {
		r.printf("\tmaximum available device memory:\t%dBytes\n\n", a.MaxDeviceMemory)
	}
	r.number("num_comp_vectors", a.CompVectors)
}

func (r *report) limits(a *uverbs.DeviceAttributes) {
	r.number("max_sge", a.MaxSGE)
	r.number("max_sge_rd", a.MaxSGERead)
	r.number("max_cq", a.MaxCQ)
	r.number("max_cqe", a.MaxCQE)
	r.number("max_mr", a.MaxMR)
	r.number("max_pd", a.MaxPD)
	r.number("max_qp_rd_atom", a.MaxQPReadAtomic)
	r.number("max_ee_rd_atom", a.MaxEEReadAtomic)
	r.number("max_res_rd_atom", a.MaxResReadAtomic)
	r.number("max_qp_init_rd_atom", a.MaxQPInitReadAtomic)
	r.number("max_ee_init_rd_atom", a.MaxEEInitReadAtomic)
	r.hca("atomic_cap", "%s", coded(atomicWords, "invalid atomic capability", int(int32(a.AtomicCap))))
	r.number("max_ee", a.MaxEE)
	r.number("max_rdd", a.MaxRDD)
	r.number("max_mw", a.MaxMW)
	r.number("max_raw_ipv6_qp", a.MaxRawIPv6QP)
	r.number("max_raw_ethy_qp", a.MaxRawEthernetQP)
	r.number("max_mcast_grp", a.MaxMulticastGroups)
	r.number("max_mcast_qp_attach", a.MaxMulticastAttach)
	r.number("max_total_mcast_qp_attach", a.MaxMulticastQPAttach)
	r.number("max_ah", a.MaxAH)
	r.number("max_fmr", a.MaxFMR)
	if a.MaxFMR != 0 {
		r.number("max_map_per_fmr", a.MaxMapPerFMR)
	}
	r.number("max_srq", a.MaxSRQ)
	if a.MaxSRQ != 0 {
		r.number("max_srq_wr", a.MaxSRQWR)
		r.number("max_srq_sge", a.MaxSRQSGE)
	}
	r.hca("max_pkeys", "%d", a.MaxPKeys)
	r.hca("local_ca_ack_delay", "%d", a.LocalAckDelay)
}
