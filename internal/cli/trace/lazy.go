package trace

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// lazy is a route.Table of the way to one LID: a block is read when it is needed.
type lazy struct {
	ctx      context.Context
	client   *madrpc.Client
	lid      ib.LID
	read     map[*fabric.Node]uint8
	problems []report.Problem
}

// Knows reads the block, if that is possible.
func (l *lazy) Knows(sw *fabric.Node) bool {
	if _, ok := l.read[sw]; ok {
		return true
	}
	path, reachable := sw.Path()
	info, known := sw.SwitchInfo()
	if !reachable || !known {
		return false
	}
	if l.lid > ib.LID(info.LinearFDBTop) {
		l.read[sw] = route.NoPort
		return true
	}
	for first, block := range forwarding.Unicast(l.ctx, l.client, mad.ByPath(path), l.lid, l.lid) {
		if block.Err != nil {
			l.problems = append(l.problems, report.Lost(block.Err).At(sw.GUID(), -1))
			return false
		}
		l.read[sw] = block.Table.Ports[l.lid-first]
		return true
	}
	return false
}

// Next is what Knows has read.
func (l *lazy) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if port, ok := l.read[sw]; ok && lid == l.lid {
		return port
	}
	return route.NoPort
}
