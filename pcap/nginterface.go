package pcap

import (
	"math"
	"time"
)

// ngInterface is what a section says of an interface.
type ngInterface struct {
	link   uint32
	name   string
	unit   uint64 // ticks of a second
	offset int64  // seconds to add
}

// declare reads an interface block.
func (f *ngFormat) declare(r *Reader) error {
	if len(f.body) < 8 || len(f.interfaces) == maxInterfaces {
		return r.fail("read interface", ErrFormat)
	}
	i := ngInterface{link: uint32(r.order.Uint16(f.body)), unit: 1e6}
	for code, value := range options(r.order, f.body[8:]) {
		switch {
		case code == optionName:
			i.name = cut(string(value))
		case code == optionResolution && len(value) == 1:
			i.unit = ticks(value[0])
		case code == optionOffset && len(value) == 8:
			i.offset = int64(r.order.Uint64(value))
		}
	}
	f.interfaces = append(f.interfaces, i)
	return nil
}

// ticks is how many units a second has: a power of ten, or of two with the top bit
// set. 0 is one that cannot be.
func ticks(resolution uint8) uint64 {
	exponent := int(resolution &^ 0x80)
	if resolution&0x80 != 0 && exponent < 64 {
		return 1 << exponent
	}
	if resolution&0x80 != 0 || exponent > 19 {
		return 0
	}
	n := uint64(1)
	for range exponent {
		n *= 10
	}
	return n
}

// time is the time of a packet. One beyond all bounds is the zero time.
func (i *ngInterface) time(at uint64) time.Time {
	if i.unit == 0 {
		return time.Time{}
	}
	seconds, fraction := at/i.unit, at%i.unit
	if seconds > math.MaxUint32 || i.offset > math.MaxUint32 || i.offset < -math.MaxUint32 {
		return time.Time{}
	}
	nanos := float64(fraction) / float64(i.unit) * 1e9
	if 1e9%i.unit == 0 {
		nanos = float64(fraction * (1e9 / i.unit))
	}
	return time.Unix(int64(seconds)+i.offset, int64(nanos))
}
