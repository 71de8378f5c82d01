package fabric

import "strings"

const (
	mellanoxIS4       = 0xbd36 // InfiniScale IV, the switch chip of modules with a place in their name
	mellanoxExternals = 18     // the ports of a line board that are on the front panel: 1…18
	mellanoxTypeLen   = 19     // as much of the type as libibnetdisc keeps
)

// placeMellanox finds the slot of an InfiniScale IV switch by its description.
func (g *grouper) placeMellanox(n *Node) {
	if n.Info().DeviceID != mellanoxIS4 {
		return
	}
	slot, ok := parseModuleName(n.Description())
	if !ok {
		return
	}
	limit := maxLines
	if slot.Kind == SlotSpine {
		limit = maxSpines
	}
	if slot.Number < 1 || slot.Number > limit {
		g.complain(n, "says that it is in slot %d; %s slots are 1 to %d", slot.Number, slot.Kind, limit)
		return
	}
	g.found[n.index] = true
	n.slot = slot
	if slot.Kind != SlotLine {
		return
	}
	for num := 1; num <= mellanoxExternals; num++ {
		if p := n.Port(num); p != nil {
			p.external = p.num
		}
	}
}

// parseModuleName reads the description of a module in a Mellanox director
// switch, MF0;<system>:<type>/<slot>[:<board>]/U<chip>, where the slot is L or
// S with a number.
func parseModuleName(desc string) (Slot, bool) {
	rest, isModule := strings.CutPrefix(desc, "MF0;")
	_, rest, hasType := strings.Cut(rest, ":")
	chassis, rest, hasPlace := strings.Cut(rest, "/")
	place, chip, hasChip := strings.Cut(rest, "/")
	place, _, _ = strings.Cut(place, ":")
	if !isModule || !hasType || !hasPlace || !hasChip || !strings.HasPrefix(chip, "U") || place == "" {
		return Slot{}, false
	}
	slot := Slot{Number: leadingNumber(place[1:]), Chip: leadingNumber(chip[1:]), Type: chassis}
	if len(slot.Type) > mellanoxTypeLen {
		slot.Type = slot.Type[:mellanoxTypeLen]
	}
	switch place[0] {
	case 'L':
		slot.Kind = SlotLine
	case 'S':
		slot.Kind = SlotSpine
	}
	return slot, slot.Kind != SlotNone
}

// leadingNumber is the decimal number that s begins with, 0 when there is none
// or it is beyond 255.
func leadingNumber(s string) int {
	v := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if v = v*10 + int(s[i]-'0'); v > 255 {
			return 0
		}
	}
	return v
}

func (g *grouper) seatMellanox(n *Node, c *Chassis) {
	switch n.slot.Kind {
	case SlotLine:
		g.seat(&c.Lines, maxLines, n.slot.Number, n, c)
	case SlotSpine:
		g.seat(&c.Spines, maxSpines, n.slot.Number, n, c)
	}
}
