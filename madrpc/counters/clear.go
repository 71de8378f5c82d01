package counters

import (
	"context"
	"iter"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// Node is an agent of performance management, and those of its ports whose
// counters are to be reset. Each port of an adapter has an agent at its own LID.
type Node struct {
	To    mad.Target
	Ports []uint8
}

// What says which counters: those of errors, those of data and packets, or both.
type What struct{ Errors, Data bool }

// maxNodes is how many nodes are asked at the same time; each has one request on
// its way.
const maxNodes = 64

// Clear resets counters and yields each node, in order, when it is done, with the
// first error; an agent that does not answer is not asked about its other ports.
// Nodes that were not asked before ctx ended have its error, bare.
// The loop may be left at any time; what is on its way then still happens.
func Clear(ctx context.Context, c *madrpc.Client, nodes []Node, what What) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		whole := ctx
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		turns := make(chan chan error, maxNodes)
		go func() {
			defer close(turns)
			for i := range nodes {
				done := make(chan error, 1)
				select {
				case turns <- done:
				case <-ctx.Done():
					return
				}
				go func() { done <- clearNode(ctx, c, &nodes[i], what) }()
			}
		}()
		i := 0
		for done := range turns {
			if !yield(i, <-done) {
				return
			}
			i++
		}
		for ; i < len(nodes); i++ {
			if !yield(i, whole.Err()) {
				return
			}
		}
	}
}

// clearNode resets the counters of a node, as far as its agent has them.
func clearNode(ctx context.Context, c *madrpc.Client, n *Node, what What) error {
	if len(n.Ports) == 0 {
		return nil
	}
	var info pma.ClassPortInfo
	port := n.Ports[0]
	if err := madrpc.Get(ctx, c, n.To, 0, &info, func(p *mad.Packet) { p.Data()[1] = port }); err != nil {
		return err
	}
	mask, extended := masks(&info, what)
	for _, port := range n.Ports {
		if err := reset(ctx, c, n.To, new(pma.PortCounters), port, mask); err != nil {
			return err
		}
		if err := reset(ctx, c, n.To, new(pma.PortCountersExtended), port, extended); err != nil {
			return err
		}
	}
	return nil
}

// masks select the counters of PortCounters and PortCountersExtended that an
// agent has: 12 error counters and four of data in the first, eight of data and
// then those of errors in the second.
func masks(info *pma.ClassPortInfo, what What) (mask, extended uint64) {
	hasExtended := info.CapMask&(pma.CapExtendedWidth|pma.CapExtendedWidthNoIETF) != 0
	additional := hasExtended && info.CapMask2&pma.Cap2AdditionalExtCounters != 0
	if what.Errors {
		mask = 0xfff
		if info.CapMask&pma.CapXmitWait != 0 {
			mask |= pma.SelectPortCountersXmitWait
		}
		if additional {
			extended = 0xfff0000
			if info.CapMask&pma.CapXmitWait != 0 {
				extended |= pma.SelectPortCountersExtendedXmitWait
			}
		}
	}
	if what.Data {
		mask |= 0xf000
		if hasExtended {
			extended |= 0xf
		}
		if info.CapMask&pma.CapExtendedWidth != 0 {
			extended |= 0xff
		}
	}
	return mask, extended
}

type attribute interface {
	madrpc.Attribute
	field.Value
}

// reset resets counters; a mask of 0 is nothing to do.
func reset(ctx context.Context, c *madrpc.Client, to mad.Target, v attribute, port uint8, mask uint64) error {
	if mask == 0 {
		return nil
	}
	if err := pma.SelectCounters(v, port, mask); err != nil {
		return err
	}
	return madrpc.Set(ctx, c, to, 0, v)
}
