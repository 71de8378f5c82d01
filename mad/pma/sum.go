package pma

import (
	"fmt"

	"github.com/ibscope/ibscope/mad/field"
)

// SelectPort writes the port that a request is about: a number, or AllPorts. It
// fails for an attribute without PortSelect, such as PortSamplesResult.
func SelectPort(v field.Value, port uint8) error {
	return write(v, func(data []byte) error { return set(v, data, "PortSelect", uint64(port)) })
}

// SelectCounters makes v, whatever it holds, the data of a Set that resets
// counters of a port: those whose Select… bits are in mask. Bits from 16 on go
// to CounterSelect2 where the attribute has one, and are dropped where it has not.
func SelectCounters(v field.Value, port uint8, mask uint64) error {
	return write(v, func(data []byte) error {
		clear(data)
		if err := set(v, data, "CounterSelect", mask); err != nil {
			return err
		}
		if f, ok := find(v.Fields(), "CounterSelect2"); ok {
			f.SetUint(data, mask>>16&f.Max())
		}
		return set(v, data, "PortSelect", uint64(port))
	})
}

// Add adds the counters of v to those of sum, a value of the same type. As
// counters do, sums stop at their largest value. What is no counter is taken
// from v.
func Add(sum, v field.Value) error {
	data, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	return write(sum, func(total []byte) error {
		if len(total) != len(data) || sum.AttrID() != v.AttrID() {
			return fmt.Errorf("cannot add attribute %#04x to attribute %#04x", uint16(v.AttrID()), uint16(sum.AttrID()))
		}
		fields := v.Fields()
		for i := range fields {
			f := &fields[i]
			for j := range f.Elements() {
				e := f.Element(j)
				n := e.Uint(data)
				if e.Mask != 0 {
					n += min(e.Uint(total), e.Max()-n)
				}
				e.SetUint(total, n)
			}
		}
		return nil
	})
}

// write changes the wire form of v.
func write(v field.Value, change func(data []byte) error) error {
	data, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := change(data); err != nil {
		return err
	}
	return v.UnmarshalBinary(data)
}

// set writes the low bits of n to the field of that name.
func set(v field.Value, data []byte, name string, n uint64) error {
	f, ok := find(v.Fields(), name)
	if !ok || f.Count != 0 {
		return fmt.Errorf("attribute %#04x has no %s", uint16(v.AttrID()), name)
	}
	f.SetUint(data, n&f.Max())
	return nil
}

func find(t field.Table, name string) (*field.Field, bool) {
	for i := range t {
		if t[i].Go == name {
			return &t[i], true
		}
	}
	return nil, false
}
