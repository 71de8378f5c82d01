package congestion

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/madrpc"
)

// Agent is the congestion control agent of a port.
type Agent struct {
	Client *madrpc.Client
	Target mad.Target // needs a LID
	Key    uint64     // CC_Key of the requests
}

// Error is something that an agent does not have.
type Error struct {
	Op     string // "read port"
	Target mad.Target
	Detail string
}

func (e *Error) Error() string { return fmt.Sprintf("%s of %s: %s", e.Op, e.Target, e.Detail) }

// Get reads an attribute of package mad/cc.
func (a *Agent) Get(ctx context.Context, v madrpc.Attribute, modifier uint32) error {
	return madrpc.Get(ctx, a.Client, a.Target, modifier, v, a.sign)
}

// Set writes one, and sets v to what the agent has made of it.
func (a *Agent) Set(ctx context.Context, v madrpc.Attribute, modifier uint32) error {
	return madrpc.Set(ctx, a.Client, a.Target, modifier, v, a.sign)
}

func (a *Agent) sign(p *mad.Packet) { p.SetClassKey(a.Key) }

// portBlock is where the setting of a switch port stands.
func portBlock(num int) (block uint32, index int) {
	return uint32(num / cc.PortsPerBlock), num % cc.PortsPerBlock
}

// Port reads the setting of one port of a switch, 0…255.
func (a *Agent) Port(ctx context.Context, num int) (cc.PortSetting, error) {
	if num < 0 || num > 255 {
		return cc.PortSetting{}, a.noPort("read congestion setting", num)
	}
	block, index := portBlock(num)
	var v cc.SwitchPortCongestionSetting
	err := a.Get(ctx, &v, block)
	return v.Ports[index], err
}

// Ports reads the settings of ports 0…last of a switch. After an error it gives
// those of the blocks before.
func (a *Agent) Ports(ctx context.Context, last int) ([]cc.PortSetting, error) {
	if last < 0 || last > 255 {
		return nil, a.noPort("read congestion settings", last)
	}
	var all []cc.PortSetting
	for len(all) <= last {
		var v cc.SwitchPortCongestionSetting
		if err := a.Get(ctx, &v, uint32(len(all)/cc.PortsPerBlock)); err != nil {
			return all, err
		}
		all = append(all, v.Ports[:]...)
	}
	return all[:last+1], nil
}

// PortBlock reads the block that holds a port of a switch, and puts setting into
// it: before and after are the data of the block, modifier its number.
func (a *Agent) PortBlock(ctx context.Context, num int, setting cc.PortSetting) (before, after cc.SwitchPortCongestionSetting, modifier uint32, err error) {
	if num < 0 || num > 255 {
		return before, after, 0, a.noPort("change congestion setting", num)
	}
	modifier, index := portBlock(num)
	if err = a.Get(ctx, &before, modifier); err != nil {
		return before, after, modifier, err
	}
	after = before
	after.Ports[index] = setting
	return before, after, modifier, nil
}

func (a *Agent) noPort(op string, num int) error {
	return &Error{Op: op, Target: a.Target, Detail: fmt.Sprintf("no port has the number %d, the largest is 255", num)}
}
