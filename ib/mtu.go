package ib

// MTU is the code of a maximum transfer unit (IBA vol. 1, 9.5).
type MTU uint8

// The MTU codes.
const (
	MTU256  MTU = 1
	MTU512  MTU = 2
	MTU1024 MTU = 3
	MTU2048 MTU = 4
	MTU4096 MTU = 5
)

var mtuNames = enumNames{"", "256", "512", "1024", "2048", "4096"}

// Bytes is the size, 0 for an undefined code.
func (m MTU) Bytes() int {
	if m < MTU256 || m > MTU4096 {
		return 0
	}
	return 128 << m
}

// String is the size in bytes, or "unknown (N)".
func (m MTU) String() string { return mtuNames.text(uint8(m)) }

// MarshalText implements encoding.TextMarshaler.
func (m MTU) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// VLCap is the code of a number of data virtual lanes (PortInfo.VLCap, OperVLs).
type VLCap uint8

var vlCapNames = enumNames{"", "VL0", "VL0-1", "VL0-3", "VL0-7", "VL0-14"}

// Lanes is the number of data VLs, 0 for an undefined code.
func (c VLCap) Lanes() int {
	switch {
	case c == 5:
		return 15
	case c >= 1 && c <= 4:
		return 1 << (c - 1)
	}
	return 0
}

// String is "VL0", "VL0-1" … "VL0-14", or "unknown (N)".
func (c VLCap) String() string { return vlCapNames.text(uint8(c)) }

// MarshalText implements encoding.TextMarshaler.
func (c VLCap) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
