package ping

import (
	"context"
	"errors"
	"os"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/madrpc"
)

// A Server answers the requests of one of the classes openib.ClassPing and
// openib.ClassSysstat.
type Server struct {
	Class mad.Class
	OUI   uint32 // of those who are answered
	Host  Host

	// Answered is called with each request that has been answered. Nil is nobody.
	Answered func(from mad.Addr, attr mad.AttrID)

	long transfers
}

// answerer is a transport that has to be told which requests are wanted, as that
// of package umad. Others give all that come.
type answerer interface {
	Answer(class mad.Class, oui uint32) error
}

// Serve answers what comes by t, which it owns from now on, until the context
// ends; then it closes t and gives the context's error. Other errors are an *Error
// about a transport that does not take the class, or that broke. A reply that
// cannot be sent is lost, as on the wire.
func (s *Server) Serve(ctx context.Context, t madrpc.Transport) error {
	if a, ok := t.(answerer); ok {
		if err := a.Answer(s.Class, s.OUI); err != nil {
			t.Close()
			return &Error{Op: "serve", Obj: s.Class.String(), Err: err}
		}
	}
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		t.Close()
		close(closed)
	})
	defer func() {
		if stop() {
			t.Close()
		} else {
			<-closed
		}
	}()
	err := s.answerAll(t)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Error{Op: "serve", Obj: s.Class.String(), Err: err}
}

// answerAll answers until the transport ends.
func (s *Server) answerAll(t madrpc.Transport) error {
	var p mad.Packet
	for {
		p = mad.Packet{}
		from, err := t.Recv(&p)
		var lost *mad.SendError
		switch {
		case errors.As(err, &lost):
			continue // a reply that did not arrive
		case err != nil:
			return err
		}
		for _, reply := range s.handle(&p, from) {
			if err := t.Send(&reply, back(from), 0); errors.Is(err, os.ErrClosed) {
				return err
			}
		}
	}
}

// back is where replies to a request go.
func back(from mad.Addr) mad.Addr {
	from.QKey = mad.WellKnownQK
	return from
}

// handle gives the packets to send because of one that came.
func (s *Server) handle(p *mad.Packet, from mad.Addr) []mad.Packet {
	if p.BaseVersion() != 1 || p.Class() != s.Class || p.OUI() != s.OUI {
		return nil
	}
	if p.IsRMPP() && p.RMPP().Type != mad.RMPPData {
		return s.long.heard(p, from)
	}
	if method := p.Method(); method != mad.MethodGet && method != mad.MethodSet {
		return nil // replies, and what nobody awaits one for
	}
	reply := *p
	text, status := s.reply(p)
	reply.SetStatus(status)
	reply.SetMethod(mad.MethodGetResp)
	reply.SetRMPP(mad.RMPPHeader{})
	if s.Answered != nil {
		s.Answered(from, p.AttrID())
	}
	if data := reply.Data(); len(text) > len(data) {
		return s.long.start(&reply, text, from)
	} else if status == mad.StatusOK && len(text) > 0 {
		clear(data)
		copy(data, text)
	}
	return []mad.Packet{reply}
}

// reply is the text of an answer, with the NUL that ends it; none leaves the data
// of the request in the reply. Pings are answered whatever the attribute, as by C.
func (s *Server) reply(p *mad.Packet) ([]byte, mad.Status) {
	switch attr := p.AttrID(); {
	case p.ClassVersion() != 1:
		return nil, mad.StatusBadVersion
	case p.Method() != mad.MethodGet:
		return nil, mad.StatusUnsupportedMethod
	case s.Class == openib.ClassPing:
		return terminated(s.Host.Name, mad.Size-s.Class.DataOffset(attr)), mad.StatusOK
	case attr == openib.AttrSysstatPing:
		return nil, mad.StatusOK
	case attr == openib.AttrSysstatHost:
		return terminated(s.Host.Name, mad.Size-s.Class.DataOffset(attr)), mad.StatusOK
	case attr == openib.AttrSysstatCPU:
		return terminated(s.Host.cpuText(), maxText), mad.StatusOK
	}
	return nil, mad.StatusUnsupportedAttr
}

// terminated is a text with a NUL behind it, no longer than a buffer of that size.
func terminated(s string, size int) []byte {
	return append([]byte(s[:min(len(s), size-1)]), 0)
}
