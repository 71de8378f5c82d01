package smp

import "github.com/ibscope/ibscope/ib"

// PKeyTable is a block of a port's partition keys (P_KeyTable, 14.2.5.7).
// The attribute modifier comes from PKeyModifier. Unused entries are 0.
//
//mad:attr id=0x0016
type PKeyTable struct {
	Keys [32]ib.PKey `mad:"0,16*32" c:"PKey,hex"`
}

// PKeysPerBlock is the number of keys in a PKeyTable.
const PKeysPerBlock = 32
