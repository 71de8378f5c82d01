package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
)

// maxMessage bounds a line of a stream, and the data of a message.
const maxMessage = 1 << 20

// A Follower takes what a stream of events tells. Its functions may be nil.
type Follower struct {
	Query  url.Values // filters of the events
	After  uint64     // the ID of the last event that is known; 0: with Known none, else what happens next
	Known  bool       // After says where to begin even if it is 0
	Event  func(*event.Event)
	Missed func(n uint64)      // events that the service does not keep any more; 0 for some, it is not known how many
	Lost   func(err error)     // the stream has ended, or there is none; told once until it is back
	Back   func()              // it goes on
	State  func(fabric string) // something new is known of a fabric
}

// Follow follows the events of a service until the context ends, whose error it gives,
// or the service refuses: an *Error that IsFinal. A stream that breaks is taken up again
// behind the last event.
func (c *Client) Follow(ctx context.Context, f *Follower) error {
	var b backOff
	for lost := false; ; {
		told := false // the stream has told something
		err := c.follow(ctx, f, func() {
			told = true
			if lost && f.Back != nil {
				f.Back()
			}
			lost = false
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if IsFinal(err) {
			return err
		}
		if told {
			b = backOff{}
		}
		if !lost && f.Lost != nil {
			f.Lost(err)
		}
		lost = true
		if err := b.wait(ctx); err != nil {
			return err
		}
	}
}

// follow reads one stream to its end; it calls works at each line.
func (c *Client) follow(ctx context.Context, f *Follower, works func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(streamIdle, func() { cancel(errIdle) })
	defer idle.Stop()
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
	} else if f.Known {
		r.Header.Set("Last-Event-ID", "0")
	}
	answer, err := c.do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); media != "text/event-stream" {
		return c.useless(r, answer, "it is no stream of events")
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, maxMessage)
	var name string
	var data []byte
	var passed uint64 // the last ID
	for lines.Scan() {
		idle.Reset(streamIdle)
		works()
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			if len(data)+len(value) > maxMessage {
				return failed(r, bufio.ErrTooLong)
			}
			data = append(data, value...)
		case "id":
			// Also of what is missed, so that it is not told again.
			if id, err := strconv.ParseUint(value, 10, 64); err == nil {
				passed = max(passed, id)
			}
		case "":
			if lines.Text() == "" && len(data) > 0 { // not a comment
				if err := f.take(name, data); err != nil {
					return failed(r, fmt.Errorf("a message of the stream could not be read: %s", shown(err.Error())))
				}
				f.After = max(f.After, passed)
				name, data = "", data[:0]
			}
		}
	}
	if err := lines.Err(); err != nil {
		return failed(r, err)
	}
	return failed(r, errEnded)
}

var (
	errIdle  = errors.New("the service does not say anything any more")
	errEnded = errors.New("the service has ended the stream")
)

// take passes on one message of the stream.
func (f *Follower) take(name string, data []byte) error {
	switch name {
	case "missed":
		var m struct{ Missed uint64 }
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if f.Missed != nil {
			f.Missed(m.Missed)
		}
	case "state":
		var s struct{ Fabric string }
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if f.State != nil {
			f.State(s.Fabric)
		}
	default:
		e := &event.Event{}
		if err := json.Unmarshal(data, e); err != nil {
			return err
		}
		f.After = max(f.After, e.ID)
		if f.Event != nil {
			f.Event(e)
		}
	}
	return nil
}
