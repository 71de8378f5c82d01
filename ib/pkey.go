package ib

import "fmt"

// PKey is a partition key (IBA vol. 1, 10.9.1): 15 bits of partition number
// and the membership bit.
type PKey uint16

// DefaultPKey is the default partition with full membership.
const DefaultPKey PKey = 0xffff

// IsFull reports whether the key grants full membership.
func (k PKey) IsFull() bool { return k&0x8000 != 0 }

// Partition is the key without its membership bit.
func (k PKey) Partition() uint16 { return uint16(k & 0x7fff) }

// String gives the form 0xffff.
func (k PKey) String() string { return fmt.Sprintf("0x%04x", uint16(k)) }

// MarshalText implements encoding.TextMarshaler.
func (k PKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
