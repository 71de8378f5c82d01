package fabric

// lineKind is a type of line board of a Voltaire chassis.
type lineKind struct {
	internal int // ports 1…internal lead to spines; the others are external
	external func(chip, port int) int
}

// spineKind is a type of spine board (fabric board) of a Voltaire chassis. Its
// functions give slot and chip, 0 for ports that cannot lead there.
type spineKind struct {
	chassis  string
	chips    int // per slot
	internal int // ports beyond it are external; 0 when all are internal
	// fromLine is the place of the spine whose peer is that port of a line board.
	fromLine func(linePort int) (slot, chip int)
	// toLine is the place of the line board behind a port of the spine.
	toLine func(spinePort int) (slot, chip int)
	// toRouter is the place of the router module behind a port; nil for none.
	toRouter func(spine *Node, spinePort int) (slot, chip int)
	// external is the front panel number of a port; nil when it has none.
	external func(chip, port int) int
}

// lineKindOf is the type of line board with a device ID, nil when it is none.
func lineKindOf(device uint16) *lineKind {
	switch device {
	case 0x5a09, 0x5a34, 0x5a42: // sLB-24, sLB-24-DDR, sRB-2004
		return &lineKind{internal: 12, external: externalLine24}
	case 0x5a0d: // sLB-8
		return &lineKind{internal: 12, external: externalLine8}
	case 0x5a38: // sLB-2024
		return &lineKind{internal: 12, external: externalLine2024}
	case 0x5a5b: // sLB-4018
		return &lineKind{internal: 18, external: externalLine4018}
	}
	return nil
}

// spineKindOf is the type of spine with a device ID, nil when it is none.
func spineKindOf(device uint16) *spineKind {
	switch device {
	case 0x5a0b, 0x5a33: // sFB-4, sFB-4-DDR
		return &spineKind{chassis: "ISR9096", chips: 1, fromLine: spine4, toLine: line4, toRouter: router4}
	case 0x5a40: // sFB-2004
		return &spineKind{chassis: "ISR2004", chips: 1, fromLine: spine4, toLine: line4, toRouter: router4}
	case 0x5a08, 0x5a32: // sFB-12, sFB-12-DDR
		return &spineKind{chassis: "ISR9288", chips: 3, fromLine: spine12, toLine: line12, toRouter: router12}
	case 0x5a37: // sFB-2012
		return &spineKind{chassis: "ISR2012", chips: 3, fromLine: spine12, toLine: line12, toRouter: router12}
	case 0x5a5c: // sFB-4700
		return &spineKind{chassis: "ISR4700", chips: 2, fromLine: spine18, toLine: line18}
	case 0x5a5d: // sFB-4700X2
		return &spineKind{
			chassis: "ISR4700", chips: 2, internal: 18,
			fromLine: spine18x2, toLine: line18x2, external: externalSpine4700X2,
		}
	case 0x5a60: // sFB-4200
		return &spineKind{chassis: "ISR4200", chips: 1, fromLine: spine4200, toLine: line4200}
	}
	return nil
}

func isVoltaireRouter(device uint16) bool { return device == 0x5a00 || device == 0x5a01 }

// nth is the number, from 1, of the group of size per that p falls in, when the
// groups share out the ports 1…last; 0 for other ports.
func nth(p, last, per int) int {
	if p < 1 || p > last {
		return 0
	}
	return (p-1)/per + 1
}

// cycle counts 1…n again and again along the ports 1…last; 0 for other ports.
func cycle(p, last, n int) int {
	if p < 1 || p > last {
		return 0
	}
	return (p-1)%n + 1
}

func spine4(p int) (slot, chip int)  { return nth(p, 12, 3), cycle(p, 12, 1) }
func spine12(p int) (slot, chip int) { return nth(p, 12, 3), cycle(p, 12, 3) }
func spine18(p int) (slot, chip int) { return nth(p, 18, 2), cycle(p, 18, 1) }
func spine18x2(p int) (slot, chip int) {
	chip = cycle(p, 18, 2)
	if chip != 0 {
		chip = 3 - chip
	}
	return nth(p, 18, 2), chip
}

// spine4200 knows no slot for ports 5 and 6.
func spine4200(p int) (slot, chip int) {
	switch {
	case p >= 1 && p <= 4:
		slot = 1
	case p >= 7 && p <= 18:
		slot = (p-7)/4 + 2
	}
	return slot, cycle(p, 18, 1)
}

func line4(p int) (slot, chip int)    { return nth(p, 24, 6), cycle(nth(p, 24, 3), 8, 2) }
func line12(p int) (slot, chip int)   { return nth(p, 24, 2), cycle(p, 24, 2) }
func line18(p int) (slot, chip int)   { return nth(p, 36, 2), cycle(p, 36, 1) }
func line18x2(p int) (slot, chip int) { return nth(p, 18, 1), cycle(p, 18, 1) }
func line4200(p int) (slot, chip int) { return nth(p, 36, 4), cycle(p, 36, 1) }

func router4(_ *Node, p int) (slot, chip int) {
	chip = cycle(p, 24, 3)
	if chip != 0 {
		chip = 4 - chip
	}
	return nth(p, 24, 6), chip
}

// router12 takes the chip from the order of the node GUIDs on a spine board.
func router12(spine *Node, p int) (slot, chip int) {
	switch spine.guid % 4 {
	case 3:
		chip = 1
	case 1:
		chip = 3
	default:
		chip = 2
	}
	return nth(p, 24, 2), chip
}
