package ibvdevinfo

import (
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

// document has what the devices have told of themselves, whether -v is given or
// not. With -l there are names only.
type document struct {
	Devices []device `json:"devices"`
}

type device struct {
	Name            string  `json:"name"`
	Firmware        string  `json:"firmware,omitempty"`
	NodeGUID        ib.GUID `json:"node_guid,omitzero"`
	SystemImageGUID ib.GUID `json:"system_image_guid,omitzero"`
	VendorID        string  `json:"vendor_id,omitempty"`
	PartID          uint32  `json:"vendor_part_id,omitempty"`
	Hardware        string  `json:"hardware_version,omitempty"`
	BoardID         string  `json:"board_id,omitempty"`
	PhysicalPorts   int     `json:"physical_ports,omitempty"`
	MaxMR           uint64  `json:"max_mr_size_bytes,omitempty"`
	MaxQP           uint32  `json:"max_qp,omitempty"`
	MaxQPWR         uint32  `json:"max_qp_wr,omitempty"`
	MaxSGE          uint32  `json:"max_sge,omitempty"`
	MaxCQ           uint32  `json:"max_cq,omitempty"`
	MaxCQE          uint32  `json:"max_cqe,omitempty"`
	Capabilities    string  `json:"capability_flags,omitempty"`
	Ports           []port  `json:"ports,omitempty"`
}

type port struct {
	Port           int    `json:"port"`
	State          string `json:"state"`
	PhysState      string `json:"phys_state"`
	MaxMTU         string `json:"mtu_cap"`
	ActiveMTU      string `json:"mtu"`
	LID            ib.LID `json:"lid"`
	LMC            uint8  `json:"lmc"`
	SMLID          ib.LID `json:"sm_lid"`
	SMSL           uint8  `json:"sm_sl"`
	LinkLayer      string `json:"link_layer"`
	Width          string `json:"active_width"`
	MaxMessage     uint32 `json:"max_message_bytes"`
	CapabilityMask string `json:"capability_mask"`
	BadPKeys       uint32 `json:"bad_pkeys"`
	BadQKeys       uint32 `json:"bad_qkeys"`
	PKeyTableLen   uint16 `json:"pkey_table_length"`
	GIDTableLen    uint32 `json:"gid_table_length"`
	GIDs           []gid  `json:"gids,omitempty"`
}

type gid struct {
	Index int    `json:"index"`
	GID   ib.GID `json:"gid"`
}

func newDevice(d *rdma.Device, a *uverbs.DeviceAttributes) device {
	return device{
		Name: d.Name, Firmware: a.Firmware, NodeGUID: a.NodeGUID, SystemImageGUID: a.SystemImageGUID,
		VendorID: fmt.Sprintf("0x%04x", a.VendorID), PartID: a.VendorPartID, Hardware: fmt.Sprintf("0x%x", a.HardwareVersion),
		BoardID: d.BoardID, PhysicalPorts: a.PhysicalPorts, MaxMR: a.MaxMRSize, MaxQP: a.MaxQP, MaxQPWR: a.MaxQPWR,
		MaxSGE: a.MaxSGE, MaxCQ: a.MaxCQ, MaxCQE: a.MaxCQE, Capabilities: fmt.Sprintf("0x%08x", uint32(a.Caps)),
	}
}

func newPort(num int, a *uverbs.PortAttributes) port {
	link, ok := linkWord(a.LinkLayer)
	if !ok {
		link = fmt.Sprintf("unknown (%d)", a.LinkLayer)
	}
	return port{
		Port: num, State: a.State.String(), PhysState: a.PhysState.String(), MaxMTU: a.MaxMTU.String(), ActiveMTU: a.ActiveMTU.String(),
		LID: a.LID, LMC: a.LMC, SMLID: a.SMLID, SMSL: a.SMSL, LinkLayer: link, Width: a.ActiveWidth.String(),
		MaxMessage: a.MaxMessage, CapabilityMask: fmt.Sprintf("0x%08x", uint32(a.CapMask)),
		BadPKeys: a.BadPKeys, BadQKeys: a.BadQKeys, PKeyTableLen: a.PKeyTableLen, GIDTableLen: a.GIDTableLen,
	}
}

// noteDevice keeps a device for the document.
func (r *report) noteDevice(v device) { r.found.Devices = append(r.found.Devices, v) }

// notePort keeps a port of the last device.
func (r *report) notePort(v port) {
	d := &r.found.Devices[len(r.found.Devices)-1]
	d.Ports = append(d.Ports, v)
}

// problemOf is a message of the tool with its reason, if there is one.
func problemOf(text string, reason error) error {
	if reason == nil {
		return errors.New(text)
	}
	return fmt.Errorf("%s: %w", text, reason)
}
