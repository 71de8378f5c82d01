package fabric

import "github.com/ibscope/ibscope/ib"

// Chassis is a group of nodes in one box: the modules of a director switch, or
// nodes with one system image GUID.
type Chassis struct {
	Number int     // from 1
	GUID   ib.GUID // 0 when not known
	Nodes  []*Node // in the order that ibnetdiscover -g lists them
	Spines []*Node // by slot index from 1; entry 0 unused, nil for empty slots
	Lines  []*Node // likewise
}

// SlotKind is the kind of module in a chassis slot.
type SlotKind uint8

// The kinds of slots.
const (
	SlotNone SlotKind = iota
	SlotLine
	SlotSpine
	SlotRouter
)

// Slot is the position of a node in its chassis.
type Slot struct {
	Kind   SlotKind
	Number int    // slot number
	Chip   int    // which switch chip on the module
	Type   string // chassis type name, as "ISR9288"; untrusted text for Mellanox modules
}
