package saclient

import (
	"context"
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
)

// Options tune a Client. The zero value has the defaults.
type Options struct {
	// SMKey is the SM_Key of requests: managers that know it show everything.
	SMKey uint64

	// Timeout of one try; 0 stands for that of the madrpc.Client. In a table it
	// is the longest pause.
	Timeout time.Duration
}

// A Client asks one subnet administration. Its methods may be called by many
// goroutines at once.
type Client struct {
	rpc  *madrpc.Client
	opts Options

	mu sync.Mutex
	to mad.Target // where a redirection has sent us, or the target of New
}

// New makes a client for the administration at a target, usually the LID of the
// subnet manager (PortInfo.SMLID). Nil options stand for the defaults. The client
// needs no Close; rpc must stay open.
func New(rpc *madrpc.Client, to mad.Target, o *Options) *Client {
	c := &Client{rpc: rpc, to: to}
	if o != nil {
		c.opts = *o
	}
	return c
}

// Target is where requests go.
func (c *Client) Target() mad.Target {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.to
}

func (c *Client) redirect(to mad.Target) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to = to
}

// Get finds the one record that has the values which mask selects in v, and sets
// v to it. Several that match are sa.StatusTooManyRecords, none is
// sa.StatusNoRecords. The errors wrap those of madrpc.Client.Do.
func (c *Client) Get(ctx context.Context, v madrpc.Attribute, mask uint64) error {
	return c.exchange(ctx, mad.MethodGet, v, mask)
}

// Set adds or changes a record: it joins a multicast group, registers a service,
// subscribes to notices. It sets v to what the manager has made of it.
func (c *Client) Set(ctx context.Context, v madrpc.Attribute, mask uint64) error {
	return c.exchange(ctx, mad.MethodSet, v, mask)
}

// Delete removes a record: it leaves a group, ends a service.
func (c *Client) Delete(ctx context.Context, v madrpc.Attribute, mask uint64) error {
	return c.exchange(ctx, mad.MethodDelete, v, mask)
}

// ClassPortInfo asks what the administration can do.
func (c *Client) ClassPortInfo(ctx context.Context) (sa.ClassPortInfo, error) {
	var v sa.ClassPortInfo
	err := c.Get(ctx, &v, 0)
	return v, err
}

func (c *Client) exchange(ctx context.Context, m mad.Method, v madrpc.Attribute, mask uint64) error {
	r := madrpc.Request{Timeout: c.opts.Timeout}
	if err := c.fill(&r.Packet, m, Query{Record: v, Mask: mask}); err != nil {
		return err
	}
	request := r.Packet
	for range maxRedirects {
		r.Target, r.Packet = c.Target(), request
		err := c.rpc.Do(ctx, &r)
		if to, ok := madrpc.Redirected(&r); ok {
			c.redirect(to)
			continue
		}
		if err != nil {
			return wrap(m, v.AttrID(), err)
		}
		return v.UnmarshalBinary(r.Packet.Data())
	}
	return wrap(m, v.AttrID(), r.Err)
}

// maxRedirects bounds how often one request is redirected.
const maxRedirects = 4

// fill makes the packet of a request.
func (c *Client) fill(p *mad.Packet, m mad.Method, q Query) error {
	p.Init(mad.ClassSubnAdm, m, q.Record.AttrID(), q.Modifier)
	p.SetSMKey(c.opts.SMKey)
	p.SetCompMask(q.Mask)
	p.SetRMPP(mad.RMPPHeader{Version: mad.RMPPVersion})
	data, err := q.Record.AppendBinary(p.Data()[:0])
	if err != nil {
		return err
	}
	p.SetAttrOffset(sa.AttributeOffset(len(data)))
	return nil
}
