package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/watch"
)

// refuse answers a request that cannot be answered. What went wrong inside is not told.
func refuse(w http.ResponseWriter, err error) {
	status := statusOf(err)
	answer := ErrorAnswer{Status: status, Title: http.StatusText(status)}
	if e := (*Error)(nil); errors.As(err, &e) {
		answer.Detail = e.Detail
	} else {
		answer.Detail = "something went wrong in the service; its log tells what"
	}
	h := w.Header()
	h.Set("Content-Type", problemMedia)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		h.Set("Retry-After", "5")
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(encode(answer), '\n')) // who has gone away needs no answer
}

// Refuse answers a request with a status and a detail as the API does.
func Refuse(w http.ResponseWriter, status int, detail string) {
	refuse(w, &Error{status, detail})
}

// encode is JSON that is safe in a terminal and in a page: <, > and & are escaped, and
// so is whatever a terminal could act on.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("api: " + err.Error()) // answers are made of what JSON has
	}
	return harmless(b)
}

// harmless is escape.JSON, at once for what is plain, as most is.
func harmless(b []byte) []byte {
	for _, c := range b {
		if c < ' ' && c != '\n' || c > '~' {
			return escape.JSON(b)
		}
	}
	return b
}

// encoder is encode again and again, in the same memory.
type encoder struct {
	buffer bytes.Buffer
	json   *json.Encoder
}

// encode gives what is valid until the next call, with a newline at its end.
func (e *encoder) encode(v any) []byte {
	if e.json == nil {
		e.json = json.NewEncoder(&e.buffer)
	}
	e.buffer.Reset()
	if err := e.json.Encode(v); err != nil {
		panic("api: " + err.Error()) // answers are made of what JSON has
	}
	return harmless(e.buffer.Bytes())
}

// isKnown answers that nothing has changed since the answer that the client has, if that
// is so. Else the answer to come gets its tag.
func (r *request) isKnown(e *endpoint) bool {
	h := r.w.Header()
	h.Set("Cache-Control", "no-cache") // ask again, with the tag
	h.Set("Vary", "Accept-Encoding, Authorization")
	if r.timed || e.media == streamMedia {
		h.Set("Cache-Control", "no-store")
		return false
	}
	states := []*watch.State{r.state}
	if r.state == nil {
		states = r.api.o.States()
	}
	tag := r.api.tag(states...)
	h.Set("ETag", tag)
	if !slices.ContainsFunc(r.http.Header.Values("If-None-Match"), func(list string) bool { return fits(list, tag) }) {
		return false
	}
	r.w.WriteHeader(http.StatusNotModified)
	return true
}

// fits reports whether a list of tags has one. They are compared weakly: one is not the
// other because of W/ in front.
func fits(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// json answers with a document.
func (r *request) json(v any) error {
	r.w.Header().Set("Content-Type", jsonMedia)
	_, _ = r.w.Write(append(encode(v), '\n')) // who has gone away needs no answer
	return nil
}

// list answers with a part of a list: head with its items, one a line. They are made and
// written one after the other, so that a long list needs little memory.
func list[T any](r *request, head Page[T], items iter.Seq[T]) error {
	head.Version, head.Items = Version, []T{}
	if r.state != nil {
		head.Fabric, head.At = r.state.Name, r.state.At
	}
	b := encode(head)
	const end = "]}"
	r.w.Header().Set("Content-Type", jsonMedia)
	w := bufio.NewWriterSize(r.w, 32<<10)
	_, _ = w.Write(b[:len(b)-len(end)]) // the writer keeps its error until Flush
	_ = w.WriteByte('\n')
	e := encoder{}
	first := true
	for item := range items {
		if !first {
			_ = w.WriteByte(',')
		}
		first = false
		if _, err := w.Write(e.encode(&item)); err != nil {
			return nil // the client has gone away, or is too slow
		}
	}
	_, _ = w.WriteString(end + "\n")
	_ = w.Flush()
	return nil
}

// window is the part of n items that a request wants: from, to, and where to go on.
func (r *request) window(n int) (from, to, next int) {
	from = min(r.number("offset"), n)
	to = min(from+r.number("limit"), n)
	if to < n {
		next = to
	}
	return from, to, next
}
