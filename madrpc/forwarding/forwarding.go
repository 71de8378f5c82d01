// Package forwarding reads the forwarding tables of a switch, with several blocks
// in flight, and yields the blocks in order.
package forwarding

import (
	"context"
	"iter"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// window is how many requests are in flight to one switch, unless the client
// allows fewer for a target.
const window = 8

// Unicast reads the blocks of a linear forwarding table from that of LID first to
// that of LID last, and yields each with the LID that its first entry is for. A
// block that could not be read is yielded with its error, a *madrpc.Error, and
// does not end the loop; the end of ctx does.
func Unicast(ctx context.Context, c *madrpc.Client, to mad.Target, first, last ib.LID) iter.Seq2[ib.LID, Block] {
	start, _ := smp.LFTBlock(first)
	end, _ := smp.LFTBlock(last)
	return func(yield func(ib.LID, Block) bool) {
		if last < first {
			return
		}
		prepare := func(i int, r *madrpc.Request) {
			r.Target = to
			r.Packet.Init(to.SMPClass(), mad.MethodGet, smp.AttrLinearForwardingTable, start+uint32(i))
		}
		for i, r := range madrpc.Ordered(ctx, c, int(end-start)+1, window, prepare) {
			b := Block{Err: r.Err}
			if r.Err == nil {
				b.Table.Decode(r.Packet.SMPData())
			}
			if !yield(ib.LID(start+uint32(i))*smp.LIDsPerBlock, b) {
				return
			}
		}
	}
}

// Block is a block of a linear forwarding table, or why there is none.
type Block struct {
	Table smp.LinearForwardingTable
	Err   error
}

// Multicast is Unicast for the multicast forwarding table of a switch with so
// many ports. It yields the blocks from that of first to that of last, which are
// multicast LIDs; other LIDs yield nothing.
func Multicast(ctx context.Context, c *madrpc.Client, to mad.Target, ports uint8, first, last ib.LID) iter.Seq2[ib.LID, MulticastBlock] {
	start, _, ok := smp.MFTBlock(first)
	end, _, okEnd := smp.MFTBlock(last)
	return func(yield func(ib.LID, MulticastBlock) bool) {
		if !ok || !okEnd || last < first {
			return
		}
		positions := int(ports)/smp.PortsPerMask + 1
		prepare := func(i int, r *madrpc.Request) {
			r.Target = to
			modifier := smp.MFTModifier(uint8(i%positions), start+uint16(i/positions))
			r.Packet.Init(to.SMPClass(), mad.MethodGet, smp.AttrMulticastForwardingTable, modifier)
		}
		block := MulticastBlock{Parts: make([]Part, positions)}
		for i, r := range madrpc.Ordered(ctx, c, (int(end-start)+1)*positions, window, prepare) {
			part := &block.Parts[i%positions]
			*part = Part{Err: r.Err}
			if r.Err == nil {
				part.Table.Decode(r.Packet.SMPData())
			}
			if i%positions < positions-1 {
				continue
			}
			lid := ib.MinMulticastLID + ib.LID(start+uint16(i/positions))*smp.MLIDsPerBlock
			if !yield(lid, block) {
				return
			}
		}
	}
}

// MulticastBlock is a block of a multicast forwarding table: the parts of
// smp.PortsPerMask ports each, lowest ports first. It is valid until the next one.
type MulticastBlock struct{ Parts []Part }

// Part is what a MulticastBlock has for some ports, or why it has nothing.
type Part struct {
	Table smp.MulticastForwardingTable
	Err   error
}

// Mask is the ports of part i to which packets go whose LID has that index in the
// block; none where the part could not be read.
func (b *MulticastBlock) Mask(i, index int) uint16 { return b.Parts[i].Table.PortMasks[index] }

// Has reports whether packets go to a port.
func (b *MulticastBlock) Has(index int, port uint8) bool {
	position, bit := smp.MFTPort(port)
	return int(position) < len(b.Parts) && b.Mask(int(position), index)&(1<<bit) != 0
}
