package snapshot

import "slices"

// sample is where the counters belong that have been read: the fabric may come
// later in the file.
type sample struct {
	node   int
	line   int
	offset int64
}

// counters reads the counters of a port.
func (d *decoder) counters(_ int, value []byte) error {
	var c PortCounters
	s := sample{node: -1, line: d.startLine, offset: d.startOffset}
	err := eachMember(value, func(key, value []byte) (err error) {
		switch string(key) {
		case `"node"`:
			err = put(&s.node, value, maxNodes)
		case `"port"`:
			err = put(&c.Port, value, 255)
		case `"cap_mask"`:
			c.HasMasks = true
			err = putHex(&c.CapMask, value, 16)
		case `"cap_mask2"`:
			err = putHex(&c.CapMask2, value, 32)
		case `"before"`:
			err = putTime(&c.Before, value)
		case `"after"`:
			err = putTime(&c.After, value)
		case `"values"`:
			err = d.counterValues(&c, value)
		case `"saturated"`:
			err = eachElement(value, func(value []byte) error {
				s, err := text(value)
				c.Saturated = append(c.Saturated, s)
				return err
			})
		default:
			err = d.keepIn(&c.extra, key, value)
		}
		return inMember("counters", key, err)
	})
	d.samples = append(d.samples, s)
	d.s.Counters = append(d.s.Counters, c)
	return err
}

// counterValues reads the counters themselves. Ports with the same ones in the same
// order share the names.
func (d *decoder) counterValues(c *PortCounters, value []byte) error {
	same := true
	err := eachMember(value, func(key, value []byte) error {
		v, err := number(value, 1<<64-1)
		if err != nil {
			return inMember("counters", key, err)
		}
		if d.values++; d.values > maxValues {
			return tooLarge("more than %d counters", maxValues)
		}
		i := len(c.Values)
		if same && i < len(d.names) && string(key[1:len(key)-1]) == d.names[i] {
			c.Values = append(c.Values, v)
			return nil
		}
		if same {
			same, c.Names = false, slices.Clone(d.names[:i])
		}
		c.Names = append(c.Names, name(key))
		c.Values = append(c.Values, v)
		return nil
	})
	if same {
		c.Names = d.names[:len(c.Values)]
	}
	d.names = c.Names
	c.Values = slices.Clip(c.Values)
	return err
}

// assign finds the nodes of the counters.
func (d *decoder) assign() error {
	for i, s := range d.samples {
		if s.node < 0 || s.node >= len(d.swept.nodes) {
			d.startLine, d.startOffset = s.line, s.offset
			return bad("counters of node %d of %d", s.node, len(d.swept.nodes))
		}
		c := &d.s.Counters[i]
		c.Node = d.swept.nodes[s.node]
		if c.Port > c.Node.NumPorts() && c.Port != 255 {
			d.startLine, d.startOffset = s.line, s.offset
			return bad("counters of port %d of a node with %d ports", c.Port, c.Node.NumPorts())
		}
	}
	return nil
}
