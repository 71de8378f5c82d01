package api

import (
	"net/http"
	"slices"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
)

// eventPage is Events with the events themselves, which know their form in JSON.
type eventPage struct {
	Schema  string        `json:"schema"`
	Version int           `json:"version"`
	Last    uint64        `json:"last"`
	Missed  uint64        `json:"missed,omitempty"`
	Next    uint64        `json:"next,omitempty"`
	Items   []event.Event `json:"items"`
}

func (a *API) events(r *request) error {
	answer := eventPage{Schema: "ibscope.api.events", Version: Version, Last: a.o.Log.Last(), Items: []event.Event{}}
	c := collector{r: r, limit: r.number("limit"), last: r.values["last"].flag}
	missed, err := a.collect(r, &c)
	if err != nil {
		return err
	}
	answer.Missed = missed
	answer.Items = append(answer.Items, c.found...)
	if c.more && !c.last {
		answer.Next = c.found[len(c.found)-1].ID
	}
	return r.json(answer)
}

// collect goes through the events that there are: those that are not in memory any more
// come from the history, if there is one.
func (a *API) collect(r *request, c *collector) (missed uint64, err error) {
	after := r.values["after"].number
	events, missed := a.o.Log.Since(after)
	if missed > 0 && a.o.History != nil {
		first := a.o.Log.Last() + 1
		if len(events) > 0 {
			first = events[0].ID
		}
		err := a.o.History.Events(r.http.Context(), after, r.values["since"].time, func(e *event.Event) bool {
			return e.ID < first && c.take(e)
		})
		if err != nil {
			return 0, historyError(err)
		}
		missed = 0
	}
	for i := range events {
		if !c.take(&events[i]) {
			break
		}
	}
	if !r.has("after") {
		missed = 0 // nobody has asked for these
	}
	return missed, nil
}

// collector keeps the events that a request wants, the first or the last ones.
type collector struct {
	r     *request
	limit int
	last  bool
	found []event.Event
	more  bool // there are more of them
}

// take reports whether it wants to see more.
func (c *collector) take(e *event.Event) bool {
	if t := c.r.values["since"].time; !e.Time.After(t) && !t.IsZero() || !c.r.wantsEvent(e) {
		return true
	}
	if len(c.found) < c.limit {
		c.found = append(c.found, *e)
		return true
	}
	c.more = true
	if c.last {
		c.found = append(c.found[1:], *e)
	}
	return c.last
}

// wantsEvent reports whether an event fits the filters.
func (r *request) wantsEvent(e *event.Event) bool {
	if f := r.text("fabric"); f != "" && e.Fabric != f {
		return false
	}
	if kinds := r.words("kind"); kinds != nil && !slices.Contains(kinds, string(e.Kind)) {
		return false
	}
	if list := r.words("severity"); list != nil && !slices.Contains(list, string(e.Severity)) {
		return false
	}
	return !r.has("guid") || r.isAt(e.At) || r.isAt(e.To)
}

func (r *request) isAt(end event.End) bool {
	return end.GUID == ib.GUID(r.values["guid"].number) && (!r.has("port") || end.Port == r.number("port"))
}

// errTooManyStreams is the answer where no more streams are admitted.
var errTooManyStreams = &Error{http.StatusServiceUnavailable, "too many clients follow the events"}
