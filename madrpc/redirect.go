package madrpc

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
)

// maxRedirects bounds how often one request is redirected.
const maxRedirects = 4

// DoRedirected sends a request of general services to a target and, when the
// agent there says that another one is responsible (IBA vol. 1, 13.5.2), to that.
// It gives the reply. The errors are those of Do; a redirection by GID only, or
// one that does not end, is the error mad.StatusRedirect.
func (c *Client) DoRedirected(ctx context.Context, to mad.Target, request *mad.Packet) (*mad.Packet, error) {
	for range maxRedirects {
		r := Request{Target: to, Packet: *request}
		err := c.Do(ctx, &r)
		next, ok := Redirected(&r)
		if !ok {
			return &r.Packet, err
		}
		to = next
	}
	r := Request{Target: to, Packet: *request}
	err := c.Do(ctx, &r)
	return &r.Packet, err
}

// Redirected gives the target that the reply of a finished request redirects to;
// false if it does not, or by GID only.
func Redirected(r *Request) (mad.Target, bool) {
	var status mad.Status
	if !errors.As(r.Err, &status) || status != mad.StatusRedirect || r.Packet.Class().IsSMP() {
		return mad.Target{}, false
	}
	var info gs.ClassPortInfo
	if info.UnmarshalBinary(r.Packet.Data()) != nil || !info.RedirectLID.IsUnicast() {
		return mad.Target{}, false
	}
	to := r.Target
	to.LID, to.SL, to.QP, to.QKey = info.RedirectLID, info.RedirectSL, info.RedirectQP, info.RedirectQKey
	return to, true
}
