package uverbs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/ibscope/ibscope/internal/testenv"
)

// headers are what the expressions below need.
var headers = []string{
	"rdma/rdma_user_ioctl.h", "rdma/rdma_user_ioctl_cmds.h", "rdma/ib_user_ioctl_cmds.h", "rdma/ib_user_ioctl_verbs.h",
	"rdma/ib_user_verbs.h", "rdma/mlx4-abi.h", "rdma/mlx5-abi.h", "rdma/irdma-abi.h", "rdma/bnxt_re-abi.h",
	"rdma/efa-abi.h", "rdma/hns-abi.h", "rdma/erdma-abi.h", "rdma/cxgb4-abi.h", "rdma/qedr-abi.h",
	"rdma/ocrdma-abi.h", "rdma/vmw_pvrdma-abi.h", "rdma/mthca-abi.h", "rdma/siw-abi.h",
}

// numbers are expressions of C and what we take them for.
func numbers() map[string]uint64 {
	var (
		d  exQueryDeviceResponse
		p  queryPortResponse
		g  gidEntry
		m5 mlx5Device
		m4 mlx4Device
		r5 mlx5Response
		oc ocrdmaResponse
		rq mlx5Request
		ir irdmaRequest
	)
	off := func(o uintptr) uint64 { return uint64(o) }
	return map[string]uint64{
		"RDMA_VERBS_IOCTL":                                                     verbsIoctl,
		"UVERBS_ATTR_F_MANDATORY":                                              flagMandatory,
		"UVERBS_METHOD_INVOKE_WRITE":                                           methodInvokeWrite,
		"UVERBS_METHOD_QUERY_PORT":                                             methodQueryPort,
		"UVERBS_METHOD_GET_CONTEXT":                                            methodGetContext,
		"UVERBS_METHOD_QUERY_GID_TABLE":                                        methodQueryGIDTable,
		"UVERBS_METHOD_QUERY_GID_ENTRY":                                        methodQueryGIDEntry,
		"UVERBS_ATTR_UHW_IN":                                                   attrDriverIn,
		"UVERBS_ATTR_UHW_OUT":                                                  attrDriverOut,
		"UVERBS_ATTR_WRITE_CMD":                                                attrWriteCmd,
		"UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES":                         attrTableCount,
		"UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY":                               attrEntry,
		"UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT":                                 attrCoreSupport,
		"IB_USER_VERBS_CMD_GET_CONTEXT":                                        cmdGetContext,
		"IB_USER_VERBS_CMD_QUERY_PORT":                                         cmdQueryPort,
		"RDMA_DRIVER_MLX5":                                                     uint64(driverMLX5),
		"RDMA_DRIVER_IRDMA":                                                    uint64(driverIRDMA),
		"RDMA_DRIVER_USNIC":                                                    uint64(driverUSNIC),
		"RDMA_DRIVER_RXE":                                                      uint64(driverRXE),
		"RDMA_DRIVER_ERDMA":                                                    uint64(driverERDMA),
		"sizeof(struct ib_uverbs_ioctl_hdr)":                                   uint64(headerSize),
		"sizeof(struct ib_uverbs_attr)":                                        uint64(attrSize),
		"offsetof(struct ib_uverbs_attr, data)":                                off(unsafe.Offsetof(ioctlAttr{}.Data)),
		"sizeof(struct ib_uverbs_query_device_resp)":                           uint64(sizeOf[queryDeviceResponse]()),
		"sizeof(struct ib_uverbs_ex_query_device_resp)":                        uint64(sizeOf[exQueryDeviceResponse]()),
		"offsetof(struct ib_uverbs_query_device_resp, max_qp)":                 off(unsafe.Offsetof(d.Base.MaxQP)),
		"offsetof(struct ib_uverbs_query_device_resp, max_mw)":                 off(unsafe.Offsetof(d.Base.MaxMW)),
		"offsetof(struct ib_uverbs_query_device_resp, max_srq)":                off(unsafe.Offsetof(d.Base.MaxSRQ)),
		"offsetof(struct ib_uverbs_query_device_resp, phys_port_cnt)":          off(unsafe.Offsetof(d.Base.PhysicalPorts)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, odp_caps)":            off(unsafe.Offsetof(d.ODPGeneral)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, timestamp_mask)":      off(unsafe.Offsetof(d.TimestampMask)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, device_cap_flags_ex)": off(unsafe.Offsetof(d.CapsEx)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, rss_caps)":            off(unsafe.Offsetof(d.RSSQPTypes)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, raw_packet_caps)":     off(unsafe.Offsetof(d.RawPacketCaps)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, tm_caps.max_ops)":     off(unsafe.Offsetof(d.TMMaxOps)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, cq_moderation_caps)":  off(unsafe.Offsetof(d.CQMaxCount)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, max_dm_size)":         off(unsafe.Offsetof(d.MaxDeviceMemory)),
		"offsetof(struct ib_uverbs_ex_query_device_resp, xrc_odp_caps)":        off(unsafe.Offsetof(d.ODPXRC)),
		"sizeof(struct ib_uverbs_query_port_resp)":                             legacyPortLen,
		"sizeof(struct ib_uverbs_query_port_resp_ex)":                          uint64(sizeOf[queryPortResponse]()),
		"offsetof(struct ib_uverbs_query_port_resp, sm_lid)":                   off(unsafe.Offsetof(p.SMLID)),
		"offsetof(struct ib_uverbs_query_port_resp, link_layer)":               off(unsafe.Offsetof(p.LinkLayer)),
		"offsetof(struct ib_uverbs_query_port_resp_ex, port_cap_flags2)":       off(unsafe.Offsetof(p.CapMask2)),
		"sizeof(struct ib_uverbs_gid_entry)":                                   uint64(sizeOf[gidEntry]()),
		"offsetof(struct ib_uverbs_gid_entry, gid_type)":                       off(unsafe.Offsetof(g.Type)),
		"sizeof(struct ib_uverbs_get_context_resp)":                            uint64(sizeOf[oldContextResponse]()),
		"sizeof(struct ib_uverbs_query_port)":                                  uint64(sizeOf[oldQueryPort]()),
		"sizeof(struct ib_uverbs_ex_query_device)":                             uint64(sizeOf[exQueryDevice]()),

		"sizeof(struct mlx5_ib_alloc_ucontext_req_v2)":                    uint64(sizeOf[mlx5Request]()),
		"offsetof(struct mlx5_ib_alloc_ucontext_req_v2, max_cqe_version)": off(unsafe.Offsetof(rq.MaxCQEVersion)),
		"offsetof(struct mlx5_ib_alloc_ucontext_req_v2, lib_caps)":        off(unsafe.Offsetof(rq.LibCaps)),
		"sizeof(struct mlx5_ib_alloc_ucontext_resp)":                      uint64(sizeOf[mlx5Response]()),
		"offsetof(struct mlx5_ib_alloc_ucontext_resp, cmds_supp_uhw)":     off(unsafe.Offsetof(r5.CommandsUHW)),
		"MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE":                            mlx5UHWQueryDevice,
		"MLX5_LIB_CAP_4K_UAR":                                             mlx5LibCap4KUAR,
		"offsetof(struct mlx5_ib_query_device_resp, tso_caps)":            off(unsafe.Offsetof(m5.TSO)),
		"offsetof(struct mlx5_ib_query_device_resp, rss_caps)":            off(unsafe.Offsetof(m5.RSS)),
		"offsetof(struct mlx5_ib_query_device_resp, packet_pacing_caps)":  off(unsafe.Offsetof(m5.Pacing)),
		"sizeof(struct mlx4_ib_alloc_ucontext_resp)":                      uint64(sizeOf[mlx4Response]()),
		"sizeof(struct mlx4_uverbs_ex_query_device_resp)":                 uint64(sizeOf[mlx4Device]()),
		"offsetof(struct mlx4_uverbs_ex_query_device_resp, rss_caps)":     off(unsafe.Offsetof(m4.RSS)),
		"offsetof(struct mlx4_uverbs_ex_query_device_resp, tso_caps)":     off(unsafe.Offsetof(m4.TSO)),
		"sizeof(struct irdma_alloc_ucontext_req)":                         uint64(sizeOf[irdmaRequest]()),
		"offsetof(struct irdma_alloc_ucontext_req, userspace_ver)":        off(unsafe.Offsetof(ir.Version)),
		"sizeof(struct efa_ibv_alloc_ucontext_cmd)":                       uint64(sizeOf[efaRequest]()),
		"sizeof(struct efa_ibv_alloc_ucontext_resp)":                      uint64(sizeOf[efaResponse]()),
		"EFA_ALLOC_UCONTEXT_CMD_COMP_TX_BATCH":                            efaTxBatch,
		"EFA_ALLOC_UCONTEXT_CMD_COMP_MIN_SQ_WR":                           efaMinSQWR,
		"sizeof(struct hns_roce_ib_alloc_ucontext)":                       uint64(sizeOf[hnsRequest]()),
		"sizeof(struct erdma_uresp_alloc_ctx)":                            uint64(sizeOf[erdmaResponse]()),
		"sizeof(struct c4iw_alloc_ucontext_resp)":                         uint64(sizeOf[cxgb4Response]()),
		"sizeof(struct qedr_alloc_ucontext_req)":                          uint64(sizeOf[qedrRequest]()),
		"sizeof(struct qedr_alloc_ucontext_resp)":                         uint64(sizeOf[qedrResponse]()),
		"QEDR_ALLOC_UCTX_EDPM_MODE|QEDR_ALLOC_UCTX_DB_REC<<8":             qedrEDPM | qedrDoorbellRecovery<<8,
		"sizeof(struct ocrdma_alloc_ucontext_resp)":                       uint64(sizeOf[ocrdmaResponse]()),
		"offsetof(struct ocrdma_alloc_ucontext_resp, fw_ver)":             off(unsafe.Offsetof(oc.Firmware)),
		"sizeof(struct pvrdma_alloc_ucontext_resp)":                       uint64(sizeOf[pvrdmaResponse]()),
		"sizeof(struct mthca_alloc_ucontext_resp)":                        uint64(sizeOf[mthcaResponse]()),
		"sizeof(struct siw_uresp_alloc_ctx)":                              uint64(sizeOf[siwResponse]()),
		"sizeof(struct bnxt_re_uctx_resp)":                                uint64(sizeOf[bnxtResponse]()),
	}
}

// TestNumbersLikeHeaders asks a C compiler for the sizes, offsets and numbers of
// the kernel's headers.
func TestNumbersLikeHeaders(t *testing.T) {
	testenv.Need(t, "gcc")
	dir := t.TempDir()
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n")
	for _, h := range headers {
		if _, err := os.Stat("/usr/include/" + h); err != nil {
			testenv.Lack(t, "linux-libc-dev", err.Error())
		}
		fmt.Fprintf(&source, "#include <%s>\n", h)
	}
	source.WriteString("int main(void) {\n")
	want := numbers()
	var order []string
	for expression := range want {
		order = append(order, expression)
		fmt.Fprintf(&source, "printf(\"%%llu\\n\", (unsigned long long)(%s));\n", expression)
	}
	source.WriteString("return 0; }\n")
	file, program := filepath.Join(dir, "numbers.c"), filepath.Join(dir, "numbers")
	if err := os.WriteFile(file, []byte(source.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	for i, expression := range order {
		if got, _ := strconv.ParseUint(lines[i], 10, 64); got != want[expression] {
			t.Errorf("%s is %d in C, %d here", expression, got, want[expression])
		}
	}
}

// TestNewerNumbers pins what headers older than Linux 6.17 do not have.
func TestNewerNumbers(t *testing.T) {
	for name, size := range map[string][2]int{
		"irdma_alloc_ucontext_resp":       {sizeOf[irdmaResponse](), 88},
		"hns_roce_ib_alloc_ucontext_resp": {sizeOf[hnsResponse](), 32},
		"ionic_ctx_req":                   {sizeOf[ionicRequest](), 8},
		"ionic_ctx_resp":                  {sizeOf[ionicResponse](), 40},
		"bnxt_re_query_device_ex_resp":    {sizeOf[pacingCaps](), 16},
	} {
		if size[0] != size[1] {
			t.Errorf("%s has %d bytes, want %d", name, size[0], size[1])
		}
	}
	if o := unsafe.Offsetof(queryPortResponse{}.ActiveSpeedEx); o != 44 {
		t.Errorf("active_speed_ex is at %d, want 44", o)
	}
}
