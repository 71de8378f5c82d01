package umad

import "github.com/ibscope/ibscope/mad"

// clientOUI is the vendor that clients of vendor classes are registered for. The
// kernel wants one; as a client gets replies only, any will do, and this is the
// one of the open source stack.
const clientOUI = 0x001405

// Answer registers the port for the requests of a class, Gets and Sets, which
// Recv then gives; Send sends the replies. The OUI tells vendor classes from 0x30
// on apart. Long replies are the caller's: its packets of RMPP go as they are. It
// has to come before the first Send of the class. The errors are those of
// Register.
func (p *Port) Answer(class mad.Class, oui uint32) error {
	a, err := p.Register(AgentRequest{Class: class, OUI: oui, Methods: []mad.Method{mad.MethodGet, mad.MethodSet}})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.agents[class] = a
	return nil
}
