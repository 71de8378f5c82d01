package discover

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
)

// sweep is the state of one walk. All of it belongs to the goroutine of Run;
// concurrency is in the requests that are in flight, not in the code.
type sweep struct {
	opts    Options
	client  *madrpc.Client
	queue   *madrpc.Queue
	builder *fabric.Builder

	nodes  []*node
	byGUID map[ib.GUID]*node // the first of each chain of twins
	byNode map[*fabric.Node]*node
	start  *node

	turns    turns   // nodes with questions to send
	direct   []*task // tasks that wait for nothing but a place in the window
	probes   probes
	inFlight int
	free     *task          // tasks to use again
	rereads  map[*task]bool // PortInfo that is asked for again

	twins     map[identity]*twins // that may be several nodes each
	contested []*twins            // the same, in order of discovery
	rounds    int                 // of telling them apart
	disowned  []*node             // that are not what they told

	found      []finding
	lost       []lostStep
	askedAgain bool // what was lost has been asked once more

	switches, ports, links int
	longest                int // hops of the longest route used
	size                   int // ports of all nodes, as they tell their number
	sent, resent, timedOut int // requests that are done; tries beyond the first; requests without a reply
	began, reported        time.Time
}

func newSweep(client *madrpc.Client, opts Options) *sweep {
	return &sweep{
		opts: opts, client: client, queue: client.NewQueue(), builder: fabric.NewBuilder(),
		byGUID: map[ib.GUID]*node{}, byNode: map[*fabric.Node]*node{}, rereads: map[*task]bool{}, began: time.Now(),
	}
}

// run works until nothing is left to ask, the context ends or the transport.
func (s *sweep) run(ctx context.Context) error {
	for {
		s.send()
		if s.inFlight == 0 {
			if s.settleTwins() || s.askLostAgain() {
				continue
			}
			return ctx.Err()
		}
		r, err := s.wait(ctx)
		if err != nil {
			return err
		}
		if r != nil {
			if err := s.broken(r); err != nil {
				return err
			}
			s.finish(r)
		}
		s.report(false)
	}
}

// broken is why no request can succeed any more, nil if that is not so. What was
// asked is then not lost on the wire: the sweep has not come to its end.
func (s *sweep) broken(r *madrpc.Request) error {
	if r.Err == nil {
		return nil
	}
	if errors.Is(r.Err, os.ErrClosed) {
		return r.Err
	}
	return s.client.Err()
}

// wait returns a finished request, or nil when a probe has become slow.
func (s *sweep) wait(ctx context.Context) (*madrpc.Request, error) {
	if r := s.queue.Poll(); r != nil {
		return r, nil // without a timer, which would be a tenth of a request
	}
	patience, limited := s.probes.patience(time.Now())
	if !limited {
		return s.queue.Next(ctx)
	}
	r, err := s.queue.NextWithin(ctx, patience)
	if r == nil && err == nil {
		s.probes.giveUpOnSlow(time.Now())
	}
	return r, err
}

// send fills the window: probes first, for they open up the fabric.
func (s *sweep) send() {
	for room := s.room(); room > 0; {
		t := s.nextTask()
		if t == nil {
			return
		}
		before := s.inFlight
		s.transmit(t)
		room -= s.inFlight - before // what memory has answered takes none
	}
}

// room is how many more requests may be in flight.
func (s *sweep) room() int {
	if s.opts.MaxOutstanding > 0 {
		return s.opts.MaxOutstanding - s.inFlight
	}
	if s.inFlight == 0 {
		return max(s.client.RoomBeside(0), 1) // others may have taken it all
	}
	return s.client.RoomBeside(s.inFlight)
}

func (s *sweep) nextTask() *task {
	if len(s.direct) > 0 {
		t := s.direct[0]
		s.direct = s.direct[1:]
		return t
	}
	if t := s.nextProbe(); t != nil {
		return t
	}
	n := s.turns.next()
	if n == nil {
		return nil
	}
	st := n.questions.next(n)
	n.inFlight++
	s.makeReady(n)
	return s.newTask(n, st)
}

// makeReady puts the node in line if it has something to ask and may.
func (s *sweep) makeReady(n *node) {
	if !n.ready && n.hasQuestions() && n.inFlight < s.opts.MaxPerTarget {
		s.turns.add(n)
	}
}

// ask adds a question to those of the node.
func (s *sweep) ask(n *node, kind stepKind, port int) {
	st := step{kind, uint8(port)}
	if n.health == dead {
		s.lose(n, st, errStoppedAnswering)
		return
	}
	n.questions.add(st)
	s.makeReady(n)
}

// finish handles a request that is done.
func (s *sweep) finish(r *madrpc.Request) {
	t := r.Tag.(*task)
	s.inFlight--
	if t.step.isQueued() {
		t.node.inFlight--
	}
	s.count(t)
	switch {
	case r.Err != nil:
		s.failed(t, r.Err)
	case s.doubts(t):
		s.probes.done(t, time.Now())
		s.transmitAgain(t)
		return
	default:
		s.replied(t)
	}
	s.probes.done(t, time.Now())
	if t.node != nil {
		s.makeReady(t.node)
		s.probes.holdLate(t.node)
	}
	s.release(t)
}

// count counts a request that is done. The client may have others to count.
func (s *sweep) count(t *task) {
	if t.recalled || t.request.Tries == 0 {
		return
	}
	s.sent++
	s.resent += t.request.Tries - 1
	if errors.Is(t.request.Err, os.ErrDeadlineExceeded) {
		s.timedOut++
	}
}

// replied dispatches a reply to what it answers.
func (s *sweep) replied(t *task) {
	data := t.request.Packet.SMPData()
	if !t.step.isProbe() {
		s.answers(t.node)
	}
	switch t.step.kind {
	case askDescription:
		s.builder.SetDescription(t.node.Node, data)
	case askSwitchInfo:
		s.builder.SetSwitchInfo(t.node.Node, data)
	case askPortInfo:
		s.portInfo(t.node, int(t.step.port), data)
	case askExtended:
		s.extendedPortInfo(t.node, int(t.step.port), data)
	case probe:
		s.nodeInfo(t, data)
	case rereadPort, verify:
		t.then(data)
	case askAlive:
	}
}

// report tells the progress, at most ten times a second.
func (s *sweep) report(last bool) {
	if s.opts.Progress == nil {
		return
	}
	now := time.Now()
	if !last && now.Sub(s.reported) < 100*time.Millisecond {
		return
	}
	s.reported = now
	s.opts.Progress(Progress{
		Nodes: len(s.nodes), Switches: s.switches, Ports: s.ports, Links: s.links,
		SMPs: s.sent + s.inFlight, Outstanding: s.inFlight, MaxHops: s.longest,
	})
}
