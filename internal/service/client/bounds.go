package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Bounds of an answer, whoever gives it.
const (
	maxAnswer   = 64 << 20 // bytes, after they have been unpacked
	maxElements = 300_000  // of all lists: each may become something far larger than its text
	maxDetail   = 300      // bytes of the service's own words that are shown
	maxHeader   = 64 << 10

	answerWithin = 90 * time.Second // an answer that is not a stream
	headerWithin = 30 * time.Second // the beginning of any
	streamIdle   = time.Minute      // a stream without a line; a service sends one every 15 seconds
)

// transport is that of package http, with bounds.
func transport() http.RoundTripper {
	usual, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t := usual.Clone()
	t.ResponseHeaderTimeout, t.MaxResponseHeaderBytes = headerWithin, maxHeader
	return t
}

// decode decodes an answer that is not too large.
func decode(body io.Reader, into any) error {
	text, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	switch {
	case err != nil:
		return err
	case len(text) > maxAnswer:
		return unreadable(fmt.Sprintf("it has more than %d bytes", maxAnswer))
	case elements(text) > maxElements:
		return unreadable(fmt.Sprintf("its lists have more than %d elements", maxElements))
	}
	if err := json.Unmarshal(text, into); err != nil {
		return unreadable(err.Error())
	}
	return nil
}

// unreadable is why an answer that is there is of no use.
type unreadable string

func (u unreadable) Error() string { return string(u) }

// elements counts, at least, the elements of all lists in a JSON text.
func elements(text []byte) (n int) {
	var lists []bool // for each bracket that is open, whether it is one of a list
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString:
			if c == '\\' {
				i++
			}
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '[', c == '{':
			lists = append(lists, c == '[')
			if c == '[' {
				n++
			}
		case c == ']', c == '}':
			lists = lists[:max(0, len(lists)-1)]
		case c == ',' && len(lists) > 0 && lists[len(lists)-1]:
			n++
		}
	}
	return n
}

// within is a context that ends when an answer has taken too long.
func within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, answerWithin, errSlow)
}
