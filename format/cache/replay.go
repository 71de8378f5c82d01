package cache

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// replay follows the sweep of the C library over a fabric and lists the ports
// in the order of its PortInfo replies. Its requests wait in one queue, each
// reply adds requests at the end; those whose replies add none are left out.
// Ports that the sweep does not come to follow in canonical order. Extended
// tells which ports were asked for ExtendedPortInfo.
func replay(f *fabric.Fabric, extended func(*fabric.Port) bool) []*fabric.Port {
	s := &sweep{extended: extended, met: make([]bool, f.NumNodes()), listed: make(map[*fabric.Port]bool)}
	if s.start = f.Start(); s.start != nil {
		s.push(nodeInfo, s.start)
	}
	for i := 0; i < len(s.queue); i++ {
		switch e := s.queue[i]; e.attr {
		case nodeInfo:
			s.nodeInfo(e.port)
		case portInfo:
			s.portInfo(e.port)
		case extendedInfo:
			s.follow(e.port)
		}
	}
	for p := range f.Ports() {
		s.list(p)
	}
	return s.order
}

type attribute uint8

const (
	nodeInfo attribute = iota
	portInfo
	extendedInfo
)

// event is the reply to a request: the NodeInfo of the node behind the port
// where it arrives, or an attribute of the port.
type event struct {
	attr attribute
	port *fabric.Port
}

type sweep struct {
	start    *fabric.Port
	extended func(*fabric.Port) bool
	queue    []event
	met      []bool // by node index
	listed   map[*fabric.Port]bool
	order    []*fabric.Port
}

func (s *sweep) push(a attribute, p *fabric.Port) {
	if p != nil {
		s.queue = append(s.queue, event{a, p})
	}
}

func (s *sweep) list(p *fabric.Port) {
	if !s.listed[p] {
		s.listed[p] = true
		s.order = append(s.order, p)
	}
}

func (s *sweep) nodeInfo(arrival *fabric.Port) {
	n := arrival.Node()
	known := s.met[n.Index()]
	s.met[n.Index()] = true
	switch {
	case n.Type() != ib.NodeSwitch:
		if !s.listed[arrival] {
			s.push(portInfo, arrival)
		}
	case !known:
		s.push(portInfo, n.Port(0))
	}
}

func (s *sweep) portInfo(p *fabric.Port) {
	info, ok := p.Info()
	if !ok {
		return // no reply: nothing follows from it
	}
	s.list(p)
	isSwitch := p.Node().Type() == ib.NodeSwitch
	if isSwitch && p.Num() == 0 {
		for num := 1; num <= p.Node().NumPorts(); num++ {
			s.push(portInfo, p.Node().Port(num))
		}
		return
	}
	leadsOn := isSwitch && p.Num() != int(info.LocalPort) || p == s.start
	switch {
	case !leadsOn || info.PhysState != ib.PhysLinkUp:
	case s.extended(p):
		s.push(extendedInfo, p)
	default:
		s.follow(p)
	}
}

func (s *sweep) follow(p *fabric.Port) { s.push(nodeInfo, p.Remote()) }

func hasExtended(p *fabric.Port) bool {
	_, ok := p.RawExtendedInfo()
	return ok
}
