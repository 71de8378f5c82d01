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
	if s.after > s.r.api.o.Log.Last() {
		s.after = 0 // of an earlier life whose history is lost: all of this one is new
	}
	if s.after == 0 {
		s.after = s.r.api.uncounted(0) // who has no event of an earlier life misses none of it
	}
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
			if s.recall(ctx, missed) != nil || s.send(events) != nil {
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

// recall sends events that are not in memory any more from the history, as after a new
// start of the service, and how many are not there either, if that is known.
func (s *stream) recall(ctx context.Context, missed uint64) error {
	end := s.after + missed
	isKnown := s.r.api.uncounted(s.after) == 0
	if missed > 0 && s.r.api.o.History != nil {
		found, err := s.remember(ctx, end)
		if err != nil {
			return err
		}
		missed -= found
	}
	s.after = end
	if missed == 0 {
		return nil
	}
	data := "{}"
	if isKnown {
		data = fmt.Sprintf("{\"missed\":%d}", missed)
	}
	return s.write(fmt.Sprintf("id: %d\nevent: missed\ndata: %s\n\n", s.after, data))
}

// remember sends events of the history up to an ID. A history that fails has none: that
// some are missed is told.
func (s *stream) remember(ctx context.Context, end uint64) (found uint64, err error) {
	for s.after < end {
		list, err := s.r.api.o.History.Events(ctx, &EventQuery{After: s.after, Limit: historyBatch})
		if err != nil {
			s.r.api.o.Logger.Warn("a stream could not be given events of the history", "err", err)
			return found, nil
		}
		n := 0
		for n < len(list) && list[n].ID <= end {
			n++
		}
		if n == 0 {
			return found, nil
		}
		found += uint64(n)
		if err := s.send(list[:n]); err != nil {
			return found, err
		}
	}
	return found, nil
}

// send sends events.
func (s *stream) send(events []event.Event) error {
	text := ""
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
