package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/internal/service/spool"
)

// Waits between tries of one request.
const (
	firstWait  = time.Second
	lastWait   = 5 * time.Minute
	diskPause  = 5 * time.Second // before a queue is read again that could not be
	maxRetry   = time.Hour       // what Retry-After may ask for
	batchBytes = 256 << 10
	maxAnswer  = 64 << 10 // of an answer that is read, for the connection to be used again
)

// deliver sends what is in the queue, until the context ends.
func (t *sender) deliver(ctx context.Context) {
	wait, batch := time.Duration(0), t.MaxBatch
	for ctx.Err() == nil {
		lines, next, err := t.queue.Take(batch, batchBytes)
		switch {
		case err != nil:
			t.log.Error("the queue cannot be read", "err", err)
			spool.Pause(ctx, diskPause)
			continue
		case len(lines) == 0:
			select {
			case <-t.queue.Changed():
			case <-ctx.Done():
			}
			continue
		}
		r := t.post(ctx, lines)
		if ctx.Err() != nil {
			return
		}
		switch {
		case r.err == nil:
			t.finish(next)
			wait, batch = 0, min(t.MaxBatch, batch*2)
		case r.refused && len(lines) > 1:
			batch = 1 // find the one that it does not want
		case r.refused:
			t.count(func(s *Stats) { s.Refused++ })
			t.log.Error("an event was refused", "err", r.err)
			t.finish(next)
		default:
			wait = backOff(wait)
			t.log.Warn("events were not taken", "events", len(lines), "err", r.err, "again", max(wait, r.after).Round(time.Second))
			spool.Pause(ctx, max(wait-jitter(wait), r.after))
		}
	}
}

// backOff is the next wait: twice the last one.
func backOff(last time.Duration) time.Duration { return min(max(2*last, firstWait), lastWait) }

// jitter is up to half of a wait, so that collectors that failed together do not come
// back together.
func jitter(wait time.Duration) time.Duration { return rand.N(wait/2 + 1) }

// finish is done with what was taken, or refused.
func (t *sender) finish(next spool.Place) {
	if err := t.queue.Finish(next); err != nil {
		t.log.Error("what was sent cannot be noted; it will be sent again after a restart", "err", err)
	}
}

// result is what became of a request.
type result struct {
	err     error
	refused bool          // the same request will never be taken
	after   time.Duration // which the target asks to wait
}

// post sends events in one request.
func (t *sender) post(ctx context.Context, lines [][]byte) result {
	limited, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	r := t.request(limited, lines)
	if r.err != nil && ctx.Err() != nil {
		return r // it is not the target's fault
	}
	t.count(func(s *Stats) {
		s.Requests++
		s.LastError = ""
		if r.err != nil {
			s.Failed++
			s.LastError = r.err.Error()
			return
		}
		s.Sent += uint64(len(lines))
		s.LastSent = time.Now()
	})
	return r
}

func (t *sender) request(ctx context.Context, lines [][]byte) result {
	body := append([]byte(`{"schema":"ibscope.events","version":1,"events":[`), bytes.Join(lines, []byte(","))...)
	body = append(body, "]}\n"...)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(body))
	if err != nil {
		return result{err: t.hide(err)}
	}
	for k, v := range t.Header {
		req.Header[k] = v
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "ibscope")
	req.Header.Set(DeliveryHeader, fmt.Sprintf("%s-%d-%d", t.Name, id(lines[0]), id(lines[len(lines)-1])))
	req.Header.Set(TimestampHeader, timestamp)
	if t.Secret != "" {
		req.Header.Set(SignatureHeader, Sign([]byte(t.Secret), timestamp, body))
	}
	answer, err := t.client.Do(req)
	if err != nil {
		return result{err: t.hide(err)}
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxAnswer)) // it does not matter
	return judge(answer)
}

// hide makes an error of a client one without the URL.
func (t *sender) hide(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return &Error{"deliver", t.Name, err}
}

// id is that of an event in JSON.
func id(line []byte) uint64 {
	var e struct {
		ID uint64 `json:"id"`
	}
	_ = json.Unmarshal(line, &e) // it was, when it was put into the queue
	return e.ID
}

// judge says what an answer means.
func judge(a *http.Response) result {
	switch code := a.StatusCode; {
	case code/100 == 2:
		return result{}
	case code/100 == 3:
		return result{err: errRedirected}
	case code == http.StatusBadRequest, code == http.StatusRequestEntityTooLarge, code == http.StatusUnprocessableEntity:
		return result{err: fmt.Errorf("the answer is %d", code), refused: true}
	default:
		return result{err: fmt.Errorf("the answer is %d", code), after: retryAfter(a.Header.Get("Retry-After"), time.Now())}
	}
}

// retryAfter is how long a target asks to wait, in seconds or until a date.
func retryAfter(text string, now time.Time) time.Duration {
	var wait time.Duration
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(text); err == nil {
		wait = date.Sub(now)
	}
	return min(max(wait, 0), maxRetry)
}
