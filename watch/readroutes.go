package watch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/survey"
)

// routesAtOnce is how many switches are read at the same time, so that a sweep or a pass
// hardly has to wait for them.
const routesAtOnce = 4

// routesResult is what a reading of forwarding tables has brought.
type routesResult struct {
	tables map[ib.GUID]RouteTable
	next   ib.GUID // to begin with the next time, if this one ended early
	run    Run
	err    error // why it ended early
}

// readRoutes runs in a goroutine of its own. First is the switch to begin with.
func (w *Watcher) readRoutes(ctx context.Context, c *connection, before *State, first ib.GUID) outcome {
	ctx, cancel := context.WithTimeout(ctx, w.opts.Routes.Deadline)
	defer cancel()
	k := &routeReading{routesResult: routesResult{tables: map[ib.GUID]RouteTable{}}}
	k.run.Started, k.run.From = time.Now(), before.Number
	list := k.prepare(before, first)
	next := make(chan *fabric.Node)
	var workers sync.WaitGroup
	ended := func() error { return errors.Join(ctx.Err(), c.client.Err()) }
	for range min(routesAtOnce, len(list)) {
		workers.Go(func() {
			for sw := range next {
				if ended() == nil {
					k.take(sw, survey.ReadLinear(ctx, c.client, sw), ended())
				} else {
					k.leave(sw)
				}
			}
		})
	}
	for _, sw := range list {
		next <- sw
	}
	close(next)
	workers.Wait()
	if k.left != nil {
		k.next, k.err = k.left.GUID(), ended()
	}
	k.run.Duration = time.Since(k.run.Started)
	k.run.Err = k.err
	k.run.Complete = k.err == nil && k.run.Problems == 0
	return outcome{kind: Routing, routes: &k.routesResult}
}

// routeReading is a reading under way.
type routeReading struct {
	mu sync.Mutex
	routesResult
	left *fabric.Node // a switch that was not come to, nil for none
}

// prepare lists the switches to read, those first that were not come to the last time,
// and keeps what is known of each until it is read.
func (k *routeReading) prepare(before *State, next ib.GUID) []*fabric.Node {
	var list []*fabric.Node
	first := 0
	for sw := range before.Fabric.Switches() {
		if n, _ := before.Fabric.NodeByGUID(sw.GUID()); n != sw {
			continue // who of them answers is not known
		}
		if before.Routes != nil {
			if t, known := before.Routes.Tables[sw.GUID()]; known {
				k.tables[sw.GUID()] = t
			}
		}
		if sw.GUID() == next {
			first = len(list)
		}
		list = append(list, sw)
	}
	return slices.Concat(list[first:], list[:first])
}

// take takes in a table. With the end of the context or of the client what is missing is
// no fault of the switch.
func (k *routeReading) take(sw *fabric.Node, l survey.Linear, ended error) {
	if l.Problem != nil && ended != nil {
		k.leave(sw)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.run.Requests += l.Asked
	t := RouteTable{Problem: l.Problem, At: time.Now()}
	if l.Problem == nil {
		before := k.tables[sw.GUID()]
		t.Ports = before.with(l.Ports).Ports
	} else {
		k.run.Problems++
	}
	k.tables[sw.GUID()] = t
}

// leave notes a switch that was not come to.
func (k *routeReading) leave(sw *fabric.Node) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left == nil {
		k.left = sw
	}
}

// takeRoutes makes a new state of what a reading has brought, also if it ended early.
func (w *Watcher) takeRoutes(r *routesResult) {
	w.log.Debug("forwarding tables", "requests", r.run.Requests, "duration", r.run.Duration, "problems", r.run.Problems, "err", r.err)
	w.nextRoute = r.next
	switch {
	case errors.Is(r.err, context.DeadlineExceeded):
		w.schedule.routes.goOn(time.Now())
	case r.err != nil:
		w.schedule.routes.asked = true // once there is a port again
	}
	w.publish(Routing, func(s *State) {
		s.count(Routing, r.run, false)
		s.Routes = &Routes{At: r.run.Started.Add(r.run.Duration), Tables: r.tables}
	})
}
