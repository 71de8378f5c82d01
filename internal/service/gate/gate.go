package gate

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options say who may ask what. The zero value lets everybody ask everything.
type Options struct {
	// Tokens let in; nil lets in everybody.
	Tokens *Tokens
	// Public are the paths that need no token: "/healthz", or with a * at the end all that
	// begin so.
	Public []string
	// Hosts are the names by which the service may be called, beside localhost and
	// addresses, where Local is set: another site could have its own name point to the
	// loopback address, and read what is there with the eyes of a browser on this machine.
	Hosts []string
	// Local says that the service listens to the loopback address, and wants no token.
	Local bool

	Total     int // requests at once, 0 for 64
	PerClient int // of these from one address, 0 for 16
	Streams   int // streams from one address, 0 for 8
	// Probes are paths that are answered however many requests there are, and are not
	// counted: who asks them would take a refusal for the end of the service.
	Probes   []string
	Patience time.Duration // until an answer must have been taken, 0 for a minute

	// Refuse answers a request that is not let in; nil for a line of text.
	Refuse func(w http.ResponseWriter, status int, detail string)
	Logger *slog.Logger // nil for none
}

// Gate is a handler before another one. It is safe for concurrent use.
type Gate struct {
	behind  http.Handler
	options atomic.Pointer[Options]
	busy    counting
	writers sync.Pool // of *gzip.Writer
}

// New puts a gate before a handler.
func New(behind http.Handler, o *Options) *Gate {
	g := &Gate{behind: behind, busy: counting{of: map[string]*load{}}}
	g.Set(o)
	return g
}

// Set changes the options, for the requests that come from now on.
func (g *Gate) Set(o *Options) {
	c := *o
	setDefault(&c.Total, 64)
	setDefault(&c.PerClient, 16)
	setDefault(&c.Streams, 8)
	if c.Patience <= 0 {
		c.Patience = time.Minute
	}
	if c.Refuse == nil {
		c.Refuse = func(w http.ResponseWriter, status int, detail string) { http.Error(w, detail, status) }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	g.options.Store(&c)
}

func setDefault(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}

// ServeHTTP lets a request in, or not.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o := g.options.Load()
	secure(w.Header())
	if !o.isCalledRight(r) {
		o.Refuse(w, http.StatusMisdirectedRequest, "this service is not called by that name; hosts in its configuration has those that it is")
		return
	}
	if !o.isPublic(r.URL.Path) && !o.admits(r) {
		challenge(w.Header(), r)
		detail := "a token is needed: as Authorization: Bearer TOKEN, or as a password with any name"
		if r.Header.Get("Authorization") != "" {
			detail = "this token is not one of those that are let in"
		}
		o.Refuse(w, http.StatusUnauthorized, detail)
		return
	}
	if slices.Contains(o.Probes, r.URL.Path) {
		g.pass(w, r, o)
		return
	}
	leave, status := g.busy.enter(r, o)
	if leave == nil {
		w.Header().Set("Retry-After", "5")
		o.Refuse(w, status, "too many requests at once")
		return
	}
	defer leave()
	g.pass(w, r, o)
}

// challenge says how to come in. A browser asks people for a password by itself where it
// may send one; of a page, which has a dialog of its own, that is not wanted.
func challenge(h http.Header, r *http.Request) {
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode == "" || mode == "navigate" {
		h.Add("WWW-Authenticate", `Basic realm="ibscope", charset="UTF-8"`)
	}
	h.Add("WWW-Authenticate", `Bearer realm="ibscope"`)
}

// pass has the request answered.
func (g *Gate) pass(w http.ResponseWriter, r *http.Request, o *Options) {
	// Without a deadline, as of a recorder in a test, there is none to set.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(o.Patience))
	if !isStream(r) {
		ctx, cancel := context.WithTimeout(r.Context(), o.Patience)
		defer cancel()
		r = r.WithContext(ctx)
	}
	began := time.Now()
	c := g.compress(w, r)
	defer func() {
		if p := recover(); p != nil {
			o.Logger.Error("a request could not be answered", "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if c.began {
				panic(http.ErrAbortHandler) // the client must not take a part for the whole
			}
			o.Refuse(w, http.StatusInternalServerError, "something went wrong in the service; its log tells what")
		}
		c.close()
		o.Logger.Debug("answered", "method", r.Method, "path", r.URL.Path, "status", c.status, "duration", time.Since(began))
	}()
	g.behind.ServeHTTP(c, r)
}

// secure sets the headers of all answers. Who answers with a page sets a policy of its
// own in place of this one, by which an answer can load nothing.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}
