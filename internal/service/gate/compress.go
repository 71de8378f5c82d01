package gate

import (
	"compress/gzip"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// compressed are the media types that are worth it.
var compressed = []string{"application/json", "application/problem+json", "text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml"}

// writer is the writer of an answer, which compresses what is worth it.
type writer struct {
	http.ResponseWriter
	gate    *Gate
	accepts bool // the client accepts gzip
	began   bool // the header has been written
	status  int
	gzip    *gzip.Writer // nil where the answer is not compressed
}

func (g *Gate) compress(w http.ResponseWriter, r *http.Request) *writer {
	return &writer{ResponseWriter: w, gate: g, accepts: acceptsGzip(r.Header) && r.Method != http.MethodHead}
}

// acceptsGzip reports whether a client accepts gzip: by name or by *, with a weight that
// is not 0.
func acceptsGzip(h http.Header) bool {
	for _, part := range strings.Split(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if name = strings.TrimSpace(name); name != "gzip" && name != "*" {
			continue
		}
		weight, given := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !given || err == nil && q > 0
	}
	return false
}

// WriteHeader decides whether the answer is compressed.
func (w *writer) WriteHeader(status int) {
	if status < 200 { // there will be another one
		w.ResponseWriter.WriteHeader(status)
		return
	}
	if w.began {
		return
	}
	w.began, w.status = true, status
	h := w.Header()
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	isWorthIt := slices.Contains(compressed, media) && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == ""
	if isWorthIt && !strings.Contains(h.Get("Vary"), "Accept-Encoding") {
		h.Add("Vary", "Accept-Encoding")
	}
	if isWorthIt && w.accepts && status != http.StatusNoContent && status != http.StatusNotModified {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		w.gzip = w.gate.gzipWriter()
		w.gzip.Reset(w.ResponseWriter)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (g *Gate) gzipWriter() *gzip.Writer {
	if z, ok := g.writers.Get().(*gzip.Writer); ok {
		return z
	}
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level that there is
	return z
}

func (w *writer) Write(b []byte) (int, error) {
	if !w.began {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", http.DetectContentType(b))
		}
		w.WriteHeader(http.StatusOK)
	}
	if w.gzip != nil {
		return w.gzip.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError sends what is there.
func (w *writer) FlushError() error {
	if w.gzip != nil {
		if err := w.gzip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets an http.ResponseController reach the writer below.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// close ends the answer.
func (w *writer) close() {
	if w.gzip == nil {
		return
	}
	_ = w.gzip.Close() // of who has gone away
	w.gate.writers.Put(w.gzip)
	w.gzip = nil
}
