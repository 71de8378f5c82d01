package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// Linear is what was read of the linear forwarding table of a switch.
type Linear struct {
	Ports   []uint8         // by LID, up to LinearFDBTop; NoPort where nothing is known; nil if no block was read
	Asked   int             // blocks that were asked for
	Problem *fabric.Problem // what is missing, nil for nothing
}

// ReadLinear reads the linear forwarding table of a switch, several blocks at once, as
// far as the LinearFDBTop that its sweep has found. After two blocks in a row without an
// answer the rest is not asked for. Whether the end of the context or of the client is
// why something is missing, these tell.
func ReadLinear(ctx context.Context, c *madrpc.Client, sw *fabric.Node) Linear {
	to, reachable := target(sw)
	info, known := sw.SwitchInfo()
	if !reachable || !known {
		p := ofUnknownSize(sw, to)
		return Linear{Problem: &p}
	}
	return readLinear(ctx, c, sw, to, topOf(&info))
}

func ofUnknownSize(sw *fabric.Node, to mad.Target) fabric.Problem {
	return fabric.Problem{
		Kind: fabric.NoReply, Target: to, GUID: sw.GUID(), Port: -1, Attr: smp.AttrSwitchInfo,
		Detail: "has forwarding tables of unknown size, which were not read",
	}
}

// topOf is the last LID that a table is for.
func topOf(info *smp.SwitchInfo) ib.LID { return min(ib.LID(info.LinearFDBTop), ib.MaxUnicastLID) }

func readLinear(ctx context.Context, c *madrpc.Client, sw *fabric.Node, to mad.Target, top ib.LID) Linear {
	table := slices.Repeat([]uint8{smp.NoPort}, int(top)+1)
	got, lost, misses := 0, 0, 0
	var first error
	for lid, block := range forwarding.Unicast(ctx, c, to, 0, top) {
		if block.Err == nil {
			copy(table[lid:], block.Table.Ports[:])
			got++
			misses = 0
			continue
		}
		if lost++; first == nil {
			first = block.Err
		}
		if misses++; misses == maxMisses {
			break
		}
	}
	l := Linear{Asked: got + lost}
	if got > 0 {
		l.Ports = table
	}
	if lost > 0 {
		total := int(top)/smp.LIDsPerBlock + 1
		detail := fmt.Sprintf("%d of %d blocks of the linear forwarding table were read", got, total)
		p := problem(sw, -1, to, 0, smp.AttrLinearForwardingTable, 0, detail, first)
		l.Problem = &p
	}
	return l
}
