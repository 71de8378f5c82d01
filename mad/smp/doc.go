// Package smp holds the attributes of subnet management (IBA vol. 1, 14.2.5)
// and the vendor attributes that NVIDIA devices answer beside them.
//
// Each attribute is one struct whose tags are the only place where its wire
// layout stands. The generator writes Decode, Encode, the field table for
// dumps and JSON, and the fuzz tests from them; see internal/madgen.
//
// Decode reads the 64-byte data area of a packet. Encode writes only the bits
// that the struct declares, so that Get, change, Set keeps reserved bits.
//
// What an attribute modifier selects is said at each attribute; modifier.go
// has the functions that make one.
//
//mad:class ClassSubnLID
package smp

//go:generate go run ../../internal/madgen -dir .
