package watch

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
)

// Routes are the linear forwarding tables of the switches of a fabric, as they were last
// read. They are immutable. A table that is as before is the one of before: a reading
// that finds nothing new takes no memory, and all tables together take a byte for each
// switch and LID: 9 MB where 800 switches forward to 11,000 LIDs.
type Routes struct {
	At     time.Time // when the last reading ended
	Tables map[ib.GUID]RouteTable
}

// RouteTable is the table of a switch.
type RouteTable struct {
	Ports   []uint8         // by LID, route.NoPort for none; LIDs beyond its end have none. Nil: it is not known
	At      time.Time       // when it was read, or could not be
	Problem *fabric.Problem // why it is not known, nil where it is
}

// LFTs are the tables of the switches of a fabric, and those of them that are not known.
// Nil Routes know none. Of switches with one GUID the first has the table.
func (r *Routes) LFTs(f *fabric.Fabric) (t route.LFTs, unread []*fabric.Node) {
	t = route.LFTs{}
	for sw := range f.Switches() {
		if table := r.of(f, sw); table != nil {
			t[sw] = table
		} else {
			unread = append(unread, sw)
		}
	}
	return t, unread
}

// In is a fabric that has the tables, one of its own. Without any it is the same.
func (r *Routes) In(f *fabric.Fabric) *fabric.Fabric {
	tables, _ := r.LFTs(f)
	if len(tables) == 0 {
		return f
	}
	return f.Copy(func(b *fabric.Builder, n *fabric.Node) {
		if first, _ := f.NodeByGUID(n.GUID()); first.Index() != n.Index() {
			return
		}
		if table := r.Tables[n.GUID()].Ports; table != nil && n.Type() == ib.NodeSwitch {
			b.SetLFT(n, table)
		}
	})
}

// Problems are those of the tables of a fabric that are not known, in its order.
func (r *Routes) Problems(f *fabric.Fabric) (list []fabric.Problem) {
	if r == nil {
		return nil
	}
	for sw := range f.Switches() {
		if p := r.Tables[sw.GUID()].Problem; p != nil {
			list = append(list, *p)
		}
	}
	return list
}

func (r *Routes) of(f *fabric.Fabric, sw *fabric.Node) []uint8 {
	if first, _ := f.NodeByGUID(sw.GUID()); r == nil || first != sw {
		return nil
	}
	return r.Tables[sw.GUID()].Ports
}

// Oldest is when the oldest of the tables of some switches was read; zero for none of
// them.
func (r *Routes) Oldest(of ...ib.GUID) (oldest time.Time) {
	if r == nil {
		return oldest
	}
	for _, g := range of {
		if t := r.Tables[g]; t.Ports != nil && (oldest.IsZero() || t.At.Before(oldest)) {
			oldest = t.At
		}
	}
	return oldest
}

// with is a table, which is the one of before where that is the same.
func (t RouteTable) with(ports []uint8) RouteTable {
	if t.Ports != nil && slices.Equal(t.Ports, ports) {
		return t
	}
	t.Ports = ports
	return t
}

// storedRoutes are the tables that a stored fabric has; nil if it has none. Problems are
// those of reading them.
func storedRoutes(f *fabric.Fabric, at time.Time, problems []fabric.Problem) *Routes {
	tables, _ := route.TablesOf(f, problems...)
	if len(tables) == 0 {
		return nil
	}
	r := &Routes{At: at, Tables: map[ib.GUID]RouteTable{}}
	for sw, ports := range tables {
		if first, _ := f.NodeByGUID(sw.GUID()); first == sw {
			r.Tables[sw.GUID()] = RouteTable{Ports: ports, At: at}
		}
	}
	for i := range problems {
		p := problems[i]
		if n, ok := f.NodeByGUID(p.GUID); ok && n.Type() == ib.NodeSwitch && r.Tables[p.GUID].Ports == nil {
			r.Tables[p.GUID] = RouteTable{At: at, Problem: &p}
		}
	}
	return r
}
