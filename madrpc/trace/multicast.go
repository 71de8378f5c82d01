package trace

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc/forwarding"
)

// MulticastStop is a node on the way of a multicast packet.
type MulticastStop struct {
	Stop
	In  uint8 // the port that the way arrives at; 0 where it begins
	Out uint8 // the port of the node before that the way leaves by
}

// branch is a node that multicast reaches.
type branch struct {
	MulticastStop
	path ib.DRPath
	up   *branch // nil where the way begins
}

// Multicast searches the tree of a multicast group, from a node that is named by
// a directed route, for the port with a LID, and gives the way there: the begin
// first, the goal last. A goal that is not reached is an *Error.
func (t *Tracer) Multicast(ctx context.Context, from ib.DRPath, to mad.Target, mlid ib.LID) ([]MulticastStop, error) {
	goal, err := t.look(ctx, to)
	if err != nil {
		return nil, &Error{Reason: EndUnreachable, LID: to.LID, Err: err}
	}
	s := search{Tracer: t, mlid: mlid, goal: goal.Node.PortGUID, known: map[ib.GUID]bool{}}
	start, err := t.look(ctx, mad.ByPath(from))
	if err != nil {
		return nil, &Error{Reason: NextUnreachable, Target: mad.ByPath(from), Err: err}
	}
	root := &branch{MulticastStop: MulticastStop{Stop: start}, path: from}
	if start.Node.PortGUID == s.goal {
		return s.itself(ctx, root)
	}
	s.known[start.Node.NodeGUID] = true
	level := []*branch{root}
	for range MaxHops {
		var next []*branch
		for _, b := range level {
			found, err := s.expand(ctx, b, &next)
			if err != nil || found != nil {
				return found.way(), err
			}
		}
		level = next
	}
	return nil, &Error{Reason: NotMember, LID: to.LID}
}

// way lists the stops up to b.
func (b *branch) way() (list []MulticastStop) {
	for ; b != nil; b = b.up {
		list = append([]MulticastStop{b.MulticastStop}, list...)
	}
	return list
}

// search is a search through the tree of a group.
type search struct {
	*Tracer
	mlid  ib.LID
	goal  ib.GUID // of the port
	known map[ib.GUID]bool
}

// itself is the way from a port to itself: a switch has one if it is a member.
func (s *search) itself(ctx context.Context, root *branch) ([]MulticastStop, error) {
	if !root.IsSwitch() {
		return nil, &Error{Reason: AdapterItself, At: root.Stop}
	}
	block, index, err := s.table(ctx, root)
	if err != nil || !block.Has(index, 0) {
		return nil, &Error{Reason: NotMember, At: root.Stop, Err: err}
	}
	return root.way(), nil
}

// expand goes on by all ports of a node that multicast leaves by. It gives the
// goal, or adds the switches behind the ports to next, in front of those there.
func (s *search) expand(ctx context.Context, b *branch, next *[]*branch) (*branch, error) {
	ports, err := s.ports(ctx, b)
	if err != nil {
		s.warn(&Error{Reason: SkippedSwitch, At: b.Stop, Err: err})
		return nil, nil
	}
	for _, port := range ports {
		far, err := s.follow(ctx, b, port)
		if err != nil {
			return nil, err
		}
		if far == nil {
			continue
		}
		if far.Node.PortGUID == s.goal {
			return far, nil
		}
		if s.known[far.Node.NodeGUID] {
			if far.IsSwitch() {
				s.warn(&Error{Reason: Circle, At: far.Stop})
			}
			continue
		}
		s.known[far.Node.NodeGUID] = true
		if far.IsSwitch() {
			*next = append([]*branch{far}, *next...)
		}
	}
	return nil, nil
}

// ports are those that multicast leaves a node by: of an adapter, where the way
// begins, the port that it was reached by.
func (s *search) ports(ctx context.Context, b *branch) (list []uint8, err error) {
	if !b.IsSwitch() {
		return []uint8{b.Num}, nil
	}
	block, index, err := s.table(ctx, b)
	if err != nil {
		return nil, err
	}
	for port := 1; port <= int(b.Node.NumPorts); port++ {
		if uint8(port) != b.In && block.Has(index, uint8(port)) {
			list = append(list, uint8(port))
		}
	}
	return list, nil
}

// table reads the block of a switch's table that has the group.
func (s *search) table(ctx context.Context, b *branch) (block forwarding.MulticastBlock, index int, err error) {
	to := mad.ByPath(b.path)
	info, err := get[smp.SwitchInfo](ctx, s.Tracer, to, 0)
	if err != nil {
		return block, 0, err
	}
	_, index, ok := smp.MFTBlock(s.mlid)
	if !ok || uint16(s.mlid-ib.MinMulticastLID) >= info.MulticastFDBCap {
		return block, 0, &Error{Reason: NotMember, At: b.Stop, LID: s.mlid}
	}
	for _, part := range forwarding.Multicast(ctx, s.Client, to, b.Node.NumPorts, s.mlid, s.mlid) {
		for i := range part.Parts {
			if err := part.Parts[i].Err; err != nil {
				return block, 0, err
			}
		}
		block = part
	}
	return block, index, ctx.Err()
}

// follow goes to the node behind a port; nil if there is none that answers.
func (s *search) follow(ctx context.Context, b *branch, port uint8) (*branch, error) {
	if !b.IsSwitch() && b.path.Len() > 0 {
		// An adapter that was reached through a switch: back to that.
		far, err := s.arrive(ctx, b, b.path.Parent(), port)
		if far != nil {
			far.In = uint8(b.path.Last())
		}
		return far, err
	}
	info, err := get[smp.PortInfo](ctx, s.Tracer, mad.ByPath(b.path), uint32(port))
	if err != nil {
		return nil, &Error{Reason: NextUnreachable, At: b.Stop, Out: int(port), Target: mad.ByPath(b.path), Err: err}
	}
	if info.PhysState != ib.PhysLinkUp {
		return nil, nil
	}
	path, ok := b.path.Append(port)
	if !ok {
		return nil, &Error{Reason: TooFar, LID: s.mlid}
	}
	return s.arrive(ctx, b, path, port)
}

func (s *search) arrive(ctx context.Context, b *branch, path ib.DRPath, port uint8) (*branch, error) {
	stop, err := s.look(ctx, mad.ByPath(path))
	if err != nil {
		s.warn(&Error{Reason: NextUnreachable, At: b.Stop, Out: int(port), Target: mad.ByPath(path), Err: err})
		return nil, ctx.Err()
	}
	return &branch{MulticastStop: MulticastStop{Stop: stop, In: stop.Num, Out: port}, path: path, up: b}, nil
}
