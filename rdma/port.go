package rdma

import (
	"github.com/ibscope/ibscope/ib"
)

// Port is a port of a device. Numbers that could not be read are 0; the error of
// Devices tells which.
type Port struct {
	Device string // name of the device
	Num    int    // from 1; 0 for the management port of a switch

	LinkLayer LinkLayer
	State     ib.PortState
	PhysState ib.PhysState
	Rate      Rate
	Width     ib.LinkWidth // active; 0 when Rate does not tell
	Speed     ib.LinkSpeed // active; 0 when Rate does not tell

	LID      uint32 // 16 bits but on Omni-Path
	LMC      uint8
	SMLID    uint32
	SMSL     uint8
	CapMask  CapMask
	CapMask2 CapMask2

	// DefaultGID is entry 0 of the GID table: subnet prefix and port GUID. It is
	// zero when only netlink knows the port; then SubnetPrefix alone is known.
	DefaultGID   ib.GID
	SubnetPrefix uint64

	UmadName string // "umad0": the device file for MADs; "" when there is none
	IssmName string // "issm0"
	NetDev   string // "eth0", "ib0"; "" when there is none in this network namespace

	dev *Device
}

// GUID is the port GUID: the interface identifier of GID 0.
func (p *Port) GUID() ib.GUID { return p.DefaultGID.GUID() }

// UmadPath is the device file for MADs, "/dev/infiniband/umad0"; "" when there
// is none.
func (p *Port) UmadPath() string { return p.device().host.deviceFile(p.UmadName) }

// IssmPath is the device file that sets the IsSM bit while it is open; "" when
// there is none.
func (p *Port) IssmPath() string { return p.device().host.deviceFile(p.IssmName) }

// device is the device of the port; one that a program made itself has none and
// belongs to the default host.
func (p *Port) device() *Device {
	if p.dev == nil {
		return &Device{Name: p.Device, Index: -1}
	}
	return p.dev
}
