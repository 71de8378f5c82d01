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
