package trace

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Way is told of a way as it is followed. Each function may be nil.
type Way struct {
	From func(*Stop)
	Hop  func(out uint8, to *Stop) // leaves by port out and arrives at to
	To   func(*Stop)               // the goal, where the last hop arrived
}

// Unicast follows the tables from a node, which is named by a directed route, to
// the port with a LID. It gives the directed route to the goal, by which it came.
// A way that ends early is an *Error.
func (t *Tracer) Unicast(ctx context.Context, from ib.DRPath, to mad.Target, way Way) (ib.DRPath, error) {
	w := walk{Tracer: t, way: way, path: from, lid: to.LID}
	start, err := t.look(ctx, mad.ByPath(from))
	if err == nil {
		w.goal, err = t.look(ctx, to)
	}
	if err != nil {
		end := &Error{Reason: EndUnreachable, LID: to.LID, Err: err}
		if !t.Force {
			return from, end
		}
		t.warn(end)
		w.goal.Port.LID = to.LID
	}
	w.from, w.at = start, start
	if way.From != nil {
		way.From(&start)
	}
	err = w.run(ctx)
	return w.path, err
}

// walk is a way that is followed.
type walk struct {
	*Tracer
	way  Way
	lid  ib.LID // of the goal
	goal Stop
	from Stop
	at   Stop      // where the way has come to
	path ib.DRPath // to there
	sw   smp.SwitchInfo
	out  int // the port by which the switch at hand sends to the goal
}

func (w *walk) run(ctx context.Context) error {
	if w.at.IsSwitch() {
		if err := w.lookup(ctx); err != nil {
			return err
		}
	}
	for hops := 0; ; hops++ {
		if w.inactive(&w.at) {
			return &Error{Reason: BadPort, At: w.at, State: w.at.Port.State}
		}
		if w.same(&w.at, &w.goal) {
			if w.way.To != nil {
				w.way.To(&w.at)
			}
			return nil
		}
		if hops == MaxHops {
			return &Error{Reason: TooFar, LID: w.lid}
		}
		out, next, err := w.step(ctx)
		if err != nil {
			return err
		}
		before := w.at
		w.at = next
		if next.IsSwitch() && !(before.IsSwitch() && out == 0) {
			if err := w.lookup(ctx); err != nil {
				return err
			}
		}
		if w.inactive(&next) {
			return &Error{Reason: BadNextPort, At: before, Out: int(out), State: next.Port.State}
		}
		if w.way.Hop != nil {
			w.way.Hop(out, &next)
		}
	}
}

// same reports whether two stops are the same port.
func (w *walk) same(a, b *Stop) bool {
	return a.Node.PortGUID == b.Node.PortGUID || w.Force && a.Port.LID == b.Port.LID
}

// inactive reports whether a port cannot carry packets. The port 0 of a switch
// that is not an enhanced one has no state.
func (w *walk) inactive(s *Stop) bool {
	return s.Port.State != ib.PortActive && (!s.IsSwitch() || w.sw.EnhancedPort0)
}

// lookup asks the switch at hand by which port it sends to the goal.
func (w *walk) lookup(ctx context.Context) error {
	to := mad.ByPath(w.path)
	bad := &Error{Reason: BadTable, At: w.at, LID: w.lid, Out: -1}
	if w.sw, bad.Err = get[smp.SwitchInfo](ctx, w.Tracer, to, 0); bad.Err != nil {
		return bad
	}
	bad.Top = ib.LID(w.sw.LinearFDBTop)
	if w.lid > bad.Top || uint16(w.lid) >= w.sw.LinearFDBCap {
		return bad
	}
	block, index := smp.LFTBlock(w.lid)
	table, err := get[smp.LinearForwardingTable](ctx, w.Tracer, to, block)
	if bad.Err = err; err != nil {
		return bad
	}
	w.out = int(table.Ports[index])
	if bad.Out = w.out; w.out > int(w.at.Node.NumPorts) {
		return bad
	}
	return nil
}

// step goes to the next node and gives the port that the way leaves by.
func (w *walk) step(ctx context.Context) (out uint8, next Stop, err error) {
	switch {
	case w.at.IsSwitch():
		out = uint8(w.out)
		next, err = w.extend(ctx, out)
		if err == nil && out == 0 && !w.same(&next, &w.goal) {
			err = &Error{Reason: BadTable, At: w.at, LID: w.lid, Out: 0, Top: ib.LID(w.sw.LinearFDBTop)}
		}
	case !w.same(&w.at, &w.from) || w.at.Node.NodeType != ib.NodeCA && w.at.Node.NodeType != ib.NodeRouter:
		err = &Error{Reason: WrongEnd, At: w.at, LID: w.lid}
	case w.path.Len() > 0:
		out = w.at.Num
		next, err = w.back(ctx)
	default:
		out = w.at.Num
		next, err = w.extend(ctx, out)
	}
	return out, next, err
}

// extend goes on by a port.
func (w *walk) extend(ctx context.Context, port uint8) (Stop, error) {
	path, ok := w.path.Append(port)
	if !ok {
		return Stop{}, &Error{Reason: TooFar, LID: w.lid}
	}
	w.path = path
	return w.arrive(ctx)
}

// back goes from an adapter to the switch that the route to it came through. The
// port where the way arrives there is the last hop of the route.
func (w *walk) back(ctx context.Context) (Stop, error) {
	port := uint8(w.path.Last())
	w.path = w.path.Parent()
	next, err := w.arrive(ctx)
	next.Num = port
	return next, err
}

func (w *walk) arrive(ctx context.Context) (Stop, error) {
	next, err := w.look(ctx, mad.ByPath(w.path))
	if err != nil {
		return next, &Error{Reason: NextUnreachable, LID: w.lid, Target: mad.ByPath(w.path), Err: err}
	}
	return next, nil
}
