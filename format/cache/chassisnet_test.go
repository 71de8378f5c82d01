package cache

import "fmt"

const (
	voltaire = 0x8f1
	mellanox = 0x2c9
)

// voltaireChassis wires lines (two chips per board) to spines (three chips per
// board) as in an ISR9288 or ISR2012: chip c of spine s has port 2·l+chip of
// every line l, and line chips have ports 1…12 for the 12 spine chips.
func voltaireChassis(f *netFile, base uint64, spineDev, lineDev, spines, lines int) (lineChips []*netNode) {
	var spine []*netNode
	for s := range spines * 3 {
		spine = append(spine, f.add("Switch", 24, fmt.Sprintf("sp%x-%d", base, s), base+uint64(s)+1, voltaire, spineDev))
	}
	for l := range lines * 2 {
		n := f.add("Switch", 24, fmt.Sprintf("ln%x-%d", base, l), base+0x100+uint64(l), voltaire, lineDev)
		for s, sp := range spine {
			link(n, s+1, sp, l+1, "4xDDR")
		}
		lineChips = append(lineChips, n)
	}
	return lineChips
}

// directorISR4700 has lines with one chip. A spine with one chip has two links to
// each line; of one with two chips (sFB-4700X2) each chip has one.
func directorISR4700(f *netFile, base uint64, spineDev int) (lines []*netNode) {
	const spineSlots, lineSlots = 3, 4
	for l := range lineSlots {
		lines = append(lines, f.add("Switch", 36, fmt.Sprintf("lb%x-%d", base, l), base+0x100+uint64(l), voltaire, 0x5a5b))
	}
	for s := range spineSlots {
		a := f.add("Switch", 36, fmt.Sprintf("fb%x-%da", base, s), base+2*uint64(s)+1, voltaire, spineDev)
		b := a
		if spineDev == 0x5a5d {
			b = f.add("Switch", 36, fmt.Sprintf("fb%x-%db", base, s), base+2*uint64(s)+2, voltaire, spineDev)
		}
		for l, line := range lines {
			if a == b {
				link(line, 2*s+1, a, 2*l+1, "4xQDR")
				link(line, 2*s+2, a, 2*l+2, "4xQDR")
			} else {
				link(line, 2*s+1, a, l+1, "4xQDR")
				link(line, 2*s+2, b, l+1, "4xQDR")
			}
		}
	}
	return lines
}

func ca(f *netFile, i int, vendor, devid int) *netNode {
	return f.add("Ca", 2, fmt.Sprintf("host%d", i), 0x0002c90200400000+uint64(i)*4, vendor, devid)
}

var chassisFabrics = map[string]func() *netFile{
	"ISR9288": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x6278)
		lines := voltaireChassis(f, 0x0008f10400410000, 0x5a08, 0x5a09, 4, 3)
		link(h, 1, lines[0], 13, "4xDDR")
		link(h, 2, lines[3], 24, "4xDDR")
		return f
	},
	"two chassis ISR2012 and ISR9288 with a switch between": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x6278)
		a := voltaireChassis(f, 0x0008f10400410000, 0x5a37, 0x5a38, 2, 2)
		b := voltaireChassis(f, 0x0008f10400500000, 0x5a32, 0x5a0d, 1, 2)
		m := f.add("Switch", 24, "ISR9024", 0x0008f10400600000, voltaire, 0x5a06)
		link(h, 1, m, 1, "4xSDR")
		link(m, 2, a[0], 14, "4xDDR")
		link(m, 3, b[1], 19, "4xDDR")
		link(m, 4, a[3], 23, "4xDDR")
		return f
	},
	"ISR4700": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x1003)
		l := directorISR4700(f, 0x0008f10400700000, 0x5a5c)
		link(h, 1, l[2], 30, "4xQDR")
		return f
	},
	"ISR4700X2": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x1003)
		l := directorISR4700(f, 0x0008f10400800000, 0x5a5d)
		link(h, 1, l[0], 19, "4xQDR")
		link(h, 2, f.nodes[6], 36, "4xQDR") // a front panel port of a spine
		return f
	},
	"Mellanox IS5200": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x1003)
		const sys = 0x0002c9020040aa00
		var lines []*netNode
		for i := range 3 {
			lines = append(lines, f.add("Switch", 36, fmt.Sprintf("L%d", i), 0x0002c90200410000+uint64(i)*0x100, mellanox, 0xbd36).
				inSystem(sys).named(fmt.Sprintf("MF0;rack12:IS5200/L%02d/U1", 4*i+1)))
		}
		for i := range 2 {
			s := f.add("Switch", 36, fmt.Sprintf("S%d", i), 0x0002c90200420000+uint64(i)*0x100, mellanox, 0xbd36).
				inSystem(sys).named(fmt.Sprintf("MF0;rack12:IS5200-with-a-long-type-name/S%d:board/U1", i+2))
			for j, l := range lines {
				link(l, 19+i, s, 1+j, "4xQDR")
			}
		}
		// A module without a place and one whose chassis is itself alone.
		x := f.add("Switch", 36, "X", 0x0002c90200430000, mellanox, 0xbd36).inSystem(sys).named("MF0;rack12:IS5200/MGT/U1")
		y := f.add("Switch", 36, "Y", 0x0002c90200440000, mellanox, 0xbd36).named("MF0;other:IS5030/L01/U1")
		link(x, 1, lines[0], 30, "4xQDR")
		link(y, 1, lines[1], 2, "4xQDR")
		link(h, 1, lines[0], 3, "4xQDR")
		return f
	},
	"system image groups": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x1017)
		const sys = 0x0002c9030099aa00
		s := f.add("Switch", 36, "sw", 0x0002c90300990000, mellanox, 0xcb20)
		link(h, 1, s, 1, "4xEDR")
		for i := range 4 {
			n := ca(f, 10+i, mellanox, 0x1017).inSystem(sys + uint64(i/2)<<16)
			link(n, 1, s, 2+i, "4xEDR")
		}
		for i := range 3 { // Topspin: one chassis, slots in byte 4
			n := f.add("Switch", 24, fmt.Sprintf("ts%d", i), 0x0005ad0000010000+uint64(i), 0x5ad, 0x5a44).
				inSystem(0x0005ad0103000000 | uint64(i)<<24)
			link(n, 1, s, 10+i, "4xSDR")
		}
		n := f.add("Switch", 24, "ss", 0x00066a0000010000, 0x66a, 0x10).inSystem(0x00066a0102000001)
		link(n, 1, s, 20, "4xSDR")
		r := f.add("Rt", 2, "router", 0x0002c90300990100, mellanox, 0x5a00)
		link(r, 1, s, 21, "4xQDR")
		return f
	},
	"Xsigo": func() *netFile {
		f := &netFile{}
		h := ca(f, 1, mellanox, 0x6278)
		leaf := f.add("Switch", 24, "leaf", 0x0013970102000101, 0x1397, 0x1).inSystem(0x0013970102000101)
		leaf2 := f.add("Switch", 24, "leaf2", 0x0013970103000101, 0x1397, 0x1).inSystem(0x0013970103000101)
		link(h, 1, leaf, 1, "4xDDR")
		link(leaf, 2, leaf2, 2, "4xDDR")
		for i := range 3 {
			n := f.add("Ca", 1, fmt.Sprintf("tca%d", i), 0x0013970302000200+uint64(i)*16, 0x1397, 0x2).
				inSystem(0x0013970302000200 + uint64(i)*16)
			link(n, 1, leaf, 5+i, "4xDDR")
		}
		n := f.add("Ca", 1, "hca", 0x0013970203000300, 0x1397, 0x3).inSystem(0x0013970203000300).named("xsigo-host-1")
		link(n, 1, leaf, 10, "4xDDR")
		m := f.add("Ca", 1, "hca2", 0x0013970203000400, 0x1397, 0x3).inSystem(0x0013970203000400).named("xsigo-host-2")
		link(m, 1, leaf2, 10, "4xDDR")
		return f
	},
}
