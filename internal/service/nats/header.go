package nats

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Header are the headers of a message. Upper and lower case are not the same.
type Header map[string]string

const (
	headerVersion = "NATS/1.0"
	maxHeader     = 64 << 10 // bytes of all headers of a message
	maxFields     = 256
)

// encode makes the text of headers, in the order of their names; nothing of none.
func (h Header) encode() ([]byte, error) {
	if len(h) == 0 {
		return nil, nil
	}
	text := []byte(headerVersion + "\r\n")
	for _, name := range slices.Sorted(maps.Keys(h)) {
		value := h[name]
		if !isFieldName(name) || strings.ContainsAny(value, "\r\n") || strings.TrimSpace(value) != value {
			return nil, fmt.Errorf("%w: header %.100q: %.100q", os.ErrInvalid, name, value)
		}
		text = append(text, name...)
		text = append(text, ": "...)
		text = append(text, value...)
		text = append(text, "\r\n"...)
	}
	return append(text, "\r\n"...), nil
}

// isFieldName reports whether a text can be the name of a header.
func isFieldName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' })
}

// ParseHeader reads headers as a stream stores them. What is none is ErrProtocol.
func ParseHeader(text []byte) (Header, error) {
	h, _, err := decodeHeader(text)
	return h, err
}

// decodeHeader reads headers, and the status before them. Of a name that is there several
// times the first value counts.
func decodeHeader(text []byte) (Header, int, error) {
	line, rest, ok := bytes.Cut(text, []byte("\r\n"))
	after, isVersion := bytes.CutPrefix(line, []byte(headerVersion))
	if !ok || !isVersion {
		return nil, 0, protocol("headers that begin with %.40q", line)
	}
	status := 0
	if words := bytes.Fields(after); len(words) > 0 {
		n, err := strconv.Atoi(string(words[0]))
		if err != nil || n < 0 || n > 999 {
			return nil, 0, protocol("the status %.40q", words[0])
		}
		status = n
	}
	h := Header{}
	for range maxFields {
		if line, rest, ok = bytes.Cut(rest, []byte("\r\n")); !ok {
			return nil, 0, protocol("headers without an end")
		}
		if len(line) == 0 {
			return h, status, nil
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || !isFieldName(string(name)) {
			return nil, 0, protocol("the header %.40q", line)
		}
		if _, twice := h[string(name)]; !twice {
			h[string(name)] = string(bytes.TrimSpace(value))
		}
	}
	return nil, 0, protocol("more than %d headers", maxFields)
}
