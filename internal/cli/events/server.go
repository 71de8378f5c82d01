package events

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/client"
)

// served are the events of a service.
type served struct {
	*settings
	env    *env.Env
	client *client.Client
	last   uint64 // ID of the last event that the service had when it listed them
}

// connect makes a client of the service.
func (s *settings) connect(e *env.Env) (source, error) {
	token, err := client.ReadToken(s.token)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--token-file: %w", err)
	}
	c, err := client.New(s.server, token)
	if err != nil {
		return nil, env.Exitf(env.Usage, "--server: %w", err)
	}
	return &served{settings: s, env: e, client: c}, nil
}

func (s *served) name() string { return s.client.String() }

func (s *served) Close() error {
	s.client.Close()
	return nil
}

// query are the filters as the API has them.
func (s *served) query() url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("fabric", s.from.Fabric)
	set("kind", strings.Join(s.kinds, ","))
	set("severity", strings.Join(s.severities, ","))
	if g := s.guid(); g != 0 {
		set("guid", g.String())
	}
	return q
}

// pageSize is how many events are asked for at once.
const pageSize = 1000

// list waits for a service that is not there yet if its events are to be followed: the two
// may be started together.
func (s *served) list(ctx context.Context) (list []event.Event, missed uint64, err error) {
	ask := func(ctx context.Context) error {
		list, missed, err = s.pages(ctx)
		return err
	}
	if s.settings.follow && !s.noWait {
		err = client.Retry(ctx, s.lost, ask)
	} else {
		err = ask(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return nil, 0, &env.ExitError{Code: env.Failed, Err: err}
	}
	return list, missed, err
}

func (s *served) lost(err error) { s.env.Complain("%v; it is tried again until it answers", err) }
func (s *served) back()          { s.env.Complain("%s answers again", s.client) }

// missed tells of events that the service does not keep any more.
func (s *served) missed(n uint64) {
	if n == 0 {
		s.env.Complain("events may have been missed: the service was started again, and has no history")
		return
	}
	s.env.Complain("%d events were missed: the service does not keep them any more", n)
}

// pages asks for all events, some at a time.
func (s *served) pages(ctx context.Context) (list []event.Event, missed uint64, err error) {
	q := s.query()
	q.Set("limit", strconv.Itoa(pageSize))
	if !s.span.From.IsZero() {
		q.Set("since", s.span.From.UTC().Format(time.RFC3339Nano))
	}
	for asked := uint64(0); ; {
		var page struct {
			Missed, Next, Last uint64
			Items              []event.Event
		}
		if err := s.client.Get(ctx, "/events", q, &page); err != nil {
			return nil, 0, err
		}
		missed += page.Missed
		s.last = max(s.last, page.Last)
		for i := range page.Items {
			if to := s.span.To; to.IsZero() || page.Items[i].Time.Before(to) {
				list = append(list, page.Items[i])
			}
		}
		if page.Next == 0 {
			return list, missed, nil
		}
		if page.Next <= asked {
			return nil, 0, &env.ExitError{Code: env.Failed, Err: fmt.Errorf("%s tells the same events again and again", s.client)}
		}
		asked = page.Next
		list = list[max(0, len(list)-maxLimit):]
		q.Set("after", strconv.FormatUint(page.Next, 10))
	}
}

func (s *served) follow(ctx context.Context, after uint64, yield func(*event.Event) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := s.client.Follow(inner, &client.Follower{
		Query: s.query(), After: max(after, s.last), Known: true, // what has happened since it was asked is not lost
		Event: func(e *event.Event) {
			if err := yield(e); err != nil {
				cancel(err)
			}
		},
		Missed: s.missed,
		Lost:   s.lost,
		Back:   s.back,
	})
	if cause := context.Cause(inner); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return &env.ExitError{Code: env.Failed, Err: err}
}
