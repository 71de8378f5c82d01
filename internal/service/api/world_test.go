package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// evil is a description that nobody should believe.
const evil = "<script>alert(1)</script>\x1b[31m\u202e\u2028\"'`\\\x80"

// began is when all of it happens.
var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is an API about a fabric with all kinds of trouble, and one of which nothing is
// known.
type world struct {
	t      testing.TB
	mu     sync.Mutex // of states, while somebody follows them
	states []*watch.State
	log    *event.Log
	api    *API
}

// damaged is a fat tree in which the first leaf has a narrow link at port 1, a slow one at
// port 2, one that is down at port 3, and a host with an evil name at port 4.
func damaged(t testing.TB, topology string) *fabric.Fabric {
	t.Helper()
	m, err := gen.Parse(topology)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	leaf := firstLeaf(m)
	at := func(port int) sim.Place { return sim.Place{Node: leaf, Port: port} }
	for _, err := range []error{
		s.LimitLink(at(1), fabric.LinkRate{Width: ib.Width1x}), s.LimitLink(at(2), fabric.LinkRate{Speed: ib.SpeedEDR}),
		s.LinkDown(at(3)), s.SetNodeDescription(leaf.Port(4).Remote().Node(), evil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	port, err := s.Attach(leaf.Port(4).Remote())
	if err != nil {
		t.Fatal(err)
	}
	f, err := discover.Run(t.Context(), port, &discover.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func firstLeaf(f *fabric.Fabric) *fabric.Node {
	for n := range f.Switches() {
		for p := range n.Ports() {
			if r := p.Remote(); r != nil && r.Node().Type() == ib.NodeCA {
				return n
			}
		}
	}
	return nil
}

// totals are such that each port has sent as many bytes a second as its number times a
// million, and port 1 of the leaf has errors.
func totals(f *fabric.Fabric) *total.Table {
	leaf := firstLeaf(f)
	has := counters.Traffic | counters.SetOf(counters.SymbolErrors, counters.LinkDowned, counters.XmitWait)
	var ports []*total.Port
	for p := range f.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		t := &total.Port{
			Key: total.Key{Node: p.Node().GUID(), Num: p.Num()}, Has: has, Rated: has, Congestion: 0.25, At: began, Interval: time.Minute,
		}
		t.Values[counters.XmitData], t.Rates[counters.XmitData] = 1<<60, float64(p.Num())*1e6
		t.Values[counters.RcvData], t.Rates[counters.RcvData] = 12345, 5e5
		if p.Node() == leaf && p.Num() == 1 {
			t.Values[counters.SymbolErrors], t.Rates[counters.SymbolErrors], t.Added[counters.SymbolErrors] = 77, 0.5, 30
			t.Saturated = counters.SetOf(counters.SymbolErrors)
		}
		ports = append(ports, t)
	}
	return total.NewTable(began.Add(time.Second), ports)
}

// newWorld makes a world.
func newWorld(t testing.TB) *world {
	t.Helper()
	f := damaged(t, "fattree?levels=2&radix=8")
	s := watch.Static("main", "sim:fattree?levels=2&radix=8", f, totals(f))
	s.At, s.Stored, s.Connected = began, false, true
	s.Verify = watch.Run{Count: 1, Started: began.Add(-time.Second), Duration: time.Second, Requests: f.Sweep().SMPs, Complete: true}
	leaf := firstLeaf(f)
	s.Managers = []watch.Manager{{Node: leaf.Port(4).Remote().Node().GUID(), Port: 1, State: ib.SMMaster, Priority: 3}}
	w := &world{t: t, log: event.NewLog(100, 41)}
	w.states = []*watch.State{s, {Name: "other", Source: "umad:mlx5_9", Lost: began, Err: os.ErrNotExist}}
	w.api = New(&Options{
		States: w.now, Log: w.log, Follows: true, History: &fakeHistory{f: f}, Program: "ibscope test",
		Started: began, Now: func() time.Time { return began.Add(time.Hour) },
	})
	end := func(p *fabric.Port) event.End {
		return event.End{GUID: p.Node().GUID(), Type: p.Node().Type(), Name: p.Node().Description(), Port: p.Num(), LID: p.LID()}
	}
	p := leaf.Port(4)
	w.log.Add(
		event.Event{Time: began, Fabric: "main", Kind: event.LinkFlap, New: "flapping", Severity: event.Warning, At: end(p), To: end(p.Remote()), Count: 3, How: "refresh"},
		event.Event{Time: began.Add(time.Minute), Fabric: "main", Kind: event.NodeRenamed, Severity: event.Info, At: event.End{GUID: p.Remote().Node().GUID(), Type: ib.NodeCA, Name: evil, Port: -1}, Old: "node0004", New: evil, How: "refresh"},
		event.Event{Time: began.Add(2 * time.Minute), Fabric: "other", Kind: event.FabricLost, Severity: event.Critical, New: "no such device"},
	)
	return w
}

// now are the states.
func (w *world) now() []*watch.State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.states)
}

// renew makes a new state of the first one.
func (w *world) renew() {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := *w.states[0]
	w.states[0] = &s
}

// get asks, and gives the answer and its body.
func (w *world) get(path string, headers ...string) (*http.Response, []byte) {
	w.t.Helper()
	return ask(w.t, w.api, path, headers...)
}

func ask(t testing.TB, h http.Handler, path string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	h.ServeHTTP(out, r)
	answer := out.Result()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, body
}

// read asks for an answer that there is.
func read[T any](w *world, path string) (v T) {
	w.t.Helper()
	answer, body := w.get(Prefix + path)
	if answer.StatusCode != http.StatusOK {
		w.t.Fatalf("%s: %s: %s", path, answer.Status, body)
	}
	if err := json.Unmarshal(body, &v); err != nil {
		w.t.Fatalf("%s: %v\n%s", path, err, body)
	}
	return v
}

// leaf is the path of the first leaf of the main fabric.
func (w *world) leaf() *fabric.Node { return firstLeaf(w.states[0].Fabric) }

// brokenHistory cannot be read.
type brokenHistory struct{ err error }

func (h brokenHistory) Fabric(context.Context, string, time.Time) (*fabric.Fabric, time.Time, error) {
	return nil, time.Time{}, h.err
}

func (h brokenHistory) Rates(context.Context, string, ib.GUID, int, time.Time, time.Time) ([]RatePoint, error) {
	return nil, h.err
}

func (h brokenHistory) Events(context.Context, *EventQuery) ([]event.Event, error) {
	return nil, h.err
}

// fakeHistory knows the fabric with one link more an hour before, and nothing of earlier
// times.
type fakeHistory struct {
	f     *fabric.Fabric
	asked int // for events
}

func (h *fakeHistory) Fabric(_ context.Context, _ string, at time.Time) (*fabric.Fabric, time.Time, error) {
	if at.Before(began.Add(-time.Hour)) {
		return nil, time.Time{}, fmt.Errorf("snapshots: %w", os.ErrNotExist)
	}
	m, err := gen.Parse("fattree?levels=2&radix=8")
	return m, at, err
}

func (h *fakeHistory) Rates(_ context.Context, _ string, node ib.GUID, _ int, since, _ time.Time) ([]RatePoint, error) {
	if _, ok := h.f.NodeByGUID(node); !ok {
		return nil, fmt.Errorf("rates: %w", os.ErrNotExist)
	}
	unknown := RateRange{-1, -1, -1}
	return []RatePoint{
		{From: since, To: since.Add(time.Minute), XmitBytes: RateRange{1, 2, 3}, RcvBytes: unknown, XmitPackets: unknown, RcvPackets: unknown, Congestion: unknown, Errors: -1},
		{From: since.Add(time.Minute), To: since.Add(2 * time.Minute), XmitBytes: RateRange{4, 5, 6}, RcvBytes: unknown, XmitPackets: unknown, RcvPackets: unknown, Congestion: RateRange{0, 0.5, 1}, Errors: 7},
	}, nil
}

// Events are 21 to 43, a minute each; the log has some of these, too.
func (h *fakeHistory) Events(_ context.Context, q *EventQuery) (list []event.Event, _ error) {
	h.asked++
	for id := max(q.After, 20) + 1; id <= 43; id++ {
		e := event.Event{ID: id, Time: began.Add(time.Duration(id-41) * time.Minute), Fabric: "main", Kind: event.LinkUp, Severity: event.Info}
		if !e.Time.Before(q.Since) && (q.Until.IsZero() || e.Time.Before(q.Until)) && (q.Kinds == nil || slices.Contains(q.Kinds, string(e.Kind))) {
			list = append(list, e)
		}
	}
	if over := len(list) - q.Limit; over > 0 && q.Newest {
		list = list[over:]
	} else if over > 0 {
		list = list[:q.Limit]
	}
	return list, nil
}
