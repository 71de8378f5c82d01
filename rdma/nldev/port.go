package nldev

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// Port is what the kernel tells of a port.
type Port struct {
	Device    uint32 // index
	Num       int    // from 1
	State     ib.PortState
	PhysState ib.PhysState

	// HasFabric reports whether the kernel told the following, as it does for
	// InfiniBand and Omni-Path ports.
	HasFabric    bool
	CapMask      uint32 // PortInfo.CapabilityMask
	CapMask2     uint16
	SubnetPrefix uint64
	LID          uint32 // 16 bits but on Omni-Path
	SMLID        uint32
	LMC          uint8

	NetDevIndex uint32 // of RoCE and iWARP ports; 0 when not in this namespace
	NetDev      string
}

// Ports lists the ports of a device.
func (c *Client) Ports(ctx context.Context, device uint32) ([]Port, error) {
	op := fmt.Sprintf("list ports of device %d", device)
	bodies, err := c.ask(ctx, cmdPortGet, flagDump, func(e *encoder) { e.uint32(attrDevIndex, device) })
	if err != nil {
		return nil, failed(op, err)
	}
	ports := make([]Port, len(bodies))
	for i, b := range bodies {
		if err := ports[i].parse(b); err != nil {
			return nil, failed(op, err)
		}
	}
	return ports, nil
}

// Port asks for one port. The error wraps unix.EINVAL when there is none.
func (c *Client) Port(ctx context.Context, device uint32, num int) (Port, error) {
	var p Port
	op := fmt.Sprintf("get port %d of device %d", num, device)
	bodies, err := c.ask(ctx, cmdPortGet, 0, func(e *encoder) {
		e.uint32(attrDevIndex, device)
		e.uint32(attrPortIndex, uint32(num))
	})
	if err == nil && len(bodies) == 0 {
		err = errNoAnswer
	}
	if err == nil {
		err = p.parse(bodies[0])
	}
	return p, failed(op, err)
}

func (p *Port) parse(b []byte) error {
	return decode(b, func(a attribute) {
		switch a.typ {
		case attrDevIndex:
			p.Device = uint32(a.number(32))
		case attrPortIndex:
			p.Num = int(a.number(31))
		case attrPortState:
			p.State = ib.PortState(a.number(8))
		case attrPortPhysState:
			p.PhysState = ib.PhysState(a.number(8))
		case attrNetDevIndex:
			p.NetDevIndex = uint32(a.number(32))
		case attrNetDevName:
			p.NetDev = a.text()
		default:
			p.parseFabric(a)
		}
	})
}

// parseFabric reads the attributes of ports that a subnet manager manages.
func (p *Port) parseFabric(a attribute) {
	switch a.typ {
	case attrCapFlags:
		v := a.number(64) // CapabilityMask, above it CapabilityMask2
		p.CapMask, p.CapMask2 = uint32(v), uint16(v>>32)
	case attrSubnetPrefix:
		p.SubnetPrefix = a.number(64)
	case attrLID:
		p.LID = uint32(a.number(32))
		p.HasFabric = true
	case attrSMLID:
		p.SMLID = uint32(a.number(32))
	case attrLMC:
		p.LMC = uint8(a.number(8))
	}
}
