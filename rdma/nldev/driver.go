package nldev

import "strconv"

// DriverID is a driver of RDMA devices (enum rdma_driver_id).
type DriverID uint32

// driverNames are the drivers by number, in the kernel's words.
var driverNames = [...]string{
	"unknown", "mlx5", "mlx4", "cxgb3", "cxgb4", "mthca", "bnxt_re", "ocrdma", "nes", "irdma",
	"vmw_pvrdma", "qedr", "hns", "usnic", "rxe", "hfi1", "qib", "efa", "siw", "erdma", "mana", "ionic", "bng_re",
}

// String is "mlx5", "rxe", …, or "unknown (N)".
func (d DriverID) String() string {
	if int(d) < len(driverNames) {
		return driverNames[d]
	}
	return "unknown (" + strconv.FormatUint(uint64(d), 10) + ")"
}

// MarshalText implements encoding.TextMarshaler.
func (d DriverID) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
