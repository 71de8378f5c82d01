package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// A stream of events has these bounds beside their number: what a client does not take
// within streamPatience ends it, and what it is behind by more than the log keeps is
// told as missed.
const (
	streamPatience = 30 * time.Second
	streamBatch    = 256 // events between two flushes
	statePoll      = time.Second
)

// stream sends events as they happen.
type stream struct {
	r       *request
	control *http.ResponseController
	after   uint64
	states  map[string]*watch.State // told last, by name
}

func (a *API) stream(r *request) error {
	if err := a.eventFabric(r); err != nil {
		return err
	}
	select {
	case a.streams <- struct{}{}:
		defer func() { <-a.streams }()
	default:
		return errTooManyStreams
	}
	s := &stream{r: r, control: http.NewResponseController(r.w), states: map[string]*watch.State{}}
	if err := s.begin(); err != nil {
		return err
	}
	h := r.w.Header()
	h.Set("Content-Type", streamMedia)
	h.Set("X-Accel-Buffering", "no") // a proxy must not keep events back
	if r.http.Method == http.MethodHead {
		return nil
	}
	for _, state := range a.o.States() {
		s.states[state.Name] = state
	}
	if s.write(": events\n\n") == nil {
		s.run(r.http.Context())
	}
	return nil
}

// begin finds out where to begin.
func (s *stream) begin() error {
	s.after = s.r.api.o.Log.Last()
	if s.r.has("after") {
		s.after = s.r.values["after"].number
	}
	if text := s.r.http.Header.Get("Last-Event-ID"); text != "" {
		id, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return bad("header Last-Event-ID: found %q, expected the ID of an event", text)
		}
		s.after = id
	}
	s.after = min(s.after, s.r.api.o.Log.Last()) // one of an earlier life
	return nil
}

// run sends until the client goes away, or the service ends.
func (s *stream) run(ctx context.Context) {
	beat := time.NewTicker(s.r.api.o.Heartbeat)
	defer beat.Stop()
	poll := time.NewTicker(statePoll)
	defer poll.Stop()
	for {
		events, missed, changed := s.r.api.o.Log.Follow(s.after)
		if len(events) > 0 || missed > 0 {
			if s.send(events, missed) != nil {
				return
			}
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		case <-beat.C:
			if s.write(": still here\n\n") != nil {
				return
			}
		case <-poll.C:
			if s.tellStates() != nil {
				return
			}
		}
	}
}

// send sends events, and how many were missed before them.
func (s *stream) send(events []event.Event, missed uint64) error {
	text := ""
	if missed > 0 {
		s.after += missed
		text = fmt.Sprintf("id: %d\nevent: missed\ndata: {\"missed\":%d}\n\n", s.after, missed)
	}
	for i := range events {
		e := &events[i]
		s.after = e.ID
		if s.r.wantsEvent(e) {
			text += fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.ID, word(string(e.Kind)), encode(e))
		}
		if (i+1)%streamBatch == 0 {
			if err := s.write(text); err != nil {
				return err
			}
			text = ""
		}
	}
	if text == "" {
		return nil
	}
	return s.write(text)
}

// tellStates tells of fabrics of which something new is known.
func (s *stream) tellStates() error {
	text := ""
	for _, now := range s.r.api.o.States() {
		if s.states[now.Name] == now || s.r.text("fabric") != "" && s.r.text("fabric") != now.Name {
			continue
		}
		s.states[now.Name] = now
		news := StateNews{Fabric: now.Name, Status: statusWord(now), At: utc(now.At)}
		if now.Totals != nil {
			news.CountedAt = now.Totals.At.UTC()
		}
		text += fmt.Sprintf("event: state\ndata: %s\n\n", encode(news))
	}
	if text == "" {
		return nil
	}
	return s.write(text)
}

// write sends text at once.
func (s *stream) write(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(streamPatience)); err != nil {
		return err
	}
	if _, err := s.r.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

// word is the name of a kind, which must not end the line that it is on.
func word(kind string) string {
	for _, c := range kind {
		if c != '-' && (c < 'a' || c > 'z') {
			return "event"
		}
	}
	return kind
}
