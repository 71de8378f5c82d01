package uverbs

import (
	"structs"
	"unsafe"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// The drivers (enum rdma_driver_id).
const (
	driverMLX5   nldev.DriverID = 1
	driverMLX4   nldev.DriverID = 2
	driverCXGB4  nldev.DriverID = 4
	driverMTHCA  nldev.DriverID = 5
	driverBnxtRE nldev.DriverID = 6
	driverOCRDMA nldev.DriverID = 7
	driverIRDMA  nldev.DriverID = 9
	driverPVRDMA nldev.DriverID = 10
	driverQEDR   nldev.DriverID = 11
	driverHNS    nldev.DriverID = 12
	driverUSNIC  nldev.DriverID = 13
	driverRXE    nldev.DriverID = 14
	driverHFI1   nldev.DriverID = 15
	driverQIB    nldev.DriverID = 16
	driverEFA    nldev.DriverID = 17
	driverSIW    nldev.DriverID = 18
	driverERDMA  nldev.DriverID = 19
	driverMANA   nldev.DriverID = 20
	driverIonic  nldev.DriverID = 21

	// maxDriver bounds the search for the driver of a device: a few more than
	// there are.
	maxDriver nldev.DriverID = 63
)

// Requests and answers of GetContext, as in <rdma/…-abi.h>. Members that are of
// no interest are left to arrays.
type (
	mlx5Request struct { // mlx5_ib_alloc_ucontext_req_v2
		_                structs.HostLayout
		BFRegs           uint32
		LowLatencyBFRegs uint32
		Flags            uint32
		CompMask         uint32
		MaxCQEVersion    uint8
		Reserved         [7]uint8
		LibCaps          uint64
	}
	mlx5Response struct { // mlx5_ib_alloc_ucontext_resp
		_           structs.HostLayout
		_           [45]uint8
		CommandsUHW uint8 // commands that take driver data
		_           [2]uint8
		_           [1]uint64
		_           [4]uint32
	}

	mlx4Response struct { // mlx4_ib_alloc_ucontext_resp; 8 bytes before revision 4
		_ structs.HostLayout
		_ [4]uint32
	}

	irdmaRequest struct { // irdma_alloc_ucontext_req
		_        structs.HostLayout
		Reserved uint32
		Version  uint8
		_        [3]uint8
		CompMask uint64
	}
	irdmaResponse struct { // irdma_alloc_ucontext_resp
		_ structs.HostLayout
		_ [10]uint64
		_ [2]uint32
	}

	bnxtResponse struct { // bnxt_re_uctx_resp
		_ structs.HostLayout
		_ [12]uint32
	}

	efaRequest struct { // efa_ibv_alloc_ucontext_cmd
		_             structs.HostLayout
		SupportedCaps uint32
		Reserved      uint32
	}
	efaResponse struct { // efa_ibv_alloc_ucontext_resp
		_ structs.HostLayout
		_ [6]uint32
	}

	hnsRequest struct { // hns_roce_ib_alloc_ucontext
		_ structs.HostLayout
		_ [2]uint32
	}
	hnsResponse struct { // hns_roce_ib_alloc_ucontext_resp
		_ structs.HostLayout
		_ [8]uint32
	}

	erdmaResponse struct { // erdma_uresp_alloc_ctx
		_ structs.HostLayout
		_ [5]uint64
	}

	ionicRequest struct { // ionic_ctx_req
		_ structs.HostLayout
		_ [2]uint32
	}
	ionicResponse struct { // ionic_ctx_resp
		_ structs.HostLayout
		_ [5]uint64
	}

	cxgb4Response struct { // c4iw_alloc_ucontext_resp
		_ structs.HostLayout
		_ [2]uint64
	}

	qedrRequest struct { // qedr_alloc_ucontext_req
		_     structs.HostLayout
		Flags uint32
		_     uint32
	}
	qedrResponse struct { // qedr_alloc_ucontext_resp
		_ structs.HostLayout
		_ [7]uint64
	}

	ocrdmaResponse struct { // ocrdma_alloc_ucontext_resp
		_        structs.HostLayout
		_        [4]uint64
		Firmware [32]byte
		_        [2]uint64
	}

	pvrdmaResponse struct { // pvrdma_alloc_ucontext_resp
		_ structs.HostLayout
		_ [2]uint32
	}

	mthcaResponse struct { // mthca_alloc_ucontext_resp
		_ structs.HostLayout
		_ [2]uint32
	}

	siwResponse struct { // siw_uresp_alloc_ctx
		_ structs.HostLayout
		_ [2]uint32
	}
)

// Flags in the requests.
const (
	mlx5LibCap4KUAR      = 1
	irdmaRawAttributes   = 1
	irdmaWQEFormat2      = 8
	efaTxBatch           = 1 // a condition of hardware that has it
	efaMinSQWR           = 2
	qedrEDPM             = 1
	qedrDoorbellRecovery = 2
	qedrDPMSizes         = 4
)

// wire is a request as the kernel reads it.
func wire[T any](v T) []byte { return bytesOf(&v) }

func sizeOf[T any]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// view is data as a structure; what data is too short for is zero.
func view[T any](data []byte) T {
	var v T
	copy(bytesOf(&v), data)
	return v
}
