package snapshot

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Snapshot is what was read of a fabric at one time.
type Snapshot struct {
	Taken time.Time // when it was begun; zero when not known
	Tool  string    // what took it: a name and a version

	// Fabric is the sweep. Its switches have forwarding tables (fabric.Node.LFT) if
	// these were read.
	Fabric *fabric.Fabric

	// Manager is the fabric as its subnet manager knows it, nil if it was not asked.
	Manager *fabric.Fabric

	// Multicast has the multicast forwarding tables of the switches of Fabric that
	// were read, block by block.
	Multicast map[*fabric.Node][]MulticastBlock

	// SMInfo is what the subnet managers of Fabric told of themselves, nil if they were
	// not asked.
	SMInfo map[*fabric.Port]smp.SMInfo

	// Counters are those of the ports of Fabric, nil if they were not read.
	Counters []PortCounters

	// Problems are those of what was read beside the sweep, by the class of what was
	// asked for; see Of. The sweep's are in Fabric, those of what the manager told in
	// Manager.
	Problems []fabric.Problem

	extra extras
}

// IsComplete reports whether nothing that was asked for is missing.
func (s *Snapshot) IsComplete() bool {
	for i := range s.Problems {
		if s.Problems[i].Kind.IsLoss() {
			return false
		}
	}
	return s.Fabric.IsComplete() && (s.Manager == nil || s.Manager.IsComplete())
}

// Of are the problems of requests of one class: of subnet management, 0, those of
// some attributes only, if any are given.
func (s *Snapshot) Of(class mad.Class, attributes ...mad.AttrID) []fabric.Problem {
	var list []fabric.Problem
	for _, p := range s.Problems {
		if p.Class == class && (len(attributes) == 0 || slices.Contains(attributes, p.Attr)) {
			list = append(list, p)
		}
	}
	return list
}

// MulticastBlock is a block of a multicast forwarding table in wire form:
// smp.MLIDsPerBlock multicast LIDs from smp.MFTModifier's block, and the ports of
// one position.
type MulticastBlock struct {
	Position uint8  // 0…15
	Block    uint16 // 0…511
	Masks    [mad.DataSize]byte
}

// PortCounters are the counters of a port at one time.
type PortCounters struct {
	Node *fabric.Node
	Port int // 255 for the sums over all ports of the node

	// The masks of the agent's ClassPortInfo, if it told them.
	HasMasks bool
	CapMask  uint16
	CapMask2 uint32

	// The counters had these values at some time between Before and After.
	Before, After time.Time

	// Names are those of the counters that the agent has: the fields of the
	// attributes of performance management as package counters has them,
	// "symbol_errors". Ports share them: do not change them. Values are the counters,
	// in that order; data is counted in words of 4 bytes.
	Names  []string
	Values []uint64

	Saturated []string // names of those that stand at the end of their field

	extra []member
}

// member is a member of a JSON object that this package does not know, as it was
// read: the key with its quotes, and the value.
type member struct{ key, value []byte }

// extras are unknown members by the object that has them: whole, a *fabric.Fabric,
// sweepOf, managerOf, *fabric.Node, *fabric.Port or problemOf.
type extras map[any][]member

type (
	whole     struct{}
	sweepOf   struct{ f *fabric.Fabric }
	managerOf struct{ p *fabric.Port }
	problemOf struct {
		f *fabric.Fabric // nil for Snapshot.Problems
		i int
	}
)
