package sim

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

var be = binary.BigEndian

// What packets must know of a port on their way, in one word: the LID in the
// upper half, LMC in the three bits below, and flags.
const (
	quickUp         uint32 = 1 << iota // physically, or not known
	quickActive                        // the logical state
	quickArmed                         // the logical state
	quickKeyed                         // M_Key is not 0
	quickEnforceIn                     // P_Keys of what arrives are checked
	quickEnforceOut                    // P_Keys of what leaves are checked

	// These do not come from PortInfo.
	quickLeased // the lease of the M_Key runs out
	quickClient // a Port is open here
	quickCut    // the cable does not work

	quickLMCShift = 13
	quickLIDShift = 16
	quickKept     = quickLeased | quickClient | quickCut
)

// Bytes of PortInfo.
const (
	offLID       = 16
	offSMLID     = 18
	offSpeeds    = 32 // LinkSpeedSupported, State
	offPhysState = 33 // PhysState, LinkDownDefault
	offLMC       = 34 // M_KeyProtectBits, LMC
	offEnforce   = 43 // OperationalVLs, enforcement bits
)

// summary is the word of a PortInfo; nil is a port that nobody knows more of
// than its cable.
func summary(raw *[mad.DataSize]byte) uint32 {
	if raw == nil {
		return quickUp | quickActive
	}
	q := uint32(be.Uint16(raw[offLID:]))<<quickLIDShift | uint32(raw[offLMC]&7)<<quickLMCShift
	switch ib.PhysState(raw[offPhysState] >> 4) {
	case ib.PhysLinkUp, ib.PhysNoChange:
		q |= quickUp
	}
	switch ib.PortState(raw[offSpeeds] & 0xf) {
	case ib.PortActive, ib.PortNoChange:
		q |= quickActive
	case ib.PortArmed:
		q |= quickArmed
	}
	if be.Uint64(raw[:]) != 0 {
		q |= quickKeyed
	}
	if raw[offEnforce]&8 != 0 {
		q |= quickEnforceIn
	}
	if raw[offEnforce]&4 != 0 {
		q |= quickEnforceOut
	}
	return q
}

// lid is the base LID of the port's keeper, 0 for none.
func (p *port) lid() ib.LID {
	return ib.LID(p.node.keeper(int(p.num)).quick.Load() >> quickLIDShift)
}

// owns reports whether lid is one of the port's LIDs. Those of a switch are at
// its port 0.
func (p *port) owns(lid ib.LID) bool {
	q := p.node.keeper(int(p.num)).quick.Load()
	base := uint16(q >> quickLIDShift)
	return base != 0 && uint16(lid)-base < 1<<(q>>quickLMCShift&7)
}

// has reports whether a flag is set.
func (p *port) has(flag uint32) bool { return p.quick.Load()&flag != 0 }

// mark sets or clears a flag that does not come from PortInfo. The caller holds
// Fabric.mu.
func (p *port) mark(flag uint32, on bool) {
	q := p.quick.Load() &^ flag
	if on {
		q |= flag
	}
	p.quick.Store(q)
}
