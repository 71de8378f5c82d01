package watch

import (
	"cmp"
	"context"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// maxManagers bounds how many ports are asked for their subnet manager.
const maxManagers = 64

// askManagers asks the ports that say that they have a subnet manager, and the one that
// the own port takes for it, which may not have said so when its PortInfo was last read.
// Who does not answer is left out. The error is the context's, or what ended the client.
func askManagers(ctx context.Context, client *madrpc.Client, f *fabric.Fabric) ([]Manager, error) {
	var list []Manager
	for _, p := range candidates(ctx, client, f) {
		path, ok := p.Node().Path()
		if !ok {
			continue
		}
		info, err := madrpc.GetSMP[smp.SMInfo](ctx, client, mad.ByPath(path), 0)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		if client.Err() != nil {
			return list, client.Err()
		}
		if err != nil {
			continue
		}
		list = append(list, Manager{
			Node: p.Node().GUID(), Port: p.Num(), GUID: info.GUID, LID: p.LID(),
			State: info.State, Priority: info.Priority, Activity: info.ActCount,
		})
	}
	slices.SortStableFunc(list, func(a, b Manager) int { return cmp.Compare(rank(a.State), rank(b.State)) })
	return list, nil
}

// rank puts the master first.
func rank(s ib.SMState) int {
	switch s {
	case ib.SMMaster:
		return 0
	case ib.SMStandby:
		return 1
	}
	return 2
}

// candidates are the ports to ask.
func candidates(ctx context.Context, client *madrpc.Client, f *fabric.Fabric) []*fabric.Port {
	var list []*fabric.Port
	for p := range health.MayManage(f) {
		if len(list) < maxManagers {
			list = append(list, p)
		}
	}
	start := f.Start()
	if start == nil {
		return list
	}
	port := uint32(start.Num())
	if start.Node().Type() == ib.NodeSwitch {
		port = 0
	}
	path, _ := start.Node().Path()
	own, err := madrpc.GetSMP[smp.PortInfo](ctx, client, mad.ByPath(path), port)
	if err != nil {
		return list
	}
	if master, ok := f.PortByLID(own.SMLID); ok && !slices.Contains(list, master) {
		list = append(list, master)
	}
	return list
}
