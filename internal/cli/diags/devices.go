package diags

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/rdma"
)

// Device is a device of this machine as data, for the tools that list some.
type Device struct {
	Name            string       `json:"name"`
	NodeType        string       `json:"node_type,omitempty"`
	HCAType         string       `json:"hca_type,omitempty"`
	Firmware        string       `json:"firmware,omitempty"`
	Hardware        string       `json:"hardware_revision,omitempty"`
	NodeGUID        ib.GUID      `json:"node_guid,omitzero"`
	SystemImageGUID ib.GUID      `json:"system_image_guid,omitzero"`
	Ports           []DevicePort `json:"ports,omitempty"`
}

// DevicePort is a port of it, in the words of the kernel.
type DevicePort struct {
	Port           int     `json:"port"`
	State          string  `json:"state,omitempty"`
	PhysState      string  `json:"phys_state,omitempty"`
	Rate           string  `json:"rate,omitempty"`
	LinkLayer      string  `json:"link_layer,omitempty"`
	GUID           ib.GUID `json:"guid,omitzero"`
	GID            string  `json:"gid,omitempty"`
	LID            *int    `json:"lid,omitempty"`
	LMC            *int    `json:"lmc,omitempty"`
	SMLID          *int    `json:"sm_lid,omitempty"`
	CapabilityMask string  `json:"capability_mask,omitempty"`
}

// DeviceOf is d with those of its ports that are wanted.
func DeviceOf(d *rdma.Device, wanted func(*rdma.Port) bool) Device {
	v := Device{
		Name: d.Name, NodeType: d.NodeType.String(), HCAType: d.HCAType, Firmware: d.Firmware,
		Hardware: d.HardwareRevision, NodeGUID: d.NodeGUID, SystemImageGUID: d.SystemImageGUID,
	}
	for _, p := range d.Ports {
		if wanted(p) {
			v.Ports = append(v.Ports, devicePortOf(p))
		}
	}
	return v
}

func devicePortOf(p *rdma.Port) DevicePort {
	lid, lmc, smLID := int(p.LID), int(p.LMC), int(p.SMLID)
	v := DevicePort{
		Port: p.Num, State: p.State.String(), PhysState: p.PhysState.String(), LinkLayer: string(p.LinkLayer),
		GUID: p.GUID(), LID: &lid, LMC: &lmc, SMLID: &smLID, CapabilityMask: p.CapMask.String(),
	}
	if rate, err := p.Attribute("rate"); err == nil {
		v.Rate = strings.TrimSpace(rate)
	}
	if gid, err := p.Attribute("gids/0"); err == nil {
		v.GID = strings.TrimSpace(gid)
	}
	return v
}

// CutOutput takes --output from the arguments of a tool whose C form has no
// options like the others: it has to be spelled out, and comes first. The Common
// prints documents, and is nil where none is wanted.
func (t *Tool) CutOutput(e *env.Env) (c *Common, rest []string, err error) {
	rest = slices.Clone(e.Args[min(1, len(e.Args)):])
	value := ""
	switch {
	case len(rest) > 1 && rest[0] == "--output":
		value, rest = rest[1], rest[2:]
	case len(rest) > 0 && strings.HasPrefix(rest[0], "--output="):
		value, rest = strings.TrimPrefix(rest[0], "--output="), rest[1:]
	default:
		return nil, rest, nil
	}
	c = &Common{env: e, tool: t}
	if err := c.setOutput(value); err != nil {
		return nil, rest, err
	}
	if !c.JSON {
		return nil, rest, nil
	}
	return c, rest, nil
}
