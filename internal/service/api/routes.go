package api

import (
	"net/http"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// maxRouteFindings bounds what is kept of a check.
const maxRouteFindings = maxLimit

// checkedRoutes is a check of forwarding tables, and what was checked.
type checkedRoutes struct {
	fabric *fabric.Fabric
	routes *watch.Routes
	answer Routes
	found  []routeFinding
}

// routeFinding is a finding, by what it is about: its names are those of the time when
// somebody asks.
type routeFinding struct {
	trouble *route.Trouble
	loop    []route.Wait
	noLID   *fabric.Port
}

func (a *API) routesOf(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	c := a.checked(r.state)
	if c == nil {
		return &Error{http.StatusServiceUnavailable, "no forwarding tables have been read of this fabric"}
	}
	answer := c.answer
	answer.Schema, answer.Version, answer.Fabric, answer.At = "ibscope.api.routes", Version, r.state.Name, utc(r.state.At)
	answer.ReadAt, answer.Reading = utc(r.state.Routes.At), run(&r.state.Routing)
	answer.Unread, answer.Findings = []UnreadTable{}, []RouteFinding{}
	_, unread := r.state.Routes.LFTs(r.index.fabric)
	for _, sw := range unread[:min(len(unread), r.number("limit"))] {
		u := UnreadTable{Place: r.index.nodePlace(sw)}
		if p := r.state.Routes.Tables[sw.GUID()].Problem; p != nil {
			u.Problem = p.Error()
		}
		answer.Unread = append(answer.Unread, u)
	}
	for i := range c.found[:min(len(c.found), r.number("limit"))] {
		answer.Findings = append(answer.Findings, r.routeFinding(&c.found[i]))
	}
	return r.json(answer)
}

// checked is the check of the forwarding tables of a state, nil where none are known. It
// is made once for each fabric and its tables.
func (a *API) checked(s *watch.State) *checkedRoutes {
	if s.Fabric == nil || s.Routes == nil {
		return nil
	}
	a.mu.Lock()
	c := a.memory(s.Name).routes
	a.mu.Unlock()
	if c != nil && c.fabric == s.Fabric && c.routes == s.Routes {
		return c
	}
	a.checking.Lock() // one at a time
	defer a.checking.Unlock()
	a.mu.Lock()
	c = a.memory(s.Name).routes
	a.mu.Unlock()
	if c != nil && c.fabric == s.Fabric && c.routes == s.Routes {
		return c
	}
	c = checkRoutes(s)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.memory(s.Name).routes = c
	return c
}

func checkRoutes(s *watch.State) *checkedRoutes {
	tables, unread := s.Routes.LFTs(s.Fabric)
	c := &checkedRoutes{fabric: s.Fabric, routes: s.Routes}
	x := route.Examine(s.Fabric, tables, nil)
	c.answer = Routes{Switches: len(tables) + len(unread), Sources: x.Sources, LIDs: x.LIDs, Ways: x.Ways, CreditLoops: len(x.Loops)}
	lost := map[ib.LID]bool{}
	for i := range x.Troubles {
		t := x.Troubles[i] // a copy, so that the rest of the examination can go
		if t.End == route.Unread {
			c.answer.Unknown += t.Ways
			continue
		}
		c.answer.Lost += t.Ways
		for _, lid := range t.LIDs {
			lost[lid] = true
		}
		c.add(routeFinding{trouble: &t})
	}
	for _, p := range x.NoLID {
		c.add(routeFinding{noLID: p})
	}
	for _, loop := range x.Loops {
		c.add(routeFinding{loop: loop})
	}
	c.answer.Unreachable = len(lost)
	return c
}

func (c *checkedRoutes) add(f routeFinding) {
	if c.answer.Total++; len(c.found) < maxRouteFindings {
		c.found = append(c.found, f)
	}
}

func (r *request) routeFinding(f *routeFinding) RouteFinding {
	x := r.index
	switch {
	case f.noLID != nil:
		return RouteFinding{Kind: "no-lid", At: x.portPlace(f.noLID), Text: "the subnet manager has not given it a LID", Hops: []Hop{}}
	case f.loop != nil:
		out := RouteFinding{Kind: "credit-loop", At: x.portPlace(f.loop[0].Port), Text: route.LoopText(f.loop), Ways: len(f.loop), Hops: []Hop{}}
		for _, w := range f.loop {
			out.Hops = append(out.Hops, r.hop(route.Step{Node: w.Port.Node(), Out: w.Port.Num()}))
		}
		return out
	}
	t := f.trouble
	out := RouteFinding{Kind: string(t.End), At: *x.placeOf(t.At, t.Out), Text: t.Text(x.name), LIDs: len(t.LIDs), Ways: t.Ways, Hops: []Hop{}}
	if len(t.LIDs) > 0 {
		out.LID = t.LIDs[0]
		if p, ok := x.fabric.PortByLID(out.LID); ok {
			out.To = pointer(x.portPlace(p))
		}
	}
	if t.Way != nil {
		out.From = pointer(x.portPlace(t.Way.From))
		out.Hops = r.way(t.Way).Hops
	}
	return out
}

// RouteFigures are what the last check of the forwarding tables of a fabric has found.
type RouteFigures struct {
	Switches, Unread int // and those of them whose table is not known
	Unreachable      int // LIDs that a way does not arrive at
	Findings         int
}

// RouteFigures gives the figures of the last check of a fabric, by its name; false where
// there was none. It never waits.
func (a *API) RouteFigures(name string) (RouteFigures, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.known[name]
	if m == nil || m.routes == nil {
		return RouteFigures{}, false
	}
	c := m.routes
	_, unread := c.routes.LFTs(c.fabric)
	return RouteFigures{Switches: c.answer.Switches, Unread: len(unread), Unreachable: c.answer.Unreachable, Findings: c.answer.Total}, true
}
