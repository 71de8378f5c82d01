package service

import (
	"net/http"
	"slices"

	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/gate"
	"github.com/ibscope/ibscope/internal/web"
)

// Handler answers all requests: the API, metrics, the page, and whether the service is
// well. Everything is behind one gate.
func (s *Service) Handler() http.Handler { return s.gate }

// routes says who answers what, behind the gate.
func (s *Service) routes() http.Handler {
	m := http.NewServeMux()
	m.Handle(api.Prefix+"/", s.api)
	m.Handle("/metrics", s.metrics.Handler())
	m.Handle("/metrics/", s.metrics.Handler())
	m.HandleFunc("/healthz", s.alive)
	m.HandleFunc("/readyz", s.ready)
	m.Handle("/", web.Handler())
	return m
}

// alive says that the service answers.
func (s *Service) alive(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok\n") }

// ready says whether something is known of all fabrics. It does not say of which ones:
// everybody may ask.
func (s *Service) ready(w http.ResponseWriter, _ *http.Request) {
	for _, state := range s.States() {
		if state.Fabric == nil {
			plain(w, http.StatusServiceUnavailable, "not yet\n")
			return
		}
	}
	plain(w, http.StatusOK, "ok\n")
}

func plain(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // who has gone away needs no answer
}

// gateOptions are those of some settings.
func (s *Service) gateOptions(c *settings) *gate.Options {
	return &gate.Options{
		Tokens: c.tokens, Public: slices.Concat(c.Public, web.Paths()), Hosts: c.Hosts, Local: c.tokens == nil && !c.Open && c.WebConfig == "",
		Total: c.Limits.Requests, PerClient: c.Limits.PerClient, Streams: c.Limits.Streams, Probes: []string{"/healthz", "/readyz"},
		Refuse: api.Refuse, Logger: s.world.Logger,
	}
}
