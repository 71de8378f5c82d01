package ibsim

import (
	"time"

	"github.com/ibscope/ibscope/mad"
)

// A Network is the fabric that a Server serves. It is safe for concurrent use.
type Network interface {
	// Attach opens a port of the node with that id or description. "" is the
	// node that clients get who name none.
	Attach(node string) (NetworkPort, error)
}

// A NetworkPort is an open port of a Network. Send, Recv and Close are those of
// package madrpc's Transport. Recv gives what is answered, requests and reports
// of others on the fabric, and, beside a *mad.SendError, requests that nothing
// will answer; those that it does not give back stay unanswered.
type NetworkPort interface {
	Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error
	Recv(p *mad.Packet) (from mad.Addr, err error)
	Close() error

	// NodeID names the node as the topology does.
	NodeID() string

	// LocalAttribute is what the port's own node answers to a Get of a subnet
	// management attribute, asked not over the fabric but by its driver.
	LocalAttribute(attr mad.AttrID, modifier uint32) ([mad.DataSize]byte, mad.Status)

	// SetIsSM says whether a subnet manager runs at this port: PortInfo tells so.
	SetIsSM(on bool) error
}
