// Package historytest makes a history for tests: always the same, of a day in which a
// few things happen.
package historytest

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/history"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// Begin is when the history begins, End when it ends.
var (
	Begin = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	End   = Begin.Add(8 * time.Hour)
)

// step is between two passes, and two sweeps.
const step = 10 * time.Minute

// Options tell what is in a history.
type Options struct {
	Name     string // of the fabric; "" is "lab"
	Topology string // "" is a small fat tree
	// Describe gives nodes other names, by their position; nil keeps those of the
	// topology.
	Describe func(number int) string
}

// Make makes a history in a directory, and gives its path. Two hours after Begin the
// link of port 3 of a switch goes down, half an hour later it is up again; after five
// hours a host gets another name.
func Make(tb testing.TB, dir string, o Options) string {
	tb.Helper()
	m := &maker{tb: tb, name: "lab", now: Begin}
	if o.Name != "" {
		m.name = o.Name
	}
	topology := "fattree?levels=2&radix=4&hosts=4"
	if o.Topology != "" {
		topology = o.Topology
	}
	model, err := gen.Parse(topology)
	m.must(err)
	if o.Describe != nil {
		for n := range model.Nodes() {
			text := n.DescriptionBytes()
			clear(text[:])
			copy(text[:], o.Describe(n.Index()))
		}
	}
	m.sim, err = sim.New(model, nil)
	m.must(err)
	defer m.sim.Close()
	path := filepath.Join(dir, history.FileName)
	m.db, err = history.Open(tb.Context(), path, &history.Options{Now: func() time.Time { return End }})
	m.must(err)
	m.fill()
	m.must(m.db.Close())
	return path
}

type maker struct {
	tb   testing.TB
	name string
	now  time.Time
	sim  *sim.Fabric
	db   *history.DB
	log  *event.Log
}

func (m *maker) must(err error) {
	m.tb.Helper()
	if err != nil {
		m.tb.Fatal(err)
	}
}

// fill lets the day go by.
func (m *maker) fill() {
	ctx, cancel := context.WithCancel(context.WithoutCancel(m.tb.Context()))
	m.log = event.NewLog(1000, 1)
	ended := make(chan error)
	go func() { ended <- m.db.Run(ctx, m.log) }()
	var sw, host *fabric.Node
	for n := range m.sim.Model().Nodes() {
		if sw == nil && n.Type() == ib.NodeSwitch && n.Port(3).Remote() != nil {
			sw = n
		}
		if n.Type() == ib.NodeCA {
			host = n
		}
	}
	port := sw.Port(3)
	for ; !m.now.After(End); m.now = m.now.Add(step) {
		switch m.now.Sub(Begin) {
		case 2 * time.Hour:
			m.must(m.sim.LinkDown(sim.Place{Node: sw, Port: 3}))
			m.tell(event.Event{Kind: event.LinkDown, Severity: event.Critical, At: end(port), To: end(port.Remote()), Old: "4xHDR", How: "refresh"})
		case 2*time.Hour + 30*time.Minute:
			m.must(m.sim.LinkUp(sim.Place{Node: sw, Port: 3}))
			m.tell(event.Event{Kind: event.LinkUp, Severity: event.Info, At: end(port), To: end(port.Remote()), New: "4xHDR", How: "refresh", Again: 1})
		case 5 * time.Hour:
			was := host.Description()
			m.must(m.sim.SetNodeDescription(host, "db1 mlx5_0"))
			at := end(host.Port(1))
			at.Name, at.Port = "db1 mlx5_0", -1
			m.tell(event.Event{Kind: event.NodeRenamed, Severity: event.Info, At: at, Old: was, New: "db1 mlx5_0", How: "verification"})
		}
		m.store()
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		m.must(err)
	}
	m.must(m.db.Status().Err)
}

func (m *maker) tell(e event.Event) {
	e.Time, e.Since, e.Fabric = m.now, m.now.Add(-step), m.name
	m.log.Add(e)
}

// end is a port as events name it.
func end(p *fabric.Port) event.End {
	n := p.Node()
	return event.End{GUID: n.GUID(), Type: n.Type(), Name: n.Description(), Port: p.Num(), LID: p.LID()}
}

// store hands a state over, and waits until it is stored.
func (m *maker) store() {
	port, err := m.sim.Attach(nil)
	m.must(err)
	f, err := discover.Run(m.tb.Context(), port, nil)
	m.must(err)
	m.db.Record(&watch.State{Name: m.name, Source: "sim:lab", Fabric: f, At: m.now, Totals: m.table(f), Connected: true})
	for m.db.Status().Waiting > 0 {
		if err := m.db.Status().Err; err != nil {
			m.tb.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// table is a pass: each port sends by its number and the hour.
func (m *maker) table(f *fabric.Fabric) *total.Table {
	var ports []*total.Port
	for n := range f.Nodes() {
		for p := range n.Ports() {
			if p.Num() == 0 {
				continue
			}
			v := &total.Port{Key: total.Key{Node: n.GUID(), Num: p.Num()}, At: m.now, Interval: step, Has: counters.All, Rated: counters.All}
			if p.Remote() != nil {
				v.Rates[counters.XmitData] = float64(p.Num()) * 1e9 * float64(1+m.now.Hour())
				v.Rates[counters.RcvData] = v.Rates[counters.XmitData] / 2
				v.Rates[counters.XmitPkts], v.Rates[counters.RcvPkts] = v.Rates[counters.XmitData]/2048, v.Rates[counters.RcvData]/2048
				v.Congestion = float64(m.now.Hour()) / 100
			}
			if p.Num() == 3 && m.now.Hour() == 1 {
				v.Added[counters.SymbolErrors] = 7
			}
			ports = append(ports, v)
		}
	}
	return total.NewTable(m.now, sorted(ports))
}

// sorted puts ports in the order that a table has.
func sorted(ports []*total.Port) []*total.Port {
	slices.SortFunc(ports, func(a, b *total.Port) int {
		return cmp.Or(a.Node.Compare(b.Node), cmp.Compare(a.Num, b.Num))
	})
	return ports
}
