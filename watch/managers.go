package watch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

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
// the own port takes for the master, which may not have said so when its PortInfo was last read.
// Who does not answer is left out. The requests are added to those of the run. The error
// is the context's, or what ended the client.
func askManagers(ctx context.Context, client *madrpc.Client, f *fabric.Fabric, master ib.LID, run *Run) ([]Manager, error) {
	queue := client.NewQueue()
	defer queue.Close()
	for _, p := range candidates(f, master) {
		if path, ok := p.Node().Path(); ok {
			r := &madrpc.Request{Target: mad.ByPath(path), Tag: p}
			r.Packet.Init(mad.ClassSubnDirected, mad.MethodGet, smp.AttrSMInfo, 0)
			run.Requests++
			queue.Start(r)
		}
	}
	var list []Manager
	for {
		r, err := queue.Next(ctx)
		switch {
		case errors.Is(err, madrpc.ErrEmpty):
			sortManagers(list)
			return list, client.Err()
		case err != nil:
			return nil, err
		case r.Err == nil:
			var info smp.SMInfo
			info.Decode(r.Packet.SMPData())
			list = append(list, manager(r.Tag.(*fabric.Port), &info))
		}
	}
}

// manager is the one at a port.
func manager(p *fabric.Port, info *smp.SMInfo) Manager {
	return Manager{
		Node: p.Node().GUID(), Port: p.Num(), GUID: info.GUID, LID: p.LID(),
		State: info.State, Priority: info.Priority, Activity: info.ActCount,
	}
}

func sortManagers(list []Manager) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(rank(a.State), rank(b.State)), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Port, b.Port)) < 0
	})
}

// rank puts the master first, and who stands by before who does nothing.
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
func candidates(f *fabric.Fabric, master ib.LID) []*fabric.Port {
	var list []*fabric.Port
	for p := range health.MayManage(f) {
		if len(list) < maxManagers {
			list = append(list, p)
		}
	}
	if p, ok := f.PortByLID(master); ok && !slices.Contains(list, p) {
		list = append(list, p)
	}
	return list
}

// ownPort reads the PortInfo of the port that a sweep began at. So it is known whether
// the own node still answers at its end, and who its master is.
func ownPort(ctx context.Context, client *madrpc.Client, f *fabric.Fabric, run *Run) (smp.PortInfo, error) {
	start := f.Start()
	if start == nil {
		return smp.PortInfo{}, nil
	}
	port := uint32(start.Num())
	if start.Node().Type() == ib.NodeSwitch {
		port = 0
	}
	path, _ := start.Node().Path()
	run.Requests++
	return madrpc.GetSMP[smp.PortInfo](ctx, client, mad.ByPath(path), port)
}
