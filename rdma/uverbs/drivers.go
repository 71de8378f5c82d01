package uverbs

import (
	"math"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// A driver is what the kernel part of one RDMA driver wants to hear before it
// makes a context, and what it adds to the answers of the core.
type driver struct {
	id nldev.DriverID

	// minABI and maxABI are the revisions of the driver's interface that the row
	// was written for (/sys/class/infiniband_verbs/uverbsN/abi_version).
	minABI, maxABI int

	// requests are the driver data of GetContext; a later one is for older
	// kernels that refuse the one before. None means no data.
	requests [][]byte
	// responseLen is how many bytes the driver answers to GetContext.
	responseLen int

	// firmware is the firmware version in the words of the driver's plug-in for
	// libibverbs, from the number that the core gives and the answer to
	// GetContext. Nil: the plug-in gives none.
	firmware func(version uint64, context []byte) string

	// extra reads what the driver adds to the device attributes; nil for nothing.
	extra *extra
}

// An extra is driver data in the answer to QueryDevice.
type extra struct {
	size int
	// accepted reports whether the driver that gave this answer to GetContext
	// takes a request for it; nil for always.
	accepted func(context []byte) bool
	read     func(data []byte, a *DeviceAttributes)
}

const anyABI = math.MaxInt

// drivers are the drivers that have something to say. The sizes and contents are
// those of <rdma/…-abi.h> in Linux 6.17; the requests ask for no optional feature,
// but for those that some hardware makes a condition.
var drivers = []driver{
	{
		id: driverMLX5, minABI: 1, maxABI: 1,
		requests:    [][]byte{wire(mlx5Request{BFRegs: 16, LowLatencyBFRegs: 4, MaxCQEVersion: 1, LibCaps: mlx5LibCap4KUAR})},
		responseLen: sizeOf[mlx5Response](), firmware: dotted("%d.%d.%04d"), extra: &mlx5Extra,
	},
	{
		id: driverMLX4, minABI: 2, maxABI: 4,
		responseLen: sizeOf[mlx4Response](), firmware: dotted("%d.%d.%03d"), extra: &mlx4Extra,
	},
	{
		id: driverIRDMA, minABI: 0, maxABI: 5,
		requests: [][]byte{
			wire(irdmaRequest{Version: 5, CompMask: irdmaRawAttributes | irdmaWQEFormat2}),
			wire(irdmaRequest{Version: 4, CompMask: irdmaRawAttributes | irdmaWQEFormat2}),
		},
		responseLen: sizeOf[irdmaResponse](), firmware: irdmaFirmware,
	},
	{
		id: driverBnxtRE, minABI: 1, maxABI: 1,
		responseLen: sizeOf[bnxtResponse](), firmware: nativeBytes, extra: &bnxtExtra,
	},
	{
		id: driverEFA, minABI: 1, maxABI: 1,
		requests:    [][]byte{wire(efaRequest{SupportedCaps: efaTxBatch | efaMinSQWR})},
		responseLen: sizeOf[efaResponse](), firmware: nativeBytes,
	},
	{
		id: driverHNS, minABI: 0, maxABI: anyABI,
		requests:    [][]byte{wire(hnsRequest{})},
		responseLen: sizeOf[hnsResponse](), firmware: dotted("%d.%d.%03d"),
	},
	{
		id: driverERDMA, minABI: 0, maxABI: 1,
		responseLen: sizeOf[erdmaResponse](), firmware: dotted("%d.%d.%d"),
	},
	{
		id: driverIonic, minABI: 1, maxABI: 1,
		requests:    [][]byte{wire(ionicRequest{})},
		responseLen: sizeOf[ionicResponse](),
	},
	{id: driverMANA, minABI: 1, maxABI: 1},
	{
		id: driverCXGB4, minABI: 0, maxABI: anyABI,
		responseLen: sizeOf[cxgb4Response](), firmware: fourBytes,
	},
	{
		id: driverQEDR, minABI: 8, maxABI: 8,
		requests:    [][]byte{wire(qedrRequest{Flags: qedrEDPM | qedrDoorbellRecovery | qedrDPMSizes})},
		responseLen: sizeOf[qedrResponse](), firmware: fourBytes,
	},
	{
		id: driverOCRDMA, minABI: 2, maxABI: 2,
		responseLen: sizeOf[ocrdmaResponse](), firmware: ocrdmaFirmware,
	},
	{
		id: driverPVRDMA, minABI: 3, maxABI: 3,
		responseLen: sizeOf[pvrdmaResponse](), firmware: dotted("%d.%d.%03d"),
	},
	{
		id: driverMTHCA, minABI: 0, maxABI: 1,
		responseLen: sizeOf[mthcaResponse](), firmware: dotted("%d.%d.%d"),
	},
	{id: driverHFI1, minABI: 0, maxABI: anyABI, firmware: dotted("%d.%d.%d")},
	{id: driverQIB, minABI: 0, maxABI: anyABI, firmware: dotted("%d.%d.%d")},
	{id: driverUSNIC, minABI: 0, maxABI: anyABI},
	{id: driverRXE, minABI: 1, maxABI: 2, firmware: dotted("%d.%d.%d")},
	{
		id: driverSIW, minABI: 1, maxABI: 1,
		responseLen: sizeOf[siwResponse](), firmware: dotted("%d.%d.%d"),
	},
}

// driverFor is the row of a driver. One that has none wants nothing and adds
// nothing, as far as is known.
func driverFor(id nldev.DriverID) *driver {
	for i := range drivers {
		if drivers[i].id == id {
			return &drivers[i]
		}
	}
	return &driver{id: id, maxABI: anyABI, firmware: nil}
}
