package ib

import "strings"

// LinkWidth is a set of link widths (PortInfo.LinkWidthSupported, Enabled) or
// one of them (LinkWidthActive).
type LinkWidth uint8

// The widths, in lanes. 2x came last and has the highest code.
const (
	Width1x  LinkWidth = 1
	Width4x  LinkWidth = 2
	Width8x  LinkWidth = 4
	Width12x LinkWidth = 8
	Width2x  LinkWidth = 16
)

// widthOrder lists the widths from the narrowest to the widest.
var widthOrder = [...]struct {
	bit   LinkWidth
	lanes int
	name  string
}{{Width1x, 1, "1x"}, {Width2x, 2, "2x"}, {Width4x, 4, "4x"}, {Width8x, 8, "8x"}, {Width12x, 12, "12x"}}

// Lanes is the number of lanes of a single width, and 0 for anything else.
func (w LinkWidth) Lanes() int {
	for _, o := range widthOrder {
		if o.bit == w {
			return o.lanes
		}
	}
	return 0
}

// Max is the widest of the widths in w, 0 if it holds none that is known.
func (w LinkWidth) Max() LinkWidth {
	var widest LinkWidth
	for _, o := range widthOrder {
		if w&o.bit != 0 {
			widest = o.bit
		}
	}
	return widest
}

// WidthFromLanes is the width with that many lanes, false if there is none.
func WidthFromLanes(lanes int) (LinkWidth, bool) {
	for _, o := range widthOrder {
		if o.lanes == lanes {
			return o.bit, true
		}
	}
	return 0, false
}

// String is "4x" for one width, "1x or 4x" for several, "none" for 0;
// undefined bits are added as "unknown (N)".
func (w LinkWidth) String() string {
	if w == 0 {
		return "none"
	}
	var names []string
	rest := w
	for _, o := range widthOrder {
		if w&o.bit != 0 {
			names = append(names, o.name)
			rest &^= o.bit
		}
	}
	if rest != 0 {
		names = append(names, unknownText(uint64(rest)))
	}
	return strings.Join(names, " or ")
}

// MarshalText implements encoding.TextMarshaler.
func (w LinkWidth) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *LinkWidth) UnmarshalText(b []byte) error {
	v, err := ParseLinkWidth(string(b))
	*w = v
	return err
}

// ParseLinkWidth reads what String writes; "4X" counts as "4x".
func ParseLinkWidth(s string) (LinkWidth, error) {
	var w LinkWidth
	if s == "none" {
		return 0, nil
	}
next:
	for name := range strings.SplitSeq(s, " or ") {
		for _, o := range widthOrder {
			if strings.EqualFold(name, o.name) {
				w |= o.bit
				continue next
			}
		}
		v, err := parseUnknown(name, 8)
		if err != nil {
			return 0, &ParseError{Kind: "link width", Text: s}
		}
		w |= LinkWidth(v)
	}
	return w, nil
}
