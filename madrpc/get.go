package madrpc

import (
	"context"

	"github.com/ibscope/ibscope/mad"
)

// SMPAttribute is a pointer to an attribute of subnet management, as package
// mad/smp has them.
type SMPAttribute[T any] interface {
	*T
	AttrID() mad.AttrID
	Decode(*[mad.DataSize]byte)
}

// GetSMP reads one attribute of subnet management:
//
//	info, err := madrpc.GetSMP[smp.PortInfo](ctx, client, mad.ByLID(7), 3)
//
// The meaning of modifier is the attribute's own, often a port number. The
// errors are those of Client.Do.
func GetSMP[T any, P SMPAttribute[T]](ctx context.Context, c *Client, to mad.Target, modifier uint32) (T, error) {
	var v T
	r := Request{Target: to}
	r.Packet.Init(to.SMPClass(), mad.MethodGet, P(&v).AttrID(), modifier)
	if err := c.Do(ctx, &r); err != nil {
		return v, err
	}
	P(&v).Decode(r.Packet.SMPData())
	return v, nil
}

// Attribute is a pointer to an attribute of any class, as the packages below mad
// have them.
type Attribute interface {
	Class() mad.Class
	AttrID() mad.AttrID
	UnmarshalBinary(data []byte) error
	AppendBinary(dst []byte) ([]byte, error)
}

// Get reads an attribute of any class into v. What v holds before is the data of
// the request, which in performance management names the port:
//
//	counters := pma.PortCounters{PortSelect: 3}
//	err := madrpc.Get(ctx, client, mad.ByLID(7), 0, &counters)
//
// The functions in prepare may complete the header of the request: a CC_Key, an
// OUI. An agent that redirects the request is followed. The errors are those of
// Client.Do; v is unchanged then.
func Get(ctx context.Context, c *Client, to mad.Target, modifier uint32, v Attribute, prepare ...func(*mad.Packet)) error {
	return exchange(ctx, c, mad.MethodGet, to, modifier, v, prepare)
}

// Set writes an attribute of any class and sets v to what the agent has made of
// it. It is Get in everything else.
func Set(ctx context.Context, c *Client, to mad.Target, modifier uint32, v Attribute, prepare ...func(*mad.Packet)) error {
	return exchange(ctx, c, mad.MethodSet, to, modifier, v, prepare)
}

func exchange(ctx context.Context, c *Client, m mad.Method, to mad.Target, modifier uint32, v Attribute, prepare []func(*mad.Packet)) error {
	class := v.Class()
	if class.IsSMP() {
		class = to.SMPClass()
	}
	var request mad.Packet
	request.Init(class, m, v.AttrID(), modifier)
	if _, err := v.AppendBinary(request.Data()[:0]); err != nil {
		return err
	}
	for _, f := range prepare {
		f(&request)
	}
	reply, err := c.DoRedirected(ctx, to, &request)
	if err != nil {
		return err
	}
	return v.UnmarshalBinary(reply.Data())
}
