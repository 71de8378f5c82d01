package ibtracert

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc/trace"
)

type document struct {
	Routes []*route `json:"routes"`
}

// route is the way between two ports, as far as it was found.
type route struct {
	Source       string `json:"source"` // as typed
	Destination  string `json:"destination"`
	MulticastLID ib.LID `json:"multicast_lid,omitempty"`
	Complete     bool   `json:"complete"` // it comes to the destination
	From         *stop  `json:"from,omitempty"`
	Hops         []hop  `json:"hops"`
}

// hop is a cable of the way: the port that the node before it sends out by, and
// where the way arrives.
type hop struct {
	OutPort uint8 `json:"out_port"`
	To      stop  `json:"to"`
}

type stop struct {
	Type     string  `json:"type"`
	NodeGUID ib.GUID `json:"node_guid"`
	PortGUID ib.GUID `json:"port_guid"`
	Port     uint8   `json:"port"`
	LID      ib.LID  `json:"lid"`
	LMC      uint8   `json:"lmc"`
	Name     string  `json:"name"`
}

func (s *settings) document() document {
	return document{Routes: append([]*route{}, s.routes...)}
}

// note begins a route of the document.
func (s *settings) note(source, goal string) {
	s.routes = append(s.routes, &route{Source: source, Destination: goal, Hops: []hop{}})
}

// noteWay keeps a way as it is followed.
func (s *settings) noteWay() trace.Way {
	r := s.routes[len(s.routes)-1]
	return trace.Way{
		From: func(p *trace.Stop) {
			from := s.stopOf(p, endPort(p))
			r.From = &from
		},
		Hop: func(out uint8, p *trace.Stop) { r.Hops = append(r.Hops, hop{out, s.stopOf(p, p.Num)}) },
		To:  func(*trace.Stop) { r.Complete = true },
	}
}

// noteMulticast keeps a way that is known as a whole.
func (s *settings) noteMulticast(stops []trace.MulticastStop, mlid ib.LID) {
	r := s.routes[len(s.routes)-1]
	r.MulticastLID, r.Complete = mlid, true
	for i := range stops {
		p := &stops[i]
		if i == 0 {
			from := s.stopOf(&p.Stop, p.Num)
			r.From = &from
		} else {
			r.Hops = append(r.Hops, hop{p.Out, s.stopOf(&p.Stop, p.In)})
		}
	}
}

func (s *settings) stopOf(p *trace.Stop, port uint8) stop {
	return stop{p.Node.NodeType.String(), p.Node.NodeGUID, p.Node.PortGUID, port, p.Port.LID, p.Port.LMC, s.name(p)}
}
