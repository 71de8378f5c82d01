package umad

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// Port chooses a port as libibumad does. A name with a port number (not 0) is
// taken as it is, whatever the state of the port. Else, of the ports that fit the
// name ("" for any) or the number (0 for any), it is the first of the best kind:
//
//   - Active, or port 0 of a switch;
//   - physical LinkUp;
//   - any physical state but Disabled;
//   - a RoCE port, which has general services only: when the name or the number
//     leaves no InfiniBand port.
//
// libibumad takes a RoCE port that comes before an InfiniBand port that is not
// active; this does not. Errors wrap unix.ENODEV (no such device, or no port that
// can be used), unix.EINVAL (the device has no port with that number).
func (h Host) Port(ctx context.Context, ca string, num int) (*rdma.Port, error) {
	s, err := h.survey(ctx, ca)
	if err != nil {
		return nil, err
	}
	return s.choose(ca, num, func(*rdma.Port) bool { return true })
}

// survey is what there is to choose from.
type survey struct {
	cas     []*rdma.Device
	readErr error // what could not be read
}

// survey lists the devices, and makes sure that the named one is among them.
func (h Host) survey(ctx context.Context, ca string) (*survey, error) {
	all, readErr := h.devices(ctx)
	if err := ctx.Err(); err != nil {
		return nil, &Error{Op: "find", Device: deviceText(ca), Err: err}
	}
	if ca != "" {
		if _, err := find(all, readErr, ca); err != nil {
			return nil, err
		}
	}
	cas := slices.DeleteFunc(all, func(d *rdma.Device) bool { return !d.NodeType.IsIB() })
	slices.SortFunc(cas, rdma.ByBytes)
	return &survey{cas, readErr}, nil
}

// choose applies the rules of Host.Port. Ports that do not fit are passed over
// unless they are asked for by name and number.
func (s *survey) choose(ca string, num int, fits func(*rdma.Port) bool) (*rdma.Port, error) {
	var best *rdma.Port
	var bestRank rank
	for _, d := range s.cas {
		if ca != "" && d.Name != ca {
			continue
		}
		if ca != "" && num != 0 {
			return namedPort(d, num)
		}
		for _, p := range d.Ports {
			onSwitch := d.NodeType == rdma.NodeSwitch
			if num != 0 && p.Num != num && !onSwitch {
				continue
			}
			if r := rankOf(p, onSwitch); r > bestRank && fits(p) {
				best, bestRank = p, r
			}
		}
	}
	if best == nil || bestRank < usable && s.hasInfiniBand(ca, num) {
		return nil, s.noPort(ca, num)
	}
	return best, nil
}

func namedPort(d *rdma.Device, num int) (*rdma.Port, error) {
	if p, ok := d.Port(num); ok {
		return p, nil
	}
	return nil, &Error{Op: "find", Device: d.Name, Port: num, Err: withClass(unix.EINVAL, fmt.Errorf("no such port")), Hint: portList(d)}
}

// portList is a hint that tells the ports a device has.
func portList(d *rdma.Device) string {
	var nums []string
	for _, p := range d.Ports {
		nums = append(nums, fmt.Sprint(p.Num))
	}
	switch len(nums) {
	case 0:
		return "the device has no ports"
	case 1:
		return "the device has port " + nums[0] + " only"
	}
	return "the device has ports " + strings.Join(nums, ", ")
}

// noPort is the error when nothing can be chosen.
func (s *survey) noPort(ca string, num int) error {
	hint := "a port can be named to be used all the same, as mlx5_0/1"
	if len(s.cas) == 0 {
		hint = known(nil)
	}
	return &Error{
		Op: "find", Device: deviceText(ca), Port: num, Hint: hint,
		Err: withClass(unix.ENODEV, reason(s.readErr, "no InfiniBand port that is not disabled")),
	}
}

// deviceText is how errors name the wish for any device.
func deviceText(ca string) string {
	if ca == "" {
		return "any device"
	}
	return ca
}

// hasInfiniBand reports whether there is a port on an InfiniBand fabric among
// those that are asked for.
func (s *survey) hasInfiniBand(ca string, num int) bool {
	for _, d := range s.cas {
		if ca != "" && d.Name != ca {
			continue
		}
		for _, p := range d.Ports {
			if p.LinkLayer.IsInfiniBand() && (num == 0 || p.Num == num) {
				return true
			}
		}
	}
	return false
}

// rank is how well a port serves when none is named.
type rank int

const (
	unfit      rank = iota
	roce            // no subnet management
	roceActive      //
	usable
	linkUp
	active
)

func rankOf(p *rdma.Port, onSwitch bool) rank {
	inUse := p.State == ib.PortActive
	switch {
	case onSwitch:
		if p.Num == 0 {
			return active
		}
		return unfit
	case p.LinkLayer.IsInfiniBand() && inUse:
		return active
	case p.PhysState == ib.PhysDisabled && !inUse:
		return unfit
	case !p.LinkLayer.IsInfiniBand() && inUse:
		return roceActive
	case !p.LinkLayer.IsInfiniBand():
		return roce
	case p.PhysState == ib.PhysLinkUp:
		return linkUp
	}
	return usable
}
