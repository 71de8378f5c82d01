package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
)

// pack compresses data; nil where that gains nothing.
func pack(data []byte) []byte {
	if len(data) < 512 {
		return nil
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil
	}
	if _, err := z.Write(data); err != nil || z.Close() != nil || b.Len() >= len(data) {
		return nil
	}
	return b.Bytes()
}

// send answers with data, compressed where the client can read that, or says that
// the client has it already.
func send(w http.ResponseWriter, r *http.Request, tag string, data, packed []byte) {
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	etag := `"` + tag + `"`
	h.Set("ETag", etag)
	if hasTag(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = packed
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(data) // who asked has gone away; there is nobody to tell
}

// hasTag reports whether a list of tags has one.
func hasTag(list, tag string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(item), "W/") == tag {
			return true
		}
	}
	return false
}
