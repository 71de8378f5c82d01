package madrpc

import "github.com/ibscope/ibscope/mad"

// maxControls bounds the packets that wait to be sent without a request of their
// own. More than a few wait only when somebody floods us with repeated replies.
const maxControls = 64

// control is a packet without a reply to be sent: an ACK, STOP or ABORT, or a
// message of the client's user.
type control struct {
	p    mad.Packet
	to   mad.Addr
	sent chan<- error // of messages: has room for the outcome
}

// rmppReply is a packet to who answers request: the header of the request, and an
// RMPP header. Its method has no response bit, as in the Linux kernel.
func rmppReply(request *mad.Packet, h mad.RMPPHeader) mad.Packet {
	var p mad.Packet
	p.Init(request.Class(), request.Method()&^mad.ResponseBit, request.AttrID(), request.Modifier())
	p.SetTID(request.TID())
	h.Version, h.Flags, h.RespTime = mad.RMPPVersion, h.Flags|mad.RMPPActive, mad.RMPPNoRespTime
	p.SetRMPP(h)
	if request.Class().IsVendor2() {
		p.SetOUI(request.OUI())
	}
	return p
}

// ackOf acknowledges the reply to r up to a packet, and opens the window.
func ackOf(r *Request, received, granted uint32) mad.Packet {
	return rmppReply(&r.Packet, mad.RMPPHeader{Type: mad.RMPPAck, Data1: received, Data2: granted})
}

// acknowledge has an ACK sent that tells how far r has come by then.
func (c *Client) acknowledge(r *Request) {
	t := r.transfer
	t.acks++
	if !t.ackDue {
		t.ackDue = true
		c.acks = append(c.acks, r)
		c.kick()
	}
}

// refuse ends r because its reply breaks the rules, and says so to the agent.
func (c *Client) refuse(r *Request, why mad.RMPPStatus) {
	c.tids.slot(r.tid).stopped = true
	c.control(rmppReply(&r.Packet, mad.RMPPHeader{Type: mad.RMPPAbort, Status: why}), r.addr)
	c.finish(r, newError(r, why))
}

// stop tells the agent that nobody wants the rest of the reply to r.
func (c *Client) stop(r *Request) {
	c.tids.slot(r.tid).stopped = true
	c.control(rmppReply(&r.Packet, mad.RMPPHeader{Type: mad.RMPPStop, Status: mad.RMPPResourcesExhausted}), r.addr)
}

// control has a packet sent soon; when too many wait it is dropped.
func (c *Client) control(p mad.Packet, to mad.Addr) {
	if len(c.controls) < maxControls {
		c.controls = append(c.controls, control{p: p, to: to})
		c.kick()
	}
}

// repeated treats a packet of a reply that has ended. The agent repeats it
// because our last ACK was lost, or because it does not know that nobody waits
// any more; without an answer it would go on. It is told the latter once.
func (c *Client) repeated(p *mad.Packet, from mad.Addr) {
	h := p.RMPP()
	if !p.IsRMPP() || h.Type != mad.RMPPData {
		return
	}
	answer := mad.RMPPHeader{Type: mad.RMPPAck, Data1: h.Data1, Data2: h.Data1}
	if h.Flags&mad.RMPPLast == 0 {
		slot := c.tids.slot(uint32(p.TID()))
		if slot.stopped {
			return
		}
		slot.stopped = true
		answer = mad.RMPPHeader{Type: mad.RMPPStop, Status: mad.RMPPResourcesExhausted}
	}
	if from.LID.IsUnicast() {
		c.control(rmppReply(p, answer), mad.Addr{
			LID: from.LID, SL: from.SL, PKeyIndex: from.PKeyIndex, QP: from.QP, QKey: mad.WellKnownQK,
			HasGRH: from.HasGRH, GRH: from.GRH,
		})
	}
}

// nextControl is the next packet to send that is no request.
func (c *Client) nextControl() (control, bool) {
	for len(c.acks) > 0 {
		r := c.acks[0]
		c.acks = c.acks[1:]
		t := r.transfer
		if t == nil || !t.ackDue {
			continue
		}
		t.ackDue = false
		if r.state == stateFlying {
			return control{p: ackOf(r, t.received, t.granted), to: r.addr}, true
		}
	}
	c.acks = nil
	if len(c.controls) == 0 {
		c.controls = nil
		return control{}, false
	}
	m := c.controls[0]
	c.controls = c.controls[1:]
	return m, true
}

// sendControl sends such a packet; nobody replies to it. A failure is like a loss
// on the wire: the agent repeats what we do not acknowledge. Who has sent a
// message is told of it.
func (c *Client) sendControl(m control) {
	c.mu.Unlock()
	err := c.t.Send(&m.p, m.to, 0)
	c.mu.Lock()
	if m.sent != nil {
		m.sent <- err
	}
	if err != nil {
		c.stats.Unsent++
	}
}
