package total

import (
	"iter"
	"math"
)

// Detail is a counter of PortRcvErrorDetails or PortXmitDiscardDetails, which divide
// PortRcvErrors, PortRcvSwitchRelayErrors and PortXmitDiscards by their causes (IBA
// vol. 1, 16.1.4).
type Detail uint8

// The details.
const (
	LocalPhysicalErrors Detail = iota
	MalformedPktErrors
	BufferOverrunErrors
	DLIDMappingErrors
	VLMappingErrors
	LoopingErrors
	InactiveDiscards
	NeighborMTUDiscards
	SwLifetimeLimitDiscards
	SwHOQLifetimeLimitDiscards

	NumDetails = iota
)

var detailNames = [NumDetails]string{
	"PortLocalPhysicalErrors", "PortMalformedPktErrors", "PortBufferOverrunErrors", "PortDLIDMappingErrors",
	"PortVLMappingErrors", "PortLoopingErrors",
	"PortInactiveDiscards", "PortNeighborMTUDiscards", "PortSwLifetimeLimitDiscards", "PortSwHOQLifetimeLimitDiscards",
}

// String is the name that the C tools print, "PortLocalPhysicalErrors".
func (d Detail) String() string {
	if int(d) < len(detailNames) {
		return detailNames[d]
	}
	return "unknown"
}

// DetailByName finds a detail by the name that the C tools print.
func DetailByName(name string) (Detail, bool) {
	for d := range detailNames {
		if detailNames[d] == name {
			return Detail(d), true
		}
	}
	return 0, false
}

// Details are the details of a port. They are immutable.
type Details struct {
	has       uint16 // bit for bit
	saturated uint16
	raw       [NumDetails]uint16
	values    [NumDetails]uint64
}

// Value is the total of a detail, made as those of Port; false if it was never read.
func (d *Details) Value(of Detail) (uint64, bool) {
	if d == nil || of >= NumDetails || d.has>>of&1 == 0 {
		return 0, false
	}
	return d.values[of], true
}

// IsSaturated reports whether a detail stands at the end of its field, and counts no
// more until somebody resets it.
func (d *Details) IsSaturated(of Detail) bool { return d != nil && d.saturated>>of&1 != 0 }

// All yields the details that have been read, in order.
func (d *Details) All() iter.Seq2[Detail, uint64] {
	return func(yield func(Detail, uint64) bool) {
		for of := range Detail(NumDetails) {
			if n, ok := d.Value(of); ok && !yield(of, n) {
				return
			}
		}
	}
}

// set takes in a reading.
func (d *Details) set(of Detail, now uint16) {
	bit := uint16(1) << of
	switch {
	case d.has&bit == 0:
		d.values[of] = uint64(now)
	case now >= d.raw[of]:
		d.values[of] = plus(d.values[of], uint64(now-d.raw[of]))
	default: // somebody has reset it
		d.values[of] = plus(d.values[of], uint64(now))
	}
	d.raw[of] = now
	d.has |= bit
	d.saturated &^= bit
	if now == math.MaxUint16 {
		d.saturated |= bit
	}
}
