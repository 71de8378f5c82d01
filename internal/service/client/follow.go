package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
)

// Times between two tries to follow a service that does not answer.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// A Follower takes what a stream of events tells. Its functions may be nil.
type Follower struct {
	Query  url.Values // filters of the events
	After  uint64     // the ID of the last event that is known
	Event  func(*event.Event)
	Missed func(n uint64)      // events that the service does not keep any more
	Lost   func(err error)     // the stream has ended, and is tried again
	State  func(fabric string) // something new is known of a fabric
}

// Follow follows the events of a service until the context ends, whose error it gives,
// or the service refuses: an *Error with a Status. A stream that breaks is taken up
// again behind the last event.
func (c *Client) Follow(ctx context.Context, f *Follower) error {
	pause := firstPause
	for {
		before := f.After
		err := c.follow(ctx, f)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var refused *Error
		if errors.As(err, &refused) && refused.Status != 0 && refused.Status < 500 {
			return err
		}
		if f.After != before {
			pause = firstPause
		}
		if f.Lost != nil {
			f.Lost(err)
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, lastPause)
	}
}

// follow reads one stream to its end.
func (c *Client) follow(ctx context.Context, f *Follower) error {
	query := url.Values{}
	for name, values := range f.Query {
		query[name] = values
	}
	r, err := c.request(ctx, "/events/stream", query)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	if f.After > 0 {
		r.Header.Set("Last-Event-ID", strconv.FormatUint(f.After, 10))
	}
	answer, err := c.do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	var name, data string
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data += value
		case "":
			if lines.Text() == "" && data != "" { // not a comment
				if err := f.take(name, data); err != nil {
					return &Error{URL: r.URL.Redacted(), Err: err}
				}
				name, data = "", ""
			}
		}
	}
	if err := lines.Err(); err != nil {
		return &Error{URL: r.URL.Redacted(), Err: err}
	}
	return &Error{URL: r.URL.Redacted(), Err: fmt.Errorf("the service has ended the stream")}
}

// take passes on one message of the stream.
func (f *Follower) take(name, data string) error {
	switch name {
	case "missed":
		var m struct{ Missed uint64 }
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			return err
		}
		if f.Missed != nil {
			f.Missed(m.Missed)
		}
	case "state":
		var s struct{ Fabric string }
		if err := json.Unmarshal([]byte(data), &s); err != nil {
			return err
		}
		if f.State != nil {
			f.State(s.Fabric)
		}
	default:
		e := &event.Event{}
		if err := json.Unmarshal([]byte(data), e); err != nil {
			return err
		}
		f.After = max(f.After, e.ID)
		if f.Event != nil {
			f.Event(e)
		}
	}
	return nil
}
