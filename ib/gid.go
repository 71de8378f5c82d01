package ib

import "encoding/binary"

// GID is a 128-bit global identifier: subnet prefix and interface GUID
// (IBA vol. 1, 4.1.1). On RoCE ports it holds an IPv6 or mapped IPv4 address.
type GID [16]byte

// DefaultSubnetPrefix is the prefix of a subnet that was given none.
const DefaultSubnetPrefix uint64 = 0xfe80_0000_0000_0000

// GIDFrom joins a subnet prefix and a GUID.
func GIDFrom(prefix uint64, guid GUID) GID {
	var g GID
	binary.BigEndian.PutUint64(g[:8], prefix)
	binary.BigEndian.PutUint64(g[8:], uint64(guid))
	return g
}

// ParseGID reads the IPv6 text form.
func ParseGID(s string) (GID, error) {
	a, ok := parseIPv6(s)
	if !ok {
		return GID{}, &ParseError{Kind: "GID", Text: s}
	}
	return a, nil
}

// Prefix is the subnet prefix.
func (g GID) Prefix() uint64 { return binary.BigEndian.Uint64(g[:8]) }

// GUID is the interface identifier.
func (g GID) GUID() GUID { return GUID(binary.BigEndian.Uint64(g[8:])) }

// IsZero reports whether g is unset.
func (g GID) IsZero() bool { return g == GID{} }

// String gives the IPv6 text form, as inet_ntop does: 96 zero bits are followed
// by the form of an IPv4 address, unless 16 more bits are zero.
func (g GID) String() string {
	if g.Prefix() == 0 && g.GUID()>>32 == 0 && g.GUID()>>16 != 0 {
		return string(appendIPv4([]byte("::"), g[12:]))
	}
	return string(appendIPv6(nil, (*[16]byte)(&g)))
}

// MarshalText implements encoding.TextMarshaler.
func (g GID) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; see ParseGID.
func (g *GID) UnmarshalText(b []byte) error {
	v, err := ParseGID(string(b))
	if err != nil {
		return err
	}
	*g = v
	return nil
}
