package anonymize

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Options tune a Mapping. Nil or the zero value keeps vendors and models.
type Options struct {
	// HideVendors replaces vendors and device IDs too, and the vendor's part of
	// GUIDs. Chassis that show by rules of their vendor are then lost.
	HideVendors bool
}

// Mapping says what takes the place of what. It is not safe for concurrent use.
type Mapping struct {
	opts     Options
	seed     []byte
	guids    guids
	lids     lids
	names    names
	prefixes ranks[uint64]
	vendors  ranks[uint32]
	devices  ranks[uint16]
}

// New makes a mapping for fabrics, of which nil ones count for nothing. Seed is
// secret; random bytes where nobody has to get the same again.
func New(seed []byte, o *Options, fabrics ...*fabric.Fabric) *Mapping {
	m := &Mapping{seed: seed}
	if o != nil {
		m.opts = *o
	}
	m.guids.init(m)
	m.lids.init()
	m.names.init(m.opts)
	for _, f := range fabrics {
		if f != nil {
			m.learn(f)
		}
	}
	m.guids.assign()
	m.lids.assign(m)
	m.names.assign()
	return m
}

// learn notes what has to be replaced in a fabric.
func (m *Mapping) learn(f *fabric.Fabric) {
	for n := range f.Nodes() {
		info := n.Info()
		m.guids.learn(n)
		m.vendors.add(info.VendorID)
		m.devices.add(info.DeviceID)
		if n.HasDescription() {
			m.names.learn(n.Type(), n.Description())
		}
		for p := range n.Ports() {
			m.learnPort(p)
		}
		m.lids.learnTable(n)
	}
	for _, p := range f.Problems() {
		m.guids.learnAlone(p.GUID)
		m.lids.learn(p.Target.LID, 0)
		m.lids.learn(p.Target.SLID, 0)
	}
}

func (m *Mapping) learnPort(p *fabric.Port) {
	info, ok := p.Info()
	if !ok {
		return
	}
	lmc := info.LMC
	if p.Node().Type() == ib.NodeSwitch && p.Num() != 0 {
		lmc = 0 // these fields mean something at port 0 only
	}
	m.lids.learn(info.LID, lmc)
	m.lids.learn(info.SMLID, 0)
	if info.GIDPrefix != 0 && info.GIDPrefix != defaultPrefix {
		m.prefixes.add(info.GIDPrefix)
	}
}

// defaultPrefix is the subnet prefix of who has not chosen one.
const defaultPrefix = 0xfe80_0000_0000_0000

// prefix replaces a subnet prefix by a site-local one.
func (m *Mapping) prefix(p uint64) uint64 {
	if r := m.prefixes.of(p); r > 0 {
		return 0xfec0_0000_0000_0000 + uint64(r)
	}
	return p
}

// random is a number that depends on the seed, a purpose and a value, and looks
// like any other.
func (m *Mapping) random(purpose string, values ...uint64) uint64 {
	h := hmac.New(sha256.New, m.seed)
	h.Write([]byte(purpose))
	for _, v := range values {
		h.Write(binary.BigEndian.AppendUint64(nil, v))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// ranks gives values numbers from 1, in the order in which they were met.
type ranks[T comparable] map[T]int

func (r *ranks[T]) add(v T) {
	if *r == nil {
		*r = ranks[T]{}
	}
	if _, known := (*r)[v]; !known {
		(*r)[v] = len(*r) + 1
	}
}

func (r ranks[T]) of(v T) int { return r[v] }
