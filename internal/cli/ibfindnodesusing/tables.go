package ibfindnodesusing

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// read reads the forwarding tables of switches, those aside that a stored fabric
// has. What could not be read is told, and is empty.
func (l *link) read(ctx context.Context, c *diags.Common, switches []*fabric.Node) (route.LFTs, error) {
	tables := route.LFTs{}
	var client *madrpc.Client
	for _, sw := range switches {
		if table := sw.LFT(); table != nil {
			tables[sw] = table
			continue
		}
		if client == nil {
			var err error
			if client, err = c.Client(ctx); err != nil {
				return nil, err
			}
			defer client.Close()
		}
		table, err := l.readTable(ctx, c, client, sw)
		if err != nil {
			return nil, err
		}
		tables[sw] = table
	}
	return tables, nil
}

func (l *link) readTable(ctx context.Context, c *diags.Common, client *madrpc.Client, sw *fabric.Node) ([]uint8, error) {
	info, _ := sw.SwitchInfo() // without it the table is empty, and the sweep has told of it
	path, _ := sw.Path()
	top := min(ib.LID(info.LinearFDBTop), ib.MaxUnicastLID)
	table := make([]uint8, int(top)+smp.LIDsPerBlock)
	for i := range table {
		table[i] = route.NoPort
	}
	if top == 0 {
		return table, nil
	}
	for lid, block := range forwarding.Unicast(ctx, client, mad.ByPath(path), 0, top) {
		if block.Err != nil {
			c.Failed(block.Err)
			l.unread = true
			continue
		}
		copy(table[lid:], block.Table.Ports[:])
	}
	return table[:int(top)+1], ctx.Err()
}
