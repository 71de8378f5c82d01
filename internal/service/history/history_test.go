package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// begin is when the tests' time begins: a full day, in UTC.
var begin = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// clock is a clock that tests set.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// open opens a database in a directory of the test.
func open(tb testing.TB, o *Options) *DB {
	tb.Helper()
	if o == nil {
		o = &Options{}
	}
	_, bench := tb.(*testing.B)
	o.unsafe = !bench
	db, err := Open(tb.Context(), filepath.Join(tb.TempDir(), "x.db"), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return db
}

// lab is a simulated fabric that changes.
type lab struct {
	tb  testing.TB
	sim *sim.Fabric
}

func newLab(tb testing.TB, topology string) *lab {
	tb.Helper()
	model, err := gen.Parse(topology)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return &lab{tb, s}
}

func (l *lab) sweep() *fabric.Fabric {
	l.tb.Helper()
	port, err := l.sim.Attach(nil)
	if err != nil {
		l.tb.Fatal(err)
	}
	f, err := discover.Run(l.tb.Context(), port, nil)
	if err != nil {
		l.tb.Fatal(err)
	}
	return f
}

// change does something to the fabric.
func (l *lab) change(r *rand.Rand) {
	nodes := []*fabric.Node{}
	for n := range l.sim.Model().Nodes() {
		nodes = append(nodes, n)
	}
	n := nodes[r.IntN(len(nodes))]
	at := sim.Place{Node: n, Port: 1 + r.IntN(n.NumPorts())}
	switch r.IntN(4) {
	case 0:
		_ = l.sim.LinkDown(at) // some are down, or have no link: then nothing happens
	case 1:
		_ = l.sim.LinkUp(at)
	case 2:
		if err := l.sim.SetNodeDescription(n, fmt.Sprintf("\"peer\":[1,{\"port\": \x1b %d", r.IntN(100))); err != nil {
			l.tb.Error(err)
		}
	case 3:
		if n.Type() != ib.NodeSwitch {
			_ = l.sim.ReplaceNode(n, sim.Replacement{GUID: ib.GUID(r.Uint64())})
		}
	}
}

// text is all that is known of a fabric.
func text(tb testing.TB, f *fabric.Fabric) string {
	tb.Helper()
	var b bytes.Buffer
	if err := snapshot.WriteJSON(&b, &snapshot.Snapshot{Fabric: f}); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// store runs the writer over what Record has been given.
func store(tb testing.TB, w *writer, log *event.Log, states ...*watch.State) {
	tb.Helper()
	for _, s := range states {
		w.db.Record(s)
		if err := w.work(tb.Context(), log); err != nil {
			tb.Fatal(err)
		}
	}
	if len(states) == 0 {
		if err := w.work(tb.Context(), log); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestFabricAt stores a fabric that changes, with and without restarts, and gets each
// state again.
func TestFabricAt(t *testing.T) {
	t.Parallel()
	l := newLab(t, "fattree?levels=2&radix=8")
	r := rand.New(rand.NewPCG(1, 2))
	c := &clock{begin}
	db := open(t, &Options{Now: c.Now})
	w := newWriter(db)
	type moment struct {
		at   time.Time
		text string
	}
	var list []moment
	for i := range 150 {
		for range r.IntN(3) {
			l.change(r)
		}
		c.now = c.now.Add(time.Minute)
		f := l.sweep()
		store(t, w, event.NewLog(1, 1), &watch.State{Name: "lab", Source: "sim:x", Fabric: f, At: c.now})
		list = append(list, moment{c.now, withoutSweep(text(t, f))})
		if i%40 == 39 {
			w = newWriter(db) // as after a restart
		}
	}
	whole, states := 0, 0
	stored, err := db.Snapshots(t.Context(), "", time.Time{}, time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range stored {
		states++
		if s.Whole {
			whole++
		}
		if s.Until.Before(s.First) || i > 0 && !s.First.After(stored[i-1].Until) || s.Fabric != "lab" || s.Source != "sim:x" {
			t.Errorf("%+v", s)
		}
	}
	if states < 50 || states >= 150 || whole < 1 || whole > states/4 {
		t.Errorf("%d states, %d of them whole", states, whole)
	}
	for _, m := range list {
		f, s, err := db.FabricAt(t.Context(), "lab", m.at.Add(30*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if s.First.After(m.at) || s.Until.Before(m.at) {
			t.Errorf("%s is not from %s to %s", m.at, s.First, s.Until)
		}
		if d := cmp.Diff(m.text, withoutSweep(text(t, f))); d != "" {
			t.Fatalf("at %s (-want +got)\n%s", m.at, d)
		}
	}
	if _, _, err := db.FabricAt(t.Context(), "lab", begin); !errors.Is(err, ErrNothing) {
		t.Errorf("before the first: %v", err)
	}
	if _, _, err := db.FabricAt(t.Context(), "other", begin); !errors.Is(err, ErrNothing) {
		t.Errorf("of another fabric: %v", err)
	}
}

// withoutSweep leaves out what is about the sweep: a fabric that is as it was is not
// stored again.
func withoutSweep(s string) string {
	for i := range s {
		if len(s)-i > 8 && s[i:i+8] == "\"nodes\":" {
			return s[i:]
		}
	}
	return s
}

// table is a pass over some ports.
func table(at time.Time, interval time.Duration, nodes, ports int, rate func(node, port int) float64) *total.Table {
	var list []*total.Port
	for n := range nodes {
		for p := 1; p <= ports; p++ {
			port := &total.Port{Key: total.Key{Node: ib.GUID(n+1) << 8, Num: p}, At: at, Interval: interval, Has: counters.All, Rated: counters.All}
			v := rate(n, p)
			port.Rates[counters.XmitData], port.Rates[counters.RcvData] = v, v/2
			port.Rates[counters.XmitPkts], port.Rates[counters.RcvPkts] = v/100, v/200
			port.Congestion = 0.25
			port.Added[counters.SymbolErrors] = uint64(p)
			port.Added[counters.XmitWait] = 1 << 40
			list = append(list, port)
		}
	}
	return total.NewTable(at, list)
}

func TestEvents(t *testing.T) {
	db := open(t, nil)
	w := newWriter(db)
	log := event.NewLog(100, 7)
	at := begin.Add(123456789)
	full := event.Event{
		Time: at, Since: at.Add(-time.Minute), Fabric: "a", Kind: event.LinkDown, Severity: event.Critical,
		At:    event.End{GUID: 1 << 63, Type: ib.NodeSwitch, Name: "leaf \x1b[1m\"", Port: 3, Label: "1/2", Position: "Line 1", LID: 49151},
		To:    event.End{GUID: 5, Type: ib.NodeCA, Name: "h", Port: -1},
		Field: "f", Old: "o", New: "n", Count: 1 << 63, How: "trap", Again: 3,
	}
	log.Add(full, event.Event{Time: at.Add(time.Second), Fabric: "b", Kind: event.LinkUp, Severity: event.Info, At: event.End{GUID: 9}})
	store(t, w, log)
	log.Add(event.Event{Time: at.Add(time.Hour), Fabric: "a", Kind: event.FabricLost, Severity: event.Critical})
	store(t, w, log)
	full.ID = 7
	for _, tt := range []struct {
		f    Filter
		want []uint64
	}{
		{Filter{}, []uint64{7, 8, 9}},
		{Filter{Fabric: "a"}, []uint64{7, 9}},
		{Filter{After: 7}, []uint64{8, 9}},
		{Filter{GUID: 5}, []uint64{7}},
		{Filter{GUID: 1 << 63}, []uint64{7}},
		{Filter{Kinds: []event.Kind{event.LinkUp, event.FabricLost}}, []uint64{8, 9}},
		{Filter{Severities: []event.Severity{event.Critical}, Limit: 1}, []uint64{7}},
		{Filter{Limit: 2, Newest: true}, []uint64{8, 9}},
		{Filter{Since: at.Add(time.Second), Until: at.Add(time.Hour)}, []uint64{8}},
		{Filter{Fabric: "c"}, nil},
	} {
		list, err := db.Events(t.Context(), &tt.f)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint64
		for _, e := range list {
			got = append(got, e.ID)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%+v (-want +got)\n%s", tt.f, d)
		}
	}
	list, err := db.Events(t.Context(), nil)
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	if d := cmp.Diff(full, list[0]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	last, err := db.Last(t.Context())
	if err != nil || last.Event != 9 || len(last.Fabrics) != 0 {
		t.Errorf("%+v, %v", last, err)
	}
}

// TestRun follows a log that grows faster than its ring is long, and stores states.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir") + string(filepath.Separator)
	if _, err := Open(t.Context(), path, nil); err == nil {
		t.Error("a directory that is not there was opened")
	}
	path = t.TempDir()
	db, err := Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log := event.NewLog(50, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- db.Run(ctx, log) }()
	f := newLab(t, "star?hosts=3").sweep()
	for i := range 40 {
		at := begin.Add(time.Duration(i) * time.Minute)
		log.Add(event.Event{Kind: event.LinkUp, Time: at})
		db.Record(&watch.State{Name: "a", Fabric: f, At: at, Totals: table(at, time.Minute, 3, 1, func(int, int) float64 { return 1000 })})
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	last, err := db.Last(t.Context())
	if err != nil || last.Event != 40 || len(last.Fabrics) != 1 || text(t, last.Fabrics[0].Fabric) != text(t, f) || !last.Fabrics[0].At.Equal(begin.Add(39*time.Minute)) {
		t.Errorf("%+v, %v", last, err)
	}
	s := db.Status()
	if s.Err != nil || s.Event != 40 || s.LostEvents != 0 || s.Bytes == 0 {
		t.Errorf("%+v", s)
	}
	if _, err := Open(t.Context(), path, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("a second writer: %v", err)
	}
	reader, err := Open(t.Context(), filepath.Join(path, FileName), &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if list, err := reader.Events(t.Context(), nil); err != nil || len(list) != 40 {
		t.Errorf("%d events, %v", len(list), err)
	}
}
