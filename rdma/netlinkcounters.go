package rdma

import (
	"context"
	"errors"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// netlinkCounters reads the driver's counters by netlink. EINVAL means that the
// driver has none.
func (p *Port) netlinkCounters(ctx context.Context, dial func(Host) (*nldev.Client, error)) (Counters, error) {
	var all Counters
	c, err := dial(p.device().host)
	if err != nil {
		return all, p.netlinkFault(err)
	}
	defer c.Close()
	list, err := c.Counters(ctx, uint32(p.device().Index), p.Num)
	if err != nil && !errors.Is(err, unix.EINVAL) {
		return all, p.netlinkFault(err)
	}
	for _, n := range list {
		all.List = append(all.List, driverCounter(n.Name, n.Value))
	}
	all.sort()
	return all, nil
}

func (p *Port) netlinkFault(err error) error {
	return &Error{Op: "netlink", Device: p.Device, Port: p.Num, Attribute: "counters", Err: err}
}
