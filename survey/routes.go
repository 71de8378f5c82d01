package survey

import (
	"context"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// RouteProblems are those of the forwarding tables of a snapshot.
func RouteProblems(s *snapshot.Snapshot) []fabric.Problem {
	return s.Of(0, smp.AttrSwitchInfo, smp.AttrLinearForwardingTable, smp.AttrMulticastForwardingTable)
}

// atOnce is how many switches are read at the same time; the limits of the client
// apply too.
const atOnce = 32

// maxMisses is how many blocks in a row may be without a reply before the rest of
// a table is given up.
const maxMisses = 2

// tables are the forwarding tables of a switch, and what could not be read of them.
type tables struct {
	node      *fabric.Node
	linear    []uint8
	multicast []snapshot.MulticastBlock
	problems  []fabric.Problem
}

// readRoutes reads the forwarding tables of all switches.
func readRoutes(ctx context.Context, c *madrpc.Client, s *snapshot.Snapshot, _ *Options) error {
	var all []*tables
	for sw := range s.Fabric.Switches() {
		all = append(all, &tables{node: sw})
	}
	next := make(chan *tables)
	var workers sync.WaitGroup
	for range min(atOnce, len(all)) {
		workers.Go(func() {
			for t := range next {
				t.read(ctx, c)
			}
		})
	}
	for _, t := range all {
		next <- t
	}
	close(next)
	workers.Wait()
	s.Multicast = map[*fabric.Node][]snapshot.MulticastBlock{}
	b := fabric.NewBuilder() // sets tables of nodes that another one has built
	for _, t := range all {
		s.Problems = append(s.Problems, t.problems...)
		if t.linear != nil {
			b.SetLFT(t.node, t.linear)
		}
		if t.multicast != nil {
			s.Multicast[t.node] = t.multicast
		}
	}
	return ended(ctx, c)
}

// read reads both tables of a switch.
func (t *tables) read(ctx context.Context, c *madrpc.Client) {
	to, reachable := target(t.node)
	info, known := t.node.SwitchInfo()
	if !reachable || !known {
		t.problems = append(t.problems, ofUnknownSize(t.node, to))
		return
	}
	t.readLinear(ctx, c, to, topOf(&info))
	t.readMulticast(ctx, c, to, &info)
}

// readLinear reads the linear forwarding table. What is not known has no port.
func (t *tables) readLinear(ctx context.Context, c *madrpc.Client, to mad.Target, top ib.LID) {
	l := readLinear(ctx, c, t.node, to, top)
	t.linear = l.Ports
	if l.Problem != nil {
		t.problems = append(t.problems, *l.Problem)
	}
}

// readMulticast reads the multicast forwarding table, as far as it is in use.
func (t *tables) readMulticast(ctx context.Context, c *madrpc.Client, to mad.Target, info *smp.SwitchInfo) {
	last, used := lastMulticast(info)
	if !used {
		t.multicast = []snapshot.MulticastBlock{}
		return
	}
	misses, lost := 0, 0
	var first error
	for lid, block := range forwarding.Multicast(ctx, c, to, uint8(t.node.NumPorts()), ib.MinMulticastLID, last) {
		number, _, _ := smp.MFTBlock(lid)
		for position := range block.Parts {
			part := &block.Parts[position]
			if part.Err != nil {
				if lost++; first == nil {
					first = part.Err
				}
				misses++
				continue
			}
			misses = 0
			t.addMulticast(uint8(position), number, &part.Table)
		}
		if misses >= maxMisses {
			break
		}
	}
	if lost > 0 {
		t.problems = append(t.problems, problem(t.node, -1, to, 0, smp.AttrMulticastForwardingTable, 0, "the multicast forwarding table is not whole", first))
	} else if t.multicast == nil {
		t.multicast = []snapshot.MulticastBlock{}
	}
}

// addMulticast keeps a block that has a port.
func (t *tables) addMulticast(position uint8, number uint16, table *smp.MulticastForwardingTable) {
	if table.PortMasks == [smp.MLIDsPerBlock]uint16{} {
		return
	}
	b := snapshot.MulticastBlock{Position: position, Block: number}
	table.Encode(&b.Masks)
	t.multicast = append(t.multicast, b)
}

// lastMulticast is the last multicast LID that a switch may know: its
// MulticastFDBTop, or where it has none its capacity (IBA vol. 1, 14.2.5.4).
func lastMulticast(info *smp.SwitchInfo) (ib.LID, bool) {
	const lowest, highest = uint32(ib.MinMulticastLID), uint32(ib.PermissiveLID) - 1
	last := min(lowest+uint32(info.MulticastFDBCap)-1, highest)
	if top := uint32(info.MulticastFDBTop); top != 0 && top >= lowest-1 {
		last = min(last, top)
	}
	return ib.LID(last), last >= lowest
}
