package api

import (
	"net/http"
	"slices"
	"time"

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
	if err := a.eventFabric(r); err != nil {
		return err
	}
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

// eventFabric wants that the fabric whose events are asked for is there, or was.
func (a *API) eventFabric(r *request) error {
	name := r.text("fabric")
	if name == "" {
		return nil
	}
	_, unknown := a.state(name)
	if unknown == nil {
		return nil
	}
	if list, _ := a.o.Log.Since(0); slices.ContainsFunc(list, func(e event.Event) bool { return e.Fabric == name }) {
		return nil
	}
	if a.o.History != nil {
		list, err := a.o.History.Events(r.http.Context(), &EventQuery{Fabric: name, Limit: 1})
		if err != nil {
			return historyError(err)
		}
		if len(list) > 0 {
			return nil
		}
	}
	return unknown
}

// collect goes through the events that there are: those that are not in memory any more
// come from the history, if there is one and they are needed.
func (a *API) collect(r *request, c *collector) (missed uint64, err error) {
	events, missed := a.o.Log.Since(r.values["after"].number)
	isGone := missed > 0
	if unknown := a.uncounted(r.values["after"].number); unknown > 0 {
		missed -= min(missed, unknown)
	}
	if !r.has("after") || a.o.History != nil {
		missed = 0 // nobody has asked for these, or they are not gone
	}
	if !isGone || a.o.History == nil {
		c.takeAll(events)
		return missed, nil
	}
	first := a.o.Log.Last() + 1
	until := a.o.Now()
	if len(events) > 0 {
		first, until = events[0].ID, events[0].Time
	}
	if c.last {
		c.takeAll(events)
		return 0, c.before(first, until)
	}
	err = c.after(r.values["after"].number, first)
	if err == nil && !c.more {
		c.takeAll(events)
	}
	return 0, err
}

// uncounted is how many IDs after one are of no event that is known of: those before the
// first of a log that does not go on with the IDs of an earlier run.
func (a *API) uncounted(after uint64) uint64 {
	if first := a.o.Log.First(); !a.o.Follows && after+1 < first {
		return first - 1 - after
	}
	return 0
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

func (c *collector) takeAll(events []event.Event) {
	for i := range events {
		if !c.take(&events[i]) {
			return
		}
	}
}

// historyBatch is how many events are read from the history at once.
const historyBatch = 1000

// query is what the history is asked for.
func (c *collector) query() *EventQuery {
	r := c.r
	return &EventQuery{
		Fabric: r.text("fabric"), Kinds: r.words("kind"), Severities: r.words("severity"), GUID: r.guid("guid"), Since: r.values["since"].time,
	}
}

// after takes events of the history, from one ID to another one, which does not count.
func (c *collector) after(after, end uint64) error {
	q := c.query()
	q.After, q.Limit = after, historyBatch
	for {
		list, err := c.r.api.o.History.Events(c.r.http.Context(), q)
		if err != nil {
			return historyError(err)
		}
		for i := range list {
			q.After = list[i].ID
			if list[i].ID >= end || !c.take(&list[i]) {
				return nil
			}
		}
		if len(list) < q.Limit {
			return nil
		}
	}
}

// before puts events of the history before those that were found: the last ones before
// an ID, which were seen until a time.
func (c *collector) before(end uint64, until time.Time) error {
	missing := c.limit - len(c.found)
	if missing <= 0 {
		return nil
	}
	q := c.query()
	q.After = c.r.values["after"].number
	// What was seen at the very time may have a lower ID, or a higher one.
	q.Newest, q.Until, q.Limit = true, until.Add(1), missing+historyBatch
	list, err := c.r.api.o.History.Events(c.r.http.Context(), q)
	if err != nil {
		return historyError(err)
	}
	older := collector{r: c.r, limit: missing, last: true}
	for i := range list {
		if list[i].ID < end {
			older.take(&list[i])
		}
	}
	c.found = append(older.found, c.found...)
	return nil
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
