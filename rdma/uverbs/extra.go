package uverbs

import "structs"

// tsoCaps is struct mlx5_ib_tso_caps and struct mlx4_ib_tso_caps.
type tsoCaps struct {
	_       structs.HostLayout
	MaxTSO  uint32
	QPTypes uint32
}

// rssCaps is struct mlx5_ib_rss_caps and struct mlx4_ib_rss_caps.
type rssCaps struct {
	_            structs.HostLayout
	HashFields   uint64
	HashFunction uint8
	_            [7]uint8
}

// pacingCaps is struct mlx5_packet_pacing_caps and struct
// bnxt_re_packet_pacing_caps.
type pacingCaps struct {
	_       structs.HostLayout
	Min     uint32
	Max     uint32
	QPTypes uint32
	_       uint32
}

func (c *tsoCaps) set(a *DeviceAttributes) {
	a.TSO = TSOCaps{MaxSize: c.MaxTSO, QPTypes: QPTypes(c.QPTypes)}
}

func (c *rssCaps) set(a *DeviceAttributes) {
	a.RSS.HashFunctions, a.RSS.HashFields = c.HashFunction, c.HashFields
}

func (c *pacingCaps) set(a *DeviceAttributes) {
	a.PacketPacing = PacketPacingCaps{Min: c.Min, Max: c.Max, QPTypes: QPTypes(c.QPTypes)}
}

// mlx5Device is struct mlx5_ib_query_device_resp as far as it is of interest.
type mlx5Device struct {
	_              structs.HostLayout
	CompMask       uint32
	ResponseLength uint32
	TSO            tsoCaps
	RSS            rssCaps
	CQECompression [2]uint32
	Pacing         pacingCaps
}

// mlx5UHWQueryDevice is the bit of mlx5Response.CommandsUHW.
const mlx5UHWQueryDevice = 1

var mlx5Extra = extra{
	size:     sizeOf[mlx5Device](),
	accepted: func(c []byte) bool { return view[mlx5Response](c).CommandsUHW&mlx5UHWQueryDevice != 0 },
	read: func(data []byte, a *DeviceAttributes) {
		d := view[mlx5Device](data)
		d.TSO.set(a)
		d.RSS.set(a)
		d.Pacing.set(a)
	},
}

// mlx4Device is struct mlx4_uverbs_ex_query_device_resp.
type mlx4Device struct {
	_              structs.HostLayout
	CompMask       uint32
	ResponseLength uint32
	ClockOffset    uint64
	MaxInlineRecv  uint32
	Reserved       uint32
	RSS            rssCaps
	TSO            tsoCaps
}

var mlx4Extra = extra{
	size: sizeOf[mlx4Device](),
	read: func(data []byte, a *DeviceAttributes) {
		d := view[mlx4Device](data)
		d.RSS.set(a)
		d.TSO.set(a)
	},
}

// bnxtExtra is struct bnxt_re_query_device_ex_resp.
var bnxtExtra = extra{
	size: sizeOf[pacingCaps](),
	read: func(data []byte, a *DeviceAttributes) {
		d := view[pacingCaps](data)
		d.set(a)
	},
}
