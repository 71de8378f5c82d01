package nldev

import (
	"context"
	"fmt"
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
	bodies, err := c.ask(ctx, cmdStatGet, 0, func(e *encoder) {
		e.uint32(attrDevIndex, device)
		e.uint32(attrPortIndex, uint32(num))
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
	err := decode(b, func(a attribute) {
		if a.typ != attrHWCounters {
			return
		}
		a.nest(func(a attribute) {
			if a.typ == attrHWCounter {
				var c Counter
				a.nest(c.parse)
				counters = append(counters, c)
			}
		})
	})
	return counters, err
}

func (c *Counter) parse(a attribute) {
	switch a.typ {
	case attrHWCounterName:
		c.Name = a.text()
	case attrHWCounterValue:
		c.Value = a.number(64)
	}
}
