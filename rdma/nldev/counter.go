package nldev

import (
	"context"
	"fmt"

	"github.com/mdlayher/netlink"
)

// Counter is a counter of a driver; the names are the driver's own, those of
// hw_counters in sysfs.
type Counter struct {
	Name  string
	Value uint64
}

// Counters reads the driver's counters of a port, in its order. The error wraps
// unix.EINVAL when the driver has none, and before Linux 5.3.
func (c *Client) Counters(ctx context.Context, device uint32, num int) ([]Counter, error) {
	op := fmt.Sprintf("get counters of port %d of device %d", num, device)
	bodies, err := c.ask(ctx, cmdStatGet, 0, func(ae *netlink.AttributeEncoder) {
		ae.Uint32(attrDevIndex, device)
		ae.Uint32(attrPortIndex, uint32(num))
	})
	if err == nil && len(bodies) == 0 {
		err = errNoAnswer
	}
	var counters []Counter
	if err == nil {
		counters, err = parseCounters(bodies[0])
	}
	return counters, failed(op, err)
}

func parseCounters(b []byte) ([]Counter, error) {
	var counters []Counter
	err := decode(b, func(ad *netlink.AttributeDecoder) {
		if ad.Type() != attrHWCounters {
			return
		}
		ad.Do(func(nest []byte) error {
			return decode(nest, func(ad *netlink.AttributeDecoder) {
				if ad.Type() == attrHWCounter {
					ad.Do(func(entry []byte) error {
						var c Counter
						err := c.parse(entry)
						counters = append(counters, c)
						return err
					})
				}
			})
		})
	})
	return counters, err
}

func (c *Counter) parse(b []byte) error {
	return decode(b, func(ad *netlink.AttributeDecoder) {
		switch ad.Type() {
		case attrHWCounterName:
			c.Name = ad.String()
		case attrHWCounterValue:
			c.Value = number(ad, 64)
		}
	})
}
