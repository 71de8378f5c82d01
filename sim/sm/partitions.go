package sm

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// DefaultPartition is the partition that all ports belong to.
const DefaultPartition = 0x7fff

// fullMember is the bit of a P_Key that tells full from limited membership
// (IBA vol. 1, 10.9.1.1): two limited members do not hear each other.
const fullMember = 0x8000

const pkeysPerBlock = 32

// Partition is a partition and the nodes that are in it, with all their ports.
// Everybody is a full member of the default partition, unless it is given: then
// those that it does not name, but for the manager, are limited members.
type Partition struct {
	Key     ib.PKey // 1…0x7fff
	Full    []*fabric.Node
	Limited []*fabric.Node
}

// checkPartitions finds keys that are none or come twice.
func checkPartitions(list []Partition) error {
	seen := map[ib.PKey]bool{}
	for _, p := range list {
		if p.Key == 0 || p.Key >= fullMember || seen[p.Key] {
			return &Error{Op: "partitions", Err: fmt.Errorf("%#x is not from 1 to 0x7fff, or comes twice: %w", uint16(p.Key), os.ErrInvalid)}
		}
		seen[p.Key] = true
	}
	return nil
}

// assignPKeys makes the table of each node: the default partition first, then the
// others by key. A node in more partitions than it has room for is an error.
func (m *Manager) assignPKeys() error {
	list := slices.SortedFunc(slices.Values(m.options.Partitions), func(a, b Partition) int { return int(b.Key) - int(a.Key) })
	if len(list) == 0 {
		return nil
	}
	own := ib.PKey(DefaultPartition | fullMember)
	if list[0].Key == DefaultPartition {
		own = DefaultPartition
	}
	m.pkeys = map[*fabric.Node][]ib.PKey{}
	for n := range m.sim.Model().Nodes() {
		m.pkeys[n] = []ib.PKey{own}
	}
	for _, p := range m.ports {
		m.pkeys[p.Node()][0] |= fullMember
	}
	for _, p := range slices.Backward(list) {
		for _, n := range p.Limited {
			m.join(n, p.Key)
		}
		for _, n := range p.Full {
			m.join(n, p.Key|fullMember)
		}
	}
	for n, keys := range m.pkeys {
		if size := m.tableSize(n); len(keys) > size {
			return &Error{Op: "partitions", Err: fmt.Errorf("node %s is in %d and has room for %d: %w", n.GUID(), len(keys), size, os.ErrInvalid)}
		}
	}
	return nil
}

// join puts a key into a node's table, full membership over limited.
func (m *Manager) join(n *fabric.Node, key ib.PKey) {
	keys := m.pkeys[n]
	i := slices.IndexFunc(keys, func(k ib.PKey) bool { return k&^fullMember == key&^fullMember })
	if i < 0 {
		m.pkeys[n] = append(keys, key)
		return
	}
	keys[i] |= key
}

// tableSize is how many P_Keys a node has room for.
func (m *Manager) tableSize(n *fabric.Node) int {
	at := sim.Place{Node: n, Port: 1}
	if isSwitch(n) {
		at.Port = 0
	}
	var data [mad.DataSize]byte
	var v smp.NodeInfo
	if m.sim.Direct(at, mad.MethodGet, smp.AttrNodeInfo, 0, &data) == mad.StatusOK {
		v.Decode(&data)
	}
	return int(v.PartitionCap)
}

// partition writes the P_Key table of a port with a LID where it differs, and
// makes the switch at the other end of the cable keep others out.
func (m *Manager) partition(end sim.Place) {
	keys := m.pkeys[end.Node]
	if keys == nil {
		return
	}
	m.writePKeys(end, 0, keys)
	peer, ok := m.sim.Peer(end)
	if isSwitch(end.Node) || !ok || !isSwitch(peer.Node) {
		return
	}
	m.writePKeys(peer, uint32(peer.Port)<<16, full(keys))
	v, ok := m.portInfo(peer, peer.Port)
	if ok && !(v.PartEnforceInbound && v.PartEnforceOutbound) {
		v.PartEnforceInbound, v.PartEnforceOutbound = true, true
		m.setPortInfo(peer, peer.Port, v, 0)
	}
}

// full is the keys as a switch has them: it lets limited members pass too, for
// whom they may speak to is up to the other end.
func full(keys []ib.PKey) []ib.PKey {
	list := slices.Clone(keys)
	for i := range list {
		list[i] |= fullMember
	}
	return list
}

// writePKeys writes the blocks of a table.
func (m *Manager) writePKeys(at sim.Place, modifier uint32, keys []ib.PKey) {
	for block := range (len(keys) + pkeysPerBlock - 1) / pkeysPerBlock {
		var want, have [mad.DataSize]byte
		for i, key := range keys[block*pkeysPerBlock : min(len(keys), (block+1)*pkeysPerBlock)] {
			binary.BigEndian.PutUint16(want[2*i:], uint16(key))
		}
		status := m.sim.Direct(at, mad.MethodGet, smp.AttrPKeyTable, modifier|uint32(block), &have)
		if status == mad.StatusOK && want != have {
			_ = m.sim.Direct(at, mad.MethodSet, smp.AttrPKeyTable, modifier|uint32(block), &want)
		}
	}
}

// SharedPKey is the P_Key by which two nodes reach each other: of the partition
// that is wanted, or of the first that they share if that is 0. It has the bit of
// full membership if both are full members. False if they share none.
func (m *Manager) SharedPKey(a, b *fabric.Node, want ib.PKey) (ib.PKey, bool) {
	want &^= fullMember
	if m.pkeys == nil {
		return DefaultPartition | fullMember, want == 0 || want == DefaultPartition
	}
	for _, k := range m.pkeys[a] {
		for _, l := range m.pkeys[b] {
			if k&^fullMember == l&^fullMember && (k|l)&fullMember != 0 && (want == 0 || want == k&^fullMember) {
				return k & (l | DefaultPartition), true
			}
		}
	}
	return 0, false
}
