package ib

import "strings"

// LinkSpeed is a set of lane speeds, or one of them. It joins the three places
// where the specification and vendors put speeds, so that all generations can
// be compared and no code is lost:
//
//	bits 0–3   PortInfo.LinkSpeed…       SDR 1, DDR 2, QDR 4
//	bit  4     Mellanox ExtendedPortInfo FDR10
//	bits 8–12  PortInfo.LinkSpeedExt…    FDR 1, EDR 2, HDR 4, NDR 8
//	bits 13–15 PortInfo.LinkSpeedExt…2   XDR 1
type LinkSpeed uint16

// The speeds.
const (
	SpeedSDR   LinkSpeed = 1 << 0
	SpeedDDR   LinkSpeed = 1 << 1
	SpeedQDR   LinkSpeed = 1 << 2
	SpeedFDR10 LinkSpeed = 1 << 4
	SpeedFDR   LinkSpeed = 1 << 8
	SpeedEDR   LinkSpeed = 1 << 9
	SpeedHDR   LinkSpeed = 1 << 10
	SpeedNDR   LinkSpeed = 1 << 11
	SpeedXDR   LinkSpeed = 1 << 13
)

// speedOrder lists the speeds from the slowest to the fastest. Mbps is what
// one lane signals.
var speedOrder = [...]struct {
	bit  LinkSpeed
	name string
	mbps float64
	data float64 // Mb/s of data after the line code
}{
	{SpeedSDR, "SDR", 2500, 2000},
	{SpeedDDR, "DDR", 5000, 4000},
	{SpeedQDR, "QDR", 10000, 8000},
	{SpeedFDR10, "FDR10", 10312.5, 10000},
	{SpeedFDR, "FDR", 14062.5, 14062.5 * 64 / 66},
	{SpeedEDR, "EDR", 25781.25, 25000},
	{SpeedHDR, "HDR", 53125, 50000},
	{SpeedNDR, "NDR", 106250, 100000},
	{SpeedXDR, "XDR", 212500, 200000},
}

// SpeedFrom joins the codes of PortInfo.LinkSpeed…, LinkSpeedExt… and
// LinkSpeedExt…2 as they stand in the attribute.
func SpeedFrom(speed, ext, ext2 uint8) LinkSpeed {
	return LinkSpeed(speed&0xf) | LinkSpeed(ext&0x1f)<<8 | LinkSpeed(ext2&0x7)<<13
}

// Base is the code for PortInfo.LinkSpeed….
func (s LinkSpeed) Base() uint8 { return uint8(s & 0xf) }

// Ext is the code for PortInfo.LinkSpeedExt….
func (s LinkSpeed) Ext() uint8 { return uint8(s >> 8 & 0x1f) }

// Ext2 is the code for PortInfo.LinkSpeedExt…2.
func (s LinkSpeed) Ext2() uint8 { return uint8(s >> 13) }

// Max is the fastest of the speeds in s, 0 if it holds none that is known.
func (s LinkSpeed) Max() LinkSpeed {
	var fastest LinkSpeed
	for _, o := range speedOrder {
		if s&o.bit != 0 {
			fastest = o.bit
		}
	}
	return fastest
}

// LaneMbps is the signalling rate of one lane in Mb/s (2500 for SDR), and 0
// for anything but a single known speed.
func (s LinkSpeed) LaneMbps() float64 {
	for _, o := range speedOrder {
		if o.bit == s {
			return o.mbps
		}
	}
	return 0
}

// Rank orders single speeds: 1 for SDR … 9 for XDR, 0 for anything else.
func (s LinkSpeed) Rank() int {
	for i, o := range speedOrder {
		if o.bit == s {
			return i + 1
		}
	}
	return 0
}

// RateGbps is the data rate of a link in Gb/s after its line code, 0 when
// width or speed is not a single known value: 4x EDR gives 100, 4x QDR 32.
func RateGbps(w LinkWidth, s LinkSpeed) float64 {
	for _, o := range speedOrder {
		if o.bit == s {
			return float64(w.Lanes()) * o.data / 1000
		}
	}
	return 0
}

// String is "EDR" for one speed, "SDR or DDR or QDR" for several, "none" for
// 0; undefined bits are added as "unknown (N)".
func (s LinkSpeed) String() string {
	if s == 0 {
		return "none"
	}
	var names []string
	rest := s
	for _, o := range speedOrder {
		if s&o.bit != 0 {
			names = append(names, o.name)
			rest &^= o.bit
		}
	}
	if rest != 0 {
		names = append(names, unknownText(uint64(rest)))
	}
	return strings.Join(names, " or ")
}

// ParseLinkSpeed reads what String writes, in any case.
func ParseLinkSpeed(text string) (LinkSpeed, error) {
	var s LinkSpeed
	if text == "none" {
		return 0, nil
	}
next:
	for name := range strings.SplitSeq(text, " or ") {
		for _, o := range speedOrder {
			if strings.EqualFold(name, o.name) {
				s |= o.bit
				continue next
			}
		}
		v, err := parseUnknown(name, 16)
		if err != nil {
			return 0, &ParseError{Kind: "link speed", Text: text}
		}
		s |= LinkSpeed(v)
	}
	return s, nil
}

// MarshalText implements encoding.TextMarshaler.
func (s LinkSpeed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *LinkSpeed) UnmarshalText(b []byte) error {
	v, err := ParseLinkSpeed(string(b))
	*s = v
	return err
}
