// Package mlnx holds the vendor attributes of NVIDIA (Mellanox) devices in
// management class 0x0a, whose data begins at byte 24 of the MAD.
//
// Each attribute is one struct whose tags are the only place where its layout
// stands; see internal/madgen. libibmad does not print these; the names of
// fields in dumps are our own.
//
//mad:class 0x0a
package mlnx

//go:generate go run ../../../internal/madgen -dir .
