package ibsim

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Network is the fabric that a Server serves. It is safe for concurrent use.
type Network interface {
	// Attach opens a port of the node with that id or description. "" is the
	// node that clients get who name none.
	//
	// What arrives at the port goes to arrive, also before Attach returns, and
	// by several goroutines at once: answers, requests and reports of others,
	// with err nil; and requests that nothing will answer, with err a
	// *mad.SendError and from where they were sent to. Those that do not come
	// back stay unanswered. The packet is valid until arrive returns, and arrive
	// does not wait.
	Attach(node string, arrive func(p *mad.Packet, from mad.Addr, err error)) (NetworkPort, error)
}

// A NetworkPort is an open port of a Network.
type NetworkPort interface {
	// Send is that of package madrpc's Transport.
	Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error

	// Close gives the port up; nothing arrives soon after.
	Close() error

	// NodeID names the node as the topology does.
	NodeID() string

	// LocalAttribute is what the port's own node answers to a Get of a subnet
	// management attribute, asked not over the fabric but by its driver.
	LocalAttribute(attr mad.AttrID, modifier uint32) ([mad.DataSize]byte, mad.Status)

	// SetIsSM says whether the client is the subnet manager of this port. Then
	// PortInfo tells so, and requests to it arrive.
	SetIsSM(on bool)
}
