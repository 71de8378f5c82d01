package gen

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

const maxChassis = 16

// DirectorOptions describe director switches. Zero fields have the defaults given.
type DirectorOptions struct {
	Model   string // is5600, sx6536, cs7500, mcs8500, isr9288 or isr2012; is5600
	Chassis int    // 1…16; 1
	Lines   int    // line modules of a chassis; all
	Spines  int    // spine modules of a chassis; all
	Hosts   int    // of all chassis; as many as there are ports on the front
}

// directorModel is a make of director switches. Its chips all have radix ports;
// each line chip has a trace to each spine chip.
type directorModel struct {
	name                  string
	speed                 ib.LinkSpeed
	radix                 int
	lines, lineChips      int // modules, and chips of one
	spines, spineChips    int
	lineDevice, spineChip uint16 // of Voltaire chassis, which show by device IDs
	lineText, spineText   string // the description: "" is made from the place
}

var directorModels = [...]directorModel{
	{name: "is5600", speed: ib.SpeedQDR, radix: 36, lines: 36, lineChips: 1, spines: 18, spineChips: 1},
	{name: "sx6536", speed: ib.SpeedFDR, radix: 36, lines: 36, lineChips: 1, spines: 18, spineChips: 1},
	{name: "cs7500", speed: ib.SpeedEDR, radix: 36, lines: 18, lineChips: 2, spines: 9, spineChips: 2},
	{name: "mcs8500", speed: ib.SpeedHDR, radix: 40, lines: 20, lineChips: 2, spines: 10, spineChips: 2},
	{
		name: "isr9288", speed: ib.SpeedSDR, radix: 24, lines: 12, lineChips: 2, spines: 4, spineChips: 3,
		lineDevice: 0x5a09, spineChip: 0x5a08,
		lineText: "ISR9288/ISR9096 Voltaire sLB-24", spineText: "ISR9288 Voltaire sFB-12",
	},
	{
		name: "isr2012", speed: ib.SpeedDDR, radix: 24, lines: 12, lineChips: 2, spines: 4, spineChips: 3,
		lineDevice: 0x5a38, spineChip: 0x5a37,
		lineText: "ISR2012/ISR2004 Voltaire sLB-2024", spineText: "ISR2012 Voltaire sFB-2012",
	},
}

func directorNames() string {
	var names []string
	for _, m := range directorModels {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// Director makes director switches: line modules with hosts on the front, and
// spine modules behind. Those of Mellanox group by their system image GUID, and
// IS5600 modules tell their slot; Voltaire's group by device IDs and wiring. Each
// chassis has a cable to the next, from the last port of its first line chip to
// the last but one.
func Director(o DirectorOptions) (*fabric.Fabric, error) {
	d := &director{DirectorOptions: o}
	if err := d.check(); err != nil {
		return nil, err
	}
	for c := range d.Chassis {
		d.chassis(c)
	}
	for i, port := range d.front[:d.Hosts] {
		d.cable(d.host(fmt.Sprintf("node%0*d", digits(d.Hosts), i+1)), 1, port.node, port.port)
	}
	return d.finish()
}

type director struct {
	DirectorOptions
	plan
	model directorModel
	front []end // ports for hosts
	last  int   // first line chip of the chassis before
}

const directorOp = "director"

func (d *director) check() error {
	fill(&d.Model, "is5600")
	for _, m := range directorModels {
		if m.name == d.Model {
			d.model = m
		}
	}
	m := &d.model
	if m.name == "" {
		return &Error{Op: directorOp, Param: "model", Value: fmt.Sprintf("%q", d.Model), Detail: "must be one of " + directorNames()}
	}
	fill(&d.Chassis, 1)
	fill(&d.Lines, m.lines)
	fill(&d.Spines, m.spines)
	if err := checkRanges(directorOp, []bounded{
		{"chassis", d.Chassis, maxChassis},
		{"lines", d.Lines, m.lines},
		{"spines", d.Spines, m.spines},
	}); err != nil {
		return err
	}
	most := d.Chassis * d.Lines * m.lineChips * m.external()
	if d.Chassis > 1 {
		most -= 2 * d.Chassis
	}
	fill(&d.Hosts, most)
	if d.Hosts < 1 || d.Hosts > most {
		return outOfRange(directorOp, "hosts", d.Hosts, 1, most)
	}
	var err error
	d.plan, err = newPlan(directorOp, m.speed, 0)
	return err
}

func (m *directorModel) isVoltaire() bool { return m.lineDevice != 0 }

// external is the number of ports of a line chip on the front.
func (m *directorModel) external() int { return m.radix - m.spines*m.spineChips }

// firstExternal and firstInternal are where the two kinds of ports of a line
// chip begin.
func (m *directorModel) firstExternal() int {
	if m.isVoltaire() {
		return m.spines*m.spineChips + 1
	}
	return 1
}

func (m *directorModel) firstInternal() int {
	if m.isVoltaire() {
		return 1
	}
	return m.external() + 1
}

// chassis plans one chassis.
func (d *director) chassis(num int) {
	m := &d.model
	var spines, lines []int
	image := len(d.nodes)
	for i := range d.Spines * m.spineChips {
		spines = append(spines, d.chip(num, image, "S", i, m.spineChips, m.spineChip, m.spineText))
	}
	for i := range d.Lines * m.lineChips {
		lines = append(lines, d.chip(num, image, "L", i, m.lineChips, m.lineDevice, m.lineText))
	}
	for l, line := range lines {
		for s, spine := range spines {
			d.cable(line, m.firstInternal()+s, spine, l+1)
		}
		ports := m.external()
		if l == 0 && d.Chassis > 1 {
			ports -= 2
		}
		for i := range ports {
			d.front = append(d.front, end{line, m.firstExternal() + i})
		}
	}
	last := m.firstExternal() + m.external() - 1
	if num > 0 {
		d.cable(d.last, last, lines[0], last-1)
	}
	d.last = lines[0]
}

// chip plans the i-th chip of its kind in a chassis, with so many on a module.
func (d *director) chip(chassis, image int, kind string, i, chips int, dev uint16, text string) int {
	description := text
	if text == "" {
		description = fmt.Sprintf("MF0;director%02d:%s/%s%02d/U%d", chassis+1, strings.ToUpper(d.Model), kind, i/chips+1, i%chips+1)
	}
	sw := d.addSwitch(description, d.model.radix)
	n := &d.nodes[sw]
	if d.model.isVoltaire() {
		n.guid = voltaireGUIDs + ib.GUID(len(d.nodes))*switchGUIDStep
		n.image, n.dev = n.guid, &device{vendorVoltaire, dev}
		return sw
	}
	n.image = d.nodes[image].guid
	return sw
}
