package top

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
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

// Bounds of what is asked.
const (
	pageSize = 10_000           // links in one answer
	maxLinks = 1_000_000        // in all
	patience = 10 * time.Second // for all answers to one round of questions
)

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
// asked again, but for a service that refuses from the beginning: that is the error.
func (r *remote) run(ctx context.Context, show func(*frame)) error {
	defer r.client.Close()
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for first := true; ; first = false {
		changed, err := r.ask(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case first && err != nil && client.IsFinal(err):
			return err
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
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// ask asks for what has changed.
func (r *remote) ask(ctx context.Context) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
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
		r.frame.events = list.Items[:min(len(list.Items), maxEvents)]
		for i := range r.frame.events {
			e := &r.frame.events[i]
			for _, text := range []*string{&e.Fabric, &e.At.Name, &e.To.Name, &e.Field, &e.Old, &e.New} {
				*text = cut(*text) // they are escaped where they are shown
			}
			e.Kind, e.Severity, e.How = event.Kind(word(string(e.Kind))), event.Severity(word(string(e.Severity))), word(e.How)
		}
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
		if more.Next <= next || len(page.Items) > maxLinks {
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
		out.rate, out.capacity = word(l.Active.Width+l.Active.Speed), between(l.Active.RateGbps*1e9/8, fastest)
	}
	if l.Degraded && l.Best != nil {
		out.best = word(l.Best.Width + l.Best.Speed)
	}
	return out
}

func endFrom(e *api.LinkEnd) end {
	out := end{guid: e.GUID, name: cut(e.Name), lid: e.LID, congestion: -1, counted: !e.ReadAt.IsZero()}
	if e.Port != nil {
		out.port = min(max(*e.Port, 0), mostPorts)
	}
	if e.XmitRate != nil && e.RcvRate != nil {
		out.rated, out.xmit, out.rcv = true, between(*e.XmitRate, fastest), between(*e.RcvRate, fastest)
	}
	if e.Congestion != nil {
		out.congestion = between(*e.Congestion, 1)
	}
	if e.Errors != nil {
		out.errors = *e.Errors
	}
	if e.ErrorsPerSecond != nil {
		out.rising = between(*e.ErrorsPerSecond*60, fastest)
	}
	if e.LinkDowned != nil {
		out.downed = *e.LinkDowned
	}
	if e.Discards != nil {
		out.discards = *e.Discards
	}
	out.worst = word(e.WorstError)
	return out
}

// What a service may tell.
const (
	fastest     = 1e15 // of anything, a second
	mostPorts   = 255
	longestText = 256 // bytes
)

// between is a value from 0 on: the service may not be what it seems.
func between(v, most float64) float64 { return min(max(v, 0), most) }

// word is a text that is shown as it is.
func word(s string) string { return escape.Text(cut(s)) }

// cut is a text of a length that one would read.
func cut(s string) string {
	if len(s) > longestText {
		return strings.ToValidUTF8(s[:longestText], "")
	}
	return s
}
