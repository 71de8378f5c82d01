package fabric

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// Chassis is a group of nodes in one box: the modules of a director switch, or
// nodes with one system image GUID.
type Chassis struct {
	Number int     // from 1
	GUID   ib.GUID // 0 when not known
	Nodes  []*Node // those without a slot, in canonical order
	Spines []*Node // by slot index from 1; entry 0 unused, nil for empty slots
	Lines  []*Node // likewise
}

// The number of slot indexes that a chassis has. Boards with several switch
// chips take several.
const (
	maxSpines = 18
	maxLines  = 36
)

// SlotKind is the kind of module in a chassis slot.
type SlotKind uint8

// The kinds of slots.
const (
	SlotNone SlotKind = iota
	SlotLine
	SlotSpine
	SlotRouter
)

// String is the name that ibnetdiscover prints: "Line", "Spine", "SRBD" for a
// router module, and nothing for SlotNone.
func (k SlotKind) String() string {
	switch k {
	case SlotLine:
		return "Line"
	case SlotSpine:
		return "Spine"
	case SlotRouter:
		return "SRBD"
	}
	return ""
}

// Slot is the position of a node in its chassis.
type Slot struct {
	Kind   SlotKind
	Number int    // slot number, 0 when not known
	Chip   int    // which switch chip on the module, 0 when not known
	Type   string // chassis type name, as "ISR9288"; untrusted text for Mellanox modules
}

// String is the position as ibnetdiscover prints it, "Line 1 Chip 2"; it is
// empty for SlotNone.
func (s Slot) String() string {
	if s.Kind == SlotNone {
		return ""
	}
	return fmt.Sprintf("%s %d Chip %d", s.Kind, s.Number, s.Chip)
}
