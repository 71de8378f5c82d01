package sm

import (
	"encoding/binary"
	"maps"
	"os"
	"sync"
	"syscall"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// guidsPerBlock is the size of a block of GUIDInfo.
const guidsPerBlock = 8

// aliases are the alias GUIDs that ports have beside their own, of virtual
// adapters mostly. The manager keeps them, for a port that loses its power loses
// its table.
type aliases struct {
	mu     sync.Mutex
	byPort map[sim.Place]map[int]ib.GUID // by the index in GUIDInfo, never 0
	owner  map[ib.GUID]sim.Place
	last   uint32 // of those that the manager has chosen
}

// aliasPrefix begins the GUIDs that the manager chooses: locally administered.
const aliasPrefix = 0x0214050000000000

// maxAliases bounds the alias GUIDs of all ports.
const maxAliases = 1 << 18

// SetAlias gives a port an alias GUID, at an index of its GUIDInfo; 0 takes it
// away. An index that the port does not have, or that of its own GUID, is an
// *Error that wraps os.ErrInvalid, and a GUID that somebody has already one that
// wraps os.ErrExist.
func (m *Manager) SetAlias(s *Subnet, at sim.Place, index int, guid ib.GUID) error {
	a := &m.aliases
	a.mu.Lock()
	defer a.mu.Unlock()
	v, ok := m.portInfo(at, at.Port)
	if !ok || index <= 0 || index >= int(v.GUIDCap) {
		return &Error{Op: "alias GUID", Err: os.ErrInvalid}
	}
	if err := a.set(s, at, index, guid); err != nil {
		return err
	}
	m.writeAliases(at, index/guidsPerBlock)
	return nil
}

// set notes an alias. The lock is held.
func (a *aliases) set(s *Subnet, at sim.Place, index int, guid ib.GUID) error {
	was := a.byPort[at][index]
	if guid == was {
		return nil
	}
	if _, taken := a.owner[guid]; taken || guid != 0 && s.byPortGUID(guid) != nil {
		return &Error{Op: "alias GUID", Err: os.ErrExist}
	}
	if len(a.owner) >= maxAliases && guid != 0 {
		return &Error{Op: "alias GUID", Err: syscall.ENOSPC}
	}
	if a.owner == nil {
		a.byPort, a.owner = map[sim.Place]map[int]ib.GUID{}, map[ib.GUID]sim.Place{}
	}
	if a.byPort[at] == nil {
		a.byPort[at] = map[int]ib.GUID{}
	}
	delete(a.owner, was)
	delete(a.byPort[at], index)
	if guid != 0 {
		a.byPort[at][index], a.owner[guid] = guid, at
	}
	return nil
}

// NewAlias is a GUID that nobody has.
func (m *Manager) NewAlias() ib.GUID {
	m.aliases.mu.Lock()
	defer m.aliases.mu.Unlock()
	return m.aliases.next()
}

// next is NewAlias. The lock is held.
func (a *aliases) next() ib.GUID {
	for {
		a.last++
		if guid := aliasPrefix + ib.GUID(a.last); a.owner[guid] == (sim.Place{}) {
			return guid
		}
	}
}

// ownerOf is the port that has an alias GUID.
func (a *aliases) ownerOf(guid ib.GUID) (sim.Place, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.owner[guid]
	return at, ok
}

// writeAliases brings a block of GUIDInfo to what it should be. The lock is held.
func (m *Manager) writeAliases(at sim.Place, block int) {
	var have [mad.DataSize]byte
	if m.sim.Direct(at, mad.MethodGet, smp.AttrGUIDInfo, uint32(block), &have) != mad.StatusOK {
		return
	}
	want := have
	for i := range guidsPerBlock {
		if index := block*guidsPerBlock + i; index != 0 {
			binary.BigEndian.PutUint64(want[8*i:], uint64(m.aliases.byPort[at][index]))
		}
	}
	if want != have {
		_ = m.sim.Direct(at, mad.MethodSet, smp.AttrGUIDInfo, uint32(block), &want)
	}
}

// restoreAliases writes the aliases again where they were lost.
func (m *Manager) restoreAliases() {
	a := &m.aliases
	a.mu.Lock()
	defer a.mu.Unlock()
	for at, list := range a.byPort {
		blocks := map[int]bool{}
		for index := range list {
			blocks[index/guidsPerBlock] = true
		}
		for block := range blocks {
			m.writeAliases(at, block)
		}
	}
}

// assignAliases gives an alias GUID to each virtual port that has none, and takes
// over those that are there: what the drivers of machines with virtual adapters
// ask for when they start.
func (m *Manager) assignAliases(s *Subnet) {
	a := &m.aliases
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range s.Ports {
		p := &s.Ports[i]
		v, ok := m.portInfo(p.Place, p.Place.Port)
		if !ok || v.CapMask&smp.CapCapMask2 == 0 || v.CapMask2&smp.Cap2Virtualization == 0 {
			continue
		}
		for block := range (int(v.GUIDCap) + guidsPerBlock - 1) / guidsPerBlock {
			m.assignBlock(s, p.Place, block, int(v.GUIDCap))
		}
	}
}

// assignBlock does it for a block of GUIDInfo. The lock is held.
func (m *Manager) assignBlock(s *Subnet, at sim.Place, block, count int) {
	var data [mad.DataSize]byte
	if m.sim.Direct(at, mad.MethodGet, smp.AttrGUIDInfo, uint32(block), &data) != mad.StatusOK {
		return
	}
	for i := range guidsPerBlock {
		index := block*guidsPerBlock + i
		if index == 0 || index >= count {
			continue
		}
		guid := ib.GUID(binary.BigEndian.Uint64(data[8*i:]))
		if guid == 0 {
			guid = m.aliases.next()
		}
		_ = m.aliases.set(s, at, index, guid) // one that is taken is none
	}
	m.writeAliases(at, block)
}

// Aliases lists the alias GUIDs of a port by their index in GUIDInfo.
func (m *Manager) Aliases(at sim.Place) map[int]ib.GUID {
	m.aliases.mu.Lock()
	defer m.aliases.mu.Unlock()
	return maps.Clone(m.aliases.byPort[at])
}
