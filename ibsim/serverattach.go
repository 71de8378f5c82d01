package ibsim

import (
	"os"
	"syscall"

	"github.com/ibscope/ibscope/ib"
)

// connect attaches a new client: it gets a slot, a port of the fabric, and a
// data socket that is connected to its own. False means refused.
func (s *Server) connect(m *control, from syscall.Sockaddr) bool {
	var h hello
	h.decode(&m.data)
	peer, err := s.ctl.dataAddr(h.id, from)
	if err != nil {
		s.stats.malformed.Add(1)
		return false
	}
	s.replace(peer)
	c, err := s.attach(&h, peer, addressText(from))
	if err != nil {
		s.stats.refused.Add(1)
		s.log.Warn("client refused", "id", h.id, "node", h.node, "error", err)
		return false
	}
	s.stats.attached.Add(1)
	s.log.Info("client attached", "slot", c.slot, "id", h.id, "node", c.port.NodeID())
	h.id, h.node = uint32(c.slot), c.port.NodeID()
	h.encode(&m.data)
	return true
}

// replace detaches who had that data address before: the name of a socket has
// one owner, so the former one is dead.
func (s *Server) replace(peer string) {
	s.mu.RLock()
	clients := append([]*client(nil), s.clients...)
	s.mu.RUnlock()
	for _, c := range clients {
		if c != nil && c.data.peer == peer {
			s.stats.vanished.Add(1)
			s.detach(c, "another has its address")
		}
	}
}

// attach makes a client and starts it. The control goroutine is the only one
// that fills slots, so the free one stays free meanwhile.
func (s *Server) attach(h *hello, peer, owner string) (*client, error) {
	c := &client{server: s, id: h.id, qp: h.qp, owner: owner, closed: true}
	port, err := s.network.Attach(h.node, c.fromFabric)
	if err != nil {
		return nil, err
	}
	c.port = port
	wantsSM := h.isSM != 0
	if err = c.learn(); err == nil {
		err = s.refuseSecondSM(c, wantsSM)
	}
	if err == nil {
		c.data, c.slot, err = s.openSlot(peer)
	}
	if err != nil {
		port.Close()
		return nil, err
	}
	c.data.onDatagram = c.fromClient
	c.open()
	if err := s.enter(c); err != nil {
		return nil, err
	}
	if wantsSM {
		c.setIsSM(true)
	}
	return c, nil
}

// learn reads what does not change about the port.
func (c *client) learn() error {
	block, ok := c.attribute(attrNodeInfo, 0)
	if !ok {
		return ErrNoNode
	}
	c.nodeInfo.Decode(&block)
	c.num = c.nodeInfo.LocalPort
	if c.nodeInfo.NodeType == ib.NodeSwitch {
		c.num = 0
	}
	return nil
}

// refuseSecondSM: a node has one subnet manager.
func (s *Server) refuseSecondSM(c *client, wantsSM bool) error {
	if !wantsSM {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, other := range s.clients {
		if other != nil && other.isSM.Load() && other.nodeInfo.NodeGUID == c.nodeInfo.NodeGUID {
			return ErrSecondSM
		}
	}
	return nil
}

// openSlot finds a free slot whose data socket can be made.
func (s *Server) openSlot(peer string) (*dataSocket, int, error) {
	for slot := range s.max {
		if s.client(uint64(slot)) != nil {
			continue
		}
		data, err := s.ctl.openData(slot, peer)
		if isTaken(err) {
			continue // somebody else on this machine has the name or the port
		}
		return data, slot, err
	}
	return nil, 0, ErrNoSlot
}

// enter puts the client into its slot and starts it.
func (s *Server) enter(c *client) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.close()
		return os.ErrClosed
	}
	for len(s.clients) <= c.slot {
		s.clients = append(s.clients, nil)
	}
	s.clients[c.slot] = c
	s.running.Go(c.serveSocket)
	return nil
}
