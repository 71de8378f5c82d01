package control

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/scenario"
)

// Node is a node in the results of list nodes and dump.
type Node struct {
	scenario.End
	Type    string `json:"type"`
	Ports   int    `json:"ports"`
	IsAlive bool   `json:"alive"`

	LinearFDBTop int     `json:"linear_fdb_top,omitempty"` // dump, of switches
	Routes       []Entry `json:"routes,omitempty"`         // dump, of switches
	Details      []Port  `json:"details,omitempty"`        // dump
}

// Entry is an entry of a forwarding table.
type Entry struct {
	LID  ib.LID `json:"lid"`
	Port int    `json:"port"`
}

// Port is a port in the results of list ports and dump.
type Port struct {
	scenario.End
	LID   ib.LID        `json:"lid,omitempty"`
	LMC   uint8         `json:"lmc,omitempty"`
	SMLID ib.LID        `json:"sm_lid,omitempty"`
	State string        `json:"state"`
	Phys  string        `json:"phys"`
	Rate  string        `json:"rate,omitempty"` // of links that are up
	Peer  *scenario.End `json:"peer,omitempty"`
	Loss  float64       `json:"loss,omitempty"`
	Attr  uint16        `json:"loss_attr,omitempty"`
}

// looker asks about a fabric.
type looker struct {
	s *sim.Fabric
	r *scenario.Runner
}

// matching calls do for the nodes that a name means, or all.
func (s *Server) matching(op string, args []string, do func(*looker, *fabric.Node)) error {
	if len(args) > 1 {
		return usage(op, args, "one name")
	}
	l := &looker{s.runner.Fabric(), s.runner}
	if len(args) == 0 {
		for n := range l.s.Model().Nodes() {
			do(l, n)
		}
		return nil
	}
	nodes, err := s.runner.Nodes(args[0])
	for _, n := range nodes {
		do(l, n)
	}
	return err
}

func (l *looker) node(n *fabric.Node) Node {
	return Node{
		End: l.r.End(sim.Place{Node: n}), Type: n.Type().String(), Ports: n.NumPorts(), IsAlive: l.s.IsAlive(n),
	}
}

func (l *looker) port(at sim.Place) Port {
	v := l.s.PortInfo(at)
	d := l.s.Disturbance(at.Node, at.Port)
	p := Port{
		End: l.r.End(at), LID: v.LID, LMC: v.LMC, SMLID: v.SMLID, State: v.State.String(), Phys: v.PhysState.String(),
		Loss: d.Loss, Attr: uint16(d.Attr),
	}
	if at.Node.Type() == ib.NodeSwitch && at.Port != 0 {
		p.LID, p.LMC, p.SMLID = 0, 0, 0
	}
	if far, ok := l.s.Cable(at); ok {
		end := l.r.End(far)
		p.Peer = &end
	}
	if l.s.IsUp(at) {
		p.Rate = fabric.LinkRate{
			Width: v.LinkWidthActive, Speed: ib.SpeedFrom(v.LinkSpeedActive, v.LinkSpeedExtActive, v.LinkSpeedExtActive2).Max(),
		}.String()
	}
	return p
}

func (l *looker) ports(n *fabric.Node) []Port {
	first := 1
	if n.Type() == ib.NodeSwitch {
		first = 0
	}
	var list []Port
	for num := first; num <= n.NumPorts(); num++ {
		list = append(list, l.port(sim.Place{Node: n, Port: num}))
	}
	return list
}

// line is a port for people.
func (p *Port) line() string {
	text := fmt.Sprintf("[%d]\t%s/%s", p.End.Port, p.State, p.Phys)
	if p.Rate != "" {
		text += " " + p.Rate
	}
	if p.LID != 0 {
		text += fmt.Sprintf(" lid %d lmc %d smlid %d", p.LID, p.LMC, p.SMLID)
	}
	if p.Peer != nil {
		text += " " + p.Peer.String()
	}
	if p.Loss != 0 {
		text += fmt.Sprintf(" loss %.4g%%", p.Loss*100)
	}
	if p.Attr != 0 {
		text += fmt.Sprintf(" of attribute 0x%04x", p.Attr)
	}
	return text + "\n"
}

func (n *Node) line() string {
	power := ""
	if !n.IsAlive {
		power = " without power"
	}
	return fmt.Sprintf("%s %d %s%s\n", n.Type, n.Ports, n.End, power)
}

func listNodes(_ context.Context, s *Server, args []string) (any, string, error) {
	var b strings.Builder
	list := []Node{}
	err := s.matching("list nodes", args, func(l *looker, n *fabric.Node) {
		v := l.node(n)
		list = append(list, v)
		b.WriteString(v.line())
	})
	return list, b.String(), err
}

func listPorts(_ context.Context, s *Server, args []string) (any, string, error) {
	var b strings.Builder
	list := []Port{}
	err := s.matching("list ports", args, func(l *looker, n *fabric.Node) {
		for _, p := range l.ports(n) {
			list = append(list, p)
			fmt.Fprintf(&b, "%s\t%s", strconv.Quote(p.Node), p.line())
		}
	})
	return list, b.String(), err
}

// Link is a cable in the result of list links.
type Link struct {
	A    scenario.End `json:"a"`
	B    scenario.End `json:"b"`
	Up   bool         `json:"up"`
	Rate string       `json:"rate,omitempty"`
}

func listLinks(_ context.Context, s *Server, args []string) (any, string, error) {
	var b strings.Builder
	list := []Link{}
	seen := map[sim.Place]bool{}
	err := s.matching("list links", args, func(l *looker, n *fabric.Node) {
		for num := 1; num <= n.NumPorts(); num++ {
			at := sim.Place{Node: n, Port: num}
			far, ok := l.s.Cable(at)
			if !ok || seen[at] {
				continue
			}
			seen[far] = true
			p := l.port(at)
			list = append(list, Link{p.End, *p.Peer, l.s.IsUp(at), p.Rate})
			fmt.Fprintf(&b, "%s – %s %s/%s %s\n", p.End, p.Peer, p.State, p.Phys, p.Rate)
		}
	})
	return list, b.String(), err
}

func dump(_ context.Context, s *Server, args []string) (any, string, error) {
	var b strings.Builder
	list := []Node{}
	err := s.matching("dump", args, func(l *looker, n *fabric.Node) {
		v := l.node(n)
		v.Details = l.ports(n)
		b.WriteString(v.line())
		if n.Type() == ib.NodeSwitch {
			l.routes(n, &v)
			fmt.Fprintf(&b, "#\tFDB top %d:", v.LinearFDBTop)
			for _, e := range v.Routes {
				fmt.Fprintf(&b, " %d→%d", e.LID, e.Port)
			}
			b.WriteString("\n")
		}
		for i := range v.Details {
			b.WriteString(v.Details[i].line())
		}
		list = append(list, v)
	})
	return list, b.String(), err
}
