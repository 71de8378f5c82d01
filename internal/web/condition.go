package web

import (
	"fmt"
	"math"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/drawing"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// condition is what changes of a fabric from one moment to the next. Its columns are
// those of the structure of the same version. Times are seconds since 1970.
type condition struct {
	Version   string `json:"version"`
	At        int64  `json:"at"`      // of the sweep
	Counted   int64  `json:"counted"` // of the pass over the counters, 0 for none
	Stored    bool   `json:"stored"`
	Connected bool   `json:"connected"`
	Lost      int64  `json:"lost,omitempty"`
	Error     string `json:"error,omitempty"`
	Source    string `json:"source"`
	Gone      []int  `json:"gone"` // nodes that are not there any more
	Degraded  int    `json:"degraded"`
	Flapping  int    `json:"flapping"`
	Erring    int    `json:"erring"`

	Rates []rate         `json:"rates"`
	Links linkConditions `json:"links"`
}

// rate is a width and a speed.
type rate struct {
	Text  string  `json:"text"` // "4x HDR"
	Speed string  `json:"speed"`
	Lanes int     `json:"lanes"`
	Gbps  float64 `json:"gbps"`
}

type linkConditions struct {
	State  []int     `json:"state"` // 0 active, 1 not active, 2 down, 3 an end is gone
	Rate   []int     `json:"rate"`
	Best   []int     `json:"best"`   // that both ends could run at
	Flags  []int     `json:"flags"`  // 1 degraded, 2 flapping, 4 errors beyond their thresholds, 8 counted
	There  []int64   `json:"there"`  // bytes per second from the first end to the second
	Back   []int64   `json:"back"`   // and back
	Errors []uint64  `json:"errors"` // of both ends, without PortXmitWait
	Growth []float64 `json:"growth"` // errors per minute
	Wait   []int     `json:"wait"`   // the share of the time without credits in thousandths, -1 not known
	Last   []int64   `json:"last"`   // when the last event was, 0 for none
	Flaps  []int     `json:"flaps"`  // in the events that are kept
}

// States of links.
const (
	linkActive = iota
	linkInactive
	linkDown
	linkGone
)

// Flags of links.
const (
	isDegraded = 1 << iota
	isFlapping
	isErring
	isCounted
)

// stateOf tells how the links are.
func (s *structure) stateOf(w *watch.State, events []event.Event) *condition {
	n := len(s.Links.A)
	c := &condition{
		Version: s.Version, At: unix(w.At), Stored: w.Stored, Connected: w.Connected, Lost: unix(w.Lost), Source: w.Source, Gone: []int{},
		Links: linkConditions{
			State: make([]int, n), Rate: make([]int, n), Best: make([]int, n), Flags: make([]int, n), There: make([]int64, n), Back: make([]int64, n),
			Errors: make([]uint64, n), Growth: make([]float64, n), Wait: make([]int, n), Last: make([]int64, n), Flaps: make([]int, n),
		},
	}
	if w.Err != nil {
		c.Error = drawing.Label(w.Err.Error())
	}
	if w.Totals != nil {
		c.Counted = unix(w.Totals.At)
	}
	there := make([]bool, len(s.guids))
	for i, guid := range s.guids {
		if w.Fabric != nil {
			_, there[i] = w.Fabric.NodeByGUID(guid)
		}
		if !there[i] {
			c.Gone = append(c.Gone, i)
		}
	}
	s.tellEvents(c, events, w.Name)
	g := gauge{c: c, w: w, rates: map[fabric.LinkRate]int{}, watched: threshold.Default().Watched()}
	for i, first := range s.first {
		g.link(i, first, !there[s.Links.A[i]] || !there[s.Links.B[i]])
	}
	c.sum()
	return c
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func (c *condition) sum() {
	for i, f := range c.Links.Flags {
		if c.Links.State[i] == linkActive && f&isDegraded != 0 {
			c.Degraded++
		}
		if f&isFlapping != 0 {
			c.Flapping++
		}
		if f&isErring != 0 {
			c.Erring++
		}
	}
}

// gauge reads links.
type gauge struct {
	c       *condition
	w       *watch.State
	rates   map[fabric.LinkRate]int
	watched counters.Set
}

// link fills the columns of a link, which is at a port.
func (g *gauge) link(at int, key end, gone bool) {
	l := &g.c.Links
	l.Wait[at] = -1
	none := g.rate(fabric.LinkRate{})
	l.Rate[at], l.Best[at] = none, none
	p := portOf(g.w.Fabric, key)
	switch {
	case gone:
		l.State[at] = linkGone
		return
	case p == nil || p.Remote() == nil:
		l.State[at] = linkDown
		return
	}
	both := fabric.Link{A: p, B: p.Remote()}
	if drawing.IsDown(both) {
		l.State[at] = linkInactive
	}
	l.Rate[at], l.Best[at] = g.rate(drawing.ActiveRate(both)), g.rate(both.Best())
	if both.IsDegraded() {
		l.Flags[at] |= isDegraded
	}
	a, b := g.w.Totals.Port(key.node, key.port), g.w.Totals.Port(both.B.Node().GUID(), both.B.Num())
	g.count(at, a)
	g.count(at, b)
	// The end that hears knows as well as the end that sends.
	l.There[at] = max(rateOf(a, counters.XmitData), rateOf(b, counters.RcvData))
	l.Back[at] = max(rateOf(b, counters.XmitData), rateOf(a, counters.RcvData))
}

// count adds the counters of an end, which may be nil.
func (g *gauge) count(at int, t *total.Port) {
	if t == nil {
		return
	}
	l := &g.c.Links
	l.Flags[at] |= isCounted
	for c := range (t.Has & g.watched).All() {
		if sum := l.Errors[at] + t.Values[c]; sum >= t.Values[c] {
			l.Errors[at] = sum
		}
		if t.Rated.Has(c) {
			l.Growth[at] += math.Round(t.Rates[c]*60*1000) / 1000
		}
	}
	if t.Congestion >= 0 && t.Rated.Has(counters.XmitWait) {
		l.Wait[at] = max(l.Wait[at], int(t.Congestion*1000))
	}
}

func rateOf(t *total.Port, c counters.Counter) int64 {
	if t == nil || !t.Rated.Has(c) {
		return 0
	}
	return int64(t.Rates[c])
}

// rate is the number of a rate.
func (g *gauge) rate(r fabric.LinkRate) int {
	at, known := g.rates[r]
	if !known {
		at = len(g.c.Rates)
		g.rates[r] = at
		item := rate{Text: "rate not known", Speed: "not known"}
		if r.Width != 0 && r.Speed != 0 {
			item = rate{fmt.Sprintf("%s %s", r.Width, r.Speed), r.Speed.String(), r.Width.Lanes(), ib.RateGbps(r.Width, r.Speed)}
		}
		g.c.Rates = append(g.c.Rates, item)
	}
	return at
}

// tellEvents takes from the events of a fabric what they say of its links.
func (s *structure) tellEvents(c *condition, events []event.Event, name string) {
	for i := range events {
		e := &events[i]
		if e.Fabric != name || e.At.Port < 0 {
			continue
		}
		at, ok := s.byPort[end{e.At.GUID, e.At.Port}]
		if !ok {
			if at, ok = s.byPort[end{e.To.GUID, e.To.Port}]; !ok {
				continue
			}
		}
		l := &c.Links
		l.Last[at] = max(l.Last[at], unix(e.Time))
		l.Flaps[at] += int(min(e.Falls(), math.MaxInt32))
		switch begins, ends := e.Flap(); {
		case begins:
			l.Flags[at] |= isFlapping
		case ends:
			l.Flags[at] &^= isFlapping
		}
		switch e.Kind {
		case event.ErrorsHigh:
			l.Flags[at] |= isErring
		case event.ErrorsEnded:
			l.Flags[at] &^= isErring
		}
	}
}
