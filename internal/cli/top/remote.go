package top

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/client"
)

// remote makes frames of what a service tells.
type remote struct {
	client *client.Client
	every  time.Duration // between two questions

	links  client.Cached
	events client.Cached
	frame  frame // as of the last answer
}

// pageSize is how many links one answer has.
const pageSize = 10000

func newRemote(c *client.Client, fabric string, every time.Duration) *remote {
	links := "/fabrics/" + url.PathEscape(fabric) + "/links"
	return &remote{
		client: c, every: every,
		links:  client.Cached{Client: c, Path: links, Query: url.Values{"limit": {strconv.Itoa(pageSize)}}},
		events: client.Cached{Client: c, Path: "/events", Query: url.Values{"fabric": {fabric}, "last": {"true"}, "limit": {strconv.Itoa(maxEvents)}}},
		frame:  frame{fabric: fabric, source: c.String(), settled: true},
	}
}

// run gives frames to show until the context ends. What fails is told in the frame, and
// asked again.
func (r *remote) run(ctx context.Context, show func(*frame)) {
	for first := true; ; first = false {
		changed, err := r.ask(ctx)
		if ctx.Err() != nil {
			return
		}
		lost := ""
		if err != nil {
			lost = err.Error()
		}
		if first || changed || lost != r.frame.lost {
			r.frame.lost = lost
			f := r.frame
			show(&f)
		}
		select {
		case <-time.After(r.every):
		case <-ctx.Done():
			return
		}
	}
}

// ask asks for what has changed.
func (r *remote) ask(ctx context.Context) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var page api.Page[api.Link]
	links, err := r.links.Get(ctx, &page)
	if err != nil {
		return false, err
	}
	if links {
		if err := r.rest(ctx, &page); err != nil {
			return false, err
		}
		r.take(&page)
	}
	var list struct{ Items []event.Event }
	events, err := r.events.Get(ctx, &list)
	if err != nil {
		return links, err
	}
	if events {
		slices.Reverse(list.Items) // the newest first
		r.frame.events = list.Items
	}
	return links || events, nil
}

// rest adds the other parts of a long list.
func (r *remote) rest(ctx context.Context, page *api.Page[api.Link]) error {
	for next := page.Next; next != 0; {
		var more api.Page[api.Link]
		query := url.Values{"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(next)}}
		if err := r.client.Get(ctx, r.links.Path, query, &more); err != nil {
			return err
		}
		page.Items = append(page.Items, more.Items...)
		if more.Next <= next {
			return nil
		}
		next = more.Next
	}
	return nil
}

// take makes a frame of a list of links.
func (r *remote) take(page *api.Page[api.Link]) {
	f := &r.frame
	f.at, f.hosts, f.switches = page.At, 0, 0
	f.links = make([]link, 0, len(page.Items))
	seen := map[ib.GUID]bool{}
	for i := range page.Items {
		l := &page.Items[i]
		f.links = append(f.links, linkFrom(l))
		for _, e := range []*api.LinkEnd{&l.A, &l.B} {
			if e.ReadAt.After(f.at) {
				f.at = e.ReadAt
			}
			if seen[e.GUID] {
				continue
			}
			seen[e.GUID] = true
			f.hosts += one(e.Type == ib.NodeCA)
			f.switches += one(e.Type == ib.NodeSwitch)
		}
	}
}

func linkFrom(l *api.Link) link {
	out := link{a: endFrom(&l.A), b: endFrom(&l.B)}
	if err := out.state.UnmarshalText([]byte(l.State)); err != nil {
		out.state = ib.PortNoChange
	}
	if l.Active != nil && out.state == ib.PortActive {
		out.rate, out.capacity = l.Active.Width+l.Active.Speed, l.Active.RateGbps*1e9/8
	}
	if l.Degraded && l.Best != nil {
		out.best = l.Best.Width + l.Best.Speed
	}
	return out
}

func endFrom(e *api.LinkEnd) end {
	out := end{guid: e.GUID, name: e.Name, lid: e.LID, congestion: -1, counted: !e.ReadAt.IsZero()}
	if e.Port != nil {
		out.port = *e.Port
	}
	if e.XmitRate != nil && e.RcvRate != nil {
		out.rated, out.xmit, out.rcv = true, *e.XmitRate, *e.RcvRate
	}
	if e.Congestion != nil {
		out.congestion = *e.Congestion
	}
	if e.Errors != nil {
		out.errors = *e.Errors
	}
	if e.ErrorsPerSecond != nil {
		out.rising = *e.ErrorsPerSecond * 60
	}
	if e.LinkDowned != nil {
		out.downed = *e.LinkDowned
	}
	if e.Discards != nil {
		out.discards = *e.Discards
	}
	out.worst = e.WorstError
	return out
}
