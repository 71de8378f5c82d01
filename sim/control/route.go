package control

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/scenario"
)

// routes fills in the forwarding table of a switch.
func (l *looker) routes(n *fabric.Node, v *Node) {
	var data [mad.DataSize]byte
	if l.s.Direct(sim.Place{Node: n}, mad.MethodGet, smp.AttrSwitchInfo, 0, &data) != mad.StatusOK {
		return
	}
	var info smp.SwitchInfo
	info.Decode(&data)
	v.LinearFDBTop = int(info.LinearFDBTop)
	for lid := 1; lid <= v.LinearFDBTop; lid++ {
		if port, ok := l.s.Next(n, ib.LID(lid)); ok {
			v.Routes = append(v.Routes, Entry{ib.LID(lid), port})
		}
	}
}

// Hop is a step of the result of route: a node, and the ports by which the
// packet comes in and goes out; 0 for those that there are none of.
type Hop struct {
	scenario.End
	In  int `json:"in,omitempty"`
	Out int `json:"out,omitempty"`
}

// maxHops ends the search where forwarding tables lead in circles.
const maxHops = 64

func route(_ context.Context, s *Server, args []string) (any, string, error) {
	if len(args) != 2 {
		return nil, "", usage("route", args, "two LIDs")
	}
	var lids [2]ib.LID
	var ends [2]sim.Place
	f := s.runner.Fabric()
	for i, text := range args {
		lid, err := ib.ParseLID(text)
		if err != nil {
			return nil, "", usage("route", args, "two LIDs")
		}
		at, ok := f.ByLID(lid)
		if !ok {
			return nil, "", failed("no port has LID %d", lid)
		}
		lids[i], ends[i] = lid, at
	}
	hops, err := s.follow(ends[0], ends[1], lids[1])
	if err != nil {
		return nil, "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "from %s lid %d\n", hops[0].End, lids[0])
	for i, h := range hops[:len(hops)-1] {
		fmt.Fprintf(&b, "[%d] -> %s [%d]\n", h.Out, hops[i+1].End, hops[i+1].In)
	}
	fmt.Fprintf(&b, "to %s lid %d\n", hops[len(hops)-1].End, lids[1])
	return hops, b.String(), nil
}

func failed(format string, args ...any) error {
	return refuse(os.ErrNotExist, "route: "+format, args...)
}

// follow takes the way that a packet takes.
func (s *Server) follow(from, to sim.Place, lid ib.LID) ([]Hop, error) {
	f := s.runner.Fabric()
	at, out := from, from.Port
	hops := []Hop{}
	for range maxHops {
		h := Hop{End: s.runner.End(sim.Place{Node: at.Node}), In: at.Port}
		if len(hops) == 0 {
			h.In = 0
		}
		if at.Node == to.Node && (at.Node.Type() == ib.NodeSwitch || at.Port == to.Port) {
			return append(hops, h), nil
		}
		if at.Node.Type() == ib.NodeSwitch {
			var ok bool
			if out, ok = f.Next(at.Node, lid); !ok {
				return nil, failed("%s does not know LID %d", h.End, lid)
			}
		} else if len(hops) > 0 {
			return nil, failed("the way ends at %s", h.End)
		}
		h.Out = out
		hops = append(hops, h)
		leaves := sim.Place{Node: at.Node, Port: out}
		next, ok := f.Peer(leaves)
		if !ok || f.PortInfo(leaves).State != ib.PortActive {
			return nil, failed("port %d of %s is not active", out, h.End)
		}
		at = next
	}
	return nil, failed("the way is longer than %d hops", maxHops)
}
