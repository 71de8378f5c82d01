package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/service/api"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// world is simulated fabrics, and a service that watches them.
type world struct {
	t       testing.TB
	service *Service
	end     func() error
	log     testenv.Buffer // of several services at a time too

	mu      sync.Mutex
	fabrics map[string]*simulated // by URI
	broken  map[string]error      // URIs that cannot be opened

	wrap func(madrpc.Transport) madrpc.Transport // of what is opened; nil for nothing
}

// simulated is a fabric with a subnet manager and counters.
type simulated struct {
	*sim.Fabric
	agents  *agents.Agents
	manager *sm.Manager
	port    *sim.Port
}

func newWorld(t testing.TB) *world {
	return &world{t: t, fabrics: map[string]*simulated{}, broken: map[string]error{}}
}

// fabric is the simulated fabric of a URI, "sim:" and a topology.
func (w *world) fabric(uri string) *simulated {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.fabrics[uri]; f != nil {
		return f
	}
	model, err := gen.Parse(strings.TrimPrefix(uri, "sim:"))
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := sim.New(model, &sim.Options{NoTraps: true})
	if err != nil {
		w.t.Fatal(err)
	}
	a, err := agents.Use(s, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	m, err := sm.Start(s, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	f := &simulated{Fabric: s, agents: a, manager: m}
	w.fabrics[uri] = f
	return f
}

var errMistake = errors.New("this is no URI")

func (w *world) open(_ context.Context, uri string) (*Source, error) {
	if uri == "mistake:" {
		return nil, errMistake
	}
	if topology, ok := strings.CutPrefix(uri, "file:"); ok {
		model, err := gen.Parse(topology)
		return &Source{Stored: &snapshot.Snapshot{Fabric: model, Taken: time.Now()}}, err
	}
	f := w.fabric(uri)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.broken[uri]; err != nil {
		return nil, err
	}
	p, err := f.Attach(nil)
	f.port = p
	if err == nil && w.wrap != nil {
		return &Source{Transport: w.wrap(p)}, nil
	}
	return &Source{Transport: p}, err
}

// lose takes the port of a fabric away, until it is mended.
func (w *world) lose(uri string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken[uri] = err
	if p := w.fabrics[uri].port; err != nil && p != nil {
		p.Close()
	}
}

// complete is a configuration with fabrics, NAME=URI, and quick paces.
func complete(t testing.TB, fabrics ...string) *config.Config {
	t.Helper()
	c := &config.Config{}
	for _, text := range fabrics {
		f, err := config.ParseFabric(text)
		if err != nil {
			t.Fatal(err)
		}
		f.Refresh.Every, f.Counters.Every = 10*time.Second, 20*time.Second
		c.Fabrics = append(c.Fabrics, f)
	}
	c.Complete()
	return c
}

// make makes the service.
func (w *world) make(c *config.Config) error {
	s, err := New(w.t.Context(), c, &World{
		Open: w.open, IsMistake: func(err error) bool { return errors.Is(err, errMistake) },
		Logger: slog.New(slog.NewTextHandler(&w.log, nil)), Program: "ibscope test",
	})
	if err == nil {
		w.service = s
	}
	return err
}

// run makes a service and runs it. It is for use within a bubble.
func (w *world) run(c *config.Config) {
	w.t.Helper()
	if err := w.make(c); err != nil {
		w.t.Fatal(err)
	}
	w.start()
}

// start runs the service that was made last.
func (w *world) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan error)
	go func() { done <- w.service.Run(ctx) }()
	w.end = func() error {
		cancel()
		err := <-done
		w.service.Close()
		return err
	}
}

// close ends the service, and the fabrics.
func (w *world) close() {
	w.t.Helper()
	if w.end != nil {
		if err := w.end(); err != nil {
			w.t.Errorf("the service ended with %v", err)
		}
		w.end = nil
	}
	for _, f := range w.fabrics {
		_ = f.manager.Close()
		_ = f.Close()
	}
}

// wait lets time pass.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// ask asks the service.
func (w *world) ask(path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	w.service.Handler().ServeHTTP(out, r)
	return out
}

// read asks for an answer that there is.
func read[T any](w *world, path string) (v T) {
	w.t.Helper()
	out := w.ask(api.Prefix + path)
	if out.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, out.Code, out.Body)
	}
	if err := json.NewDecoder(io.LimitReader(out.Body, 64<<20)).Decode(&v); err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	return v
}

// status is the status of each fabric, by name.
func (w *world) status() map[string]api.Fabric {
	w.t.Helper()
	out := map[string]api.Fabric{}
	for _, f := range read[api.Fabrics](w, "/fabrics").Items {
		out[f.Name] = f
	}
	return out
}

// kinds are the kinds of the events of a fabric after one.
func (w *world) kinds(fabric string, after uint64) (list []string) {
	w.t.Helper()
	for _, e := range read[api.Events](w, "/events?limit=10000&fabric="+fabric).Items {
		if e.ID > after {
			list = append(list, e.Kind)
		}
	}
	return list
}
