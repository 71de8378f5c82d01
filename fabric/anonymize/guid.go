package anonymize

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// guids replaces GUIDs. Those that belong together, as a node's and its ports',
// and are near each other stay as far apart as they were.
type guids struct {
	of     *Mapping
	parent map[ib.GUID]ib.GUID // of GUIDs without their slot, towards the lowest of a family
	slotty map[ib.GUID]bool    // GUIDs whose vendor has a slot in them
	table  map[ib.GUID]ib.GUID
	used   map[ib.GUID]bool
}

const (
	near      = 256 // GUIDs of one device are not farther apart
	vendorLen = 40  // bits of a GUID below the vendor's

	// slotByte is where some vendors have the slot of a board.
	slotByte ib.GUID = 0xff000000

	noGUID ib.GUID = 1<<64 - 1
)

// Vendors with a slot in their system image GUIDs; see fabric.Chassis.
const (
	vendorTopspin     = 0x0005ad
	vendorSilverStorm = 0x00066a
	vendorXsigo       = 0x001397
)

func (g *guids) init(m *Mapping) {
	*g = guids{of: m, parent: map[ib.GUID]ib.GUID{}, slotty: map[ib.GUID]bool{}, table: map[ib.GUID]ib.GUID{}, used: map[ib.GUID]bool{}}
}

// learn notes the GUIDs of a node as a family.
func (g *guids) learn(n *fabric.Node) {
	info := n.Info()
	slotty := info.VendorID == vendorTopspin || info.VendorID == vendorSilverStorm || info.VendorID == vendorXsigo
	g.add(n.GUID(), slotty)
	join := func(other ib.GUID) {
		g.add(other, slotty)
		g.join(g.bare(n.GUID()), g.bare(other))
	}
	join(info.SystemImageGUID)
	join(info.PortGUID)
	for p := range n.Ports() {
		if p.GUID() != info.PortGUID {
			join(p.GUID())
		}
	}
}

func (g *guids) learnAlone(v ib.GUID) { g.add(v, false) }

// add notes a GUID; 0 and all ones are no GUIDs.
func (g *guids) add(v ib.GUID, slotty bool) {
	if v == 0 || v == noGUID {
		return
	}
	if _, known := g.slotty[v]; !known {
		g.slotty[v] = slotty || fabric.IsXsigo(v)
	}
	if b := g.bare(v); g.parent[b] == 0 {
		g.parent[b] = b
	}
}

// bare is a GUID without its slot.
func (g *guids) bare(v ib.GUID) ib.GUID {
	if g.slotty[v] {
		return v &^ slotByte
	}
	return v
}

func (g *guids) root(v ib.GUID) ib.GUID {
	for g.parent[v] != v {
		g.parent[v] = g.parent[g.parent[v]]
		v = g.parent[v]
	}
	return v
}

// join makes one family of two GUIDs' families, if they are near.
func (g *guids) join(a, b ib.GUID) {
	if g.parent[a] == 0 || g.parent[b] == 0 || max(a, b)-min(a, b) >= near || a>>vendorLen != b>>vendorLen {
		return
	}
	a, b = g.root(a), g.root(b)
	g.parent[max(a, b)] = min(a, b)
}

// assign finds a new place for each family.
func (g *guids) assign() {
	families := map[ib.GUID][]ib.GUID{}
	for v := range g.slotty {
		first := g.root(g.bare(v))
		families[first] = append(families[first], v)
	}
	firsts := make([]ib.GUID, 0, len(families))
	for first := range families {
		firsts = append(firsts, first)
	}
	slices.Sort(firsts)
	for _, first := range firsts {
		for try := uint64(0); !g.place(first, families[first], try); try++ {
		}
	}
}

// place puts a family to where the seed says; false if that is not free.
func (g *guids) place(first ib.GUID, family []ib.GUID, try uint64) bool {
	slotty := slices.ContainsFunc(family, func(v ib.GUID) bool { return g.slotty[v] })
	base := g.base(first, slotty, try)
	moved := func(v ib.GUID) ib.GUID { return base + g.bare(v) - first + v - g.bare(v) }
	for _, v := range family {
		_, original := g.slotty[moved(v)]
		if original || g.used[moved(v)] || moved(v) == 0 || moved(v) == noGUID {
			return false
		}
	}
	for _, v := range family {
		g.table[v] = moved(v)
		g.used[moved(v)] = true
	}
	return true
}

// base is a new first GUID: of the same vendor, and with the same low bits, by
// which Voltaire numbers the chips of a board.
func (g *guids) base(first ib.GUID, slotty bool, try uint64) ib.GUID {
	const lowBits ib.GUID = 7
	free := ib.GUID(1<<(vendorLen-1)-1) &^ lowBits // room above it for the family
	if slotty {
		free = 0xff_007fffff &^ lowBits
	}
	if fabric.IsXsigo(first) {
		free &= 0x7fffff // what is above tells the kind of device
	}
	vendor := first >> vendorLen << vendorLen
	if g.of.opts.HideVendors {
		g.of.vendors.add(uint32(first >> vendorLen))
		vendor = ib.GUID(hiddenVendor+g.of.vendors.of(uint32(first>>vendorLen))) << vendorLen
	}
	kept := first & lowBits
	if fabric.IsXsigo(first) {
		kept |= first & 0xff_00000000
	}
	return vendor | kept | ib.GUID(g.of.random("guid", uint64(first), try))&free
}

// hiddenVendor and what follows take the place of vendors' identifiers: they are
// administered locally and belong to nobody.
const hiddenVendor = 0x020000

// GUID is what takes the place of a GUID; 0 and all ones stay. One that is in none
// of the fabrics becomes 0.
func (m *Mapping) GUID(v ib.GUID) ib.GUID {
	if v == noGUID {
		return v
	}
	return m.guids.table[v]
}
