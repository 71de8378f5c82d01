// Package block is the rates of many ports as bytes: how history stores a pass over the
// counters, and what becomes of it.
package block

import "math"

// A rate is stored in 16 bits: 0, or 6 bits of exponent from 2^-20 to 2^43 and 10 bits
// of mantissa. So it is right to 0.05 %, and whole numbers up to 2048 are exact.

const (
	unknownRate = 0xffff
	rateBias    = (1023 - 20) << 10 // what IEEE 754 has in front of the first value, less 1
)

// packRate stores a value; a negative one, or none, is not known.
func packRate(v float64) uint16 {
	switch {
	case v < 0 || math.IsNaN(v):
		return unknownRate
	case v == 0:
		return 0
	}
	const half = 1 << 41
	code := int64((math.Float64bits(v)+half)>>42) - rateBias
	return uint16(max(1, min(code, unknownRate-1)))
}

// unpackRate gives the value, -1 for one that is not known.
func unpackRate(code uint16) float64 {
	switch code {
	case unknownRate:
		return -1
	case 0:
		return 0
	}
	return math.Float64frombits((uint64(code) + rateBias) << 42)
}
