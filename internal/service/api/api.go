package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/threshold"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	judge "github.com/ibscope/ibscope/fabric/health"
	"github.com/ibscope/ibscope/watch"
)

// Options are what the API tells of. States and Log are needed.
type Options struct {
	// States gives the present states of all fabrics, in the order of their names, each
	// with a name of its own.
	States func() []*watch.State
	// Log has the events of all fabrics.
	Log *event.Log
	// Follows says that IDs of Log go on after the last one of an earlier run, so that they
	// count events. Without it nothing is known of events before Log's first.
	Follows bool
	// History is what is known of earlier times; nil for nothing.
	History History
	// HistoryStatus tells how the history does, nil where none is to be kept. It is called
	// at each answer and must not wait. It may be nil.
	HistoryStatus func() *HistoryStatus

	// Names gives the name map of a fabric: the name of a node, false if it is not there.
	// A map that is not the one of before has another generation. Nil is no map.
	Names func(fabric string) (own func(*fabric.Node) (string, bool), generation uint64)
	// Errors are the counters that count as errors, nil for those that package threshold
	// watches.
	Errors func() counters.Set
	// Limits are how often counters may count in an hour, nil for the defaults of events.
	Limits func() *threshold.Limits

	// Routes tells whether snapshots have forwarding tables unless a client wants it
	// otherwise. Nil: they have not.
	Routes func() bool

	Logger  *slog.Logger     // of what goes wrong within; nil for none
	Program string           // name and version
	Started time.Time        // of the service
	Now     func() time.Time // nil for time.Now

	// Heartbeat is the time after which a stream of events without any gets a comment; 0
	// for 15 seconds. Streams is how many of them there may be, 0 for 64.
	Heartbeat time.Duration
	Streams   int
}

// API answers what is asked below Prefix. It is safe for concurrent use.
type API struct {
	o       Options
	routes  *http.ServeMux
	flaps   flapping
	streams chan struct{} // has an element for each stream

	document func() []byte // the description of all this, made when it is asked for

	checking sync.Mutex // held while forwarding tables are checked

	mu    sync.Mutex
	known map[string]*memory // by name of the fabric
}

// memory is what the API keeps of a fabric from answer to answer.
type memory struct {
	state    *watch.State
	revision uint64 // counts up with each new state
	index    *index
	health   *judge.Report // of healthOf
	healthOf healthKey
	routes   *checkedRoutes // the last check of forwarding tables, nil for none
}

// New makes an API.
func New(o *Options) *API {
	a := &API{o: *o, routes: http.NewServeMux(), known: map[string]*memory{}}
	if a.o.Logger == nil {
		a.o.Logger = slog.New(slog.DiscardHandler)
	}
	if a.o.Now == nil {
		a.o.Now = time.Now
	}
	if a.o.Errors == nil {
		watched := threshold.Default().Watched()
		a.o.Errors = func() counters.Set { return watched }
	}
	a.o.Limits = a.o.limitsOr(event.DefaultLimits())
	if a.o.Names == nil {
		a.o.Names = func(string) (func(*fabric.Node) (string, bool), uint64) { return nil, 0 }
	}
	if a.o.Heartbeat <= 0 {
		a.o.Heartbeat = 15 * time.Second
	}
	if a.o.Streams <= 0 {
		a.o.Streams = 64
	}
	a.document = sync.OnceValue(func() []byte { return append(encode(Document()), '\n') })
	a.streams = make(chan struct{}, a.o.Streams)
	a.flaps.of = map[port]*flap{}
	for _, e := range endpoints() {
		a.routes.HandleFunc(Prefix+e.path, func(w http.ResponseWriter, r *http.Request) { a.answer(w, r, &e) })
	}
	a.routes.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, &Error{http.StatusNotFound, "there is no such path; " + Prefix + "/openapi.json has all that there are"})
	})
	return a
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, &Error{http.StatusMethodNotAllowed, "nothing can be changed here: only GET and HEAD are answered"})
	case r.ContentLength != 0:
		refuse(w, &Error{http.StatusRequestEntityTooLarge, "a request has no body"})
	default:
		a.routes.ServeHTTP(w, r)
	}
}

// Handle adds a handler of somebody else below a fabric, such as "map", to those of the
// API: it answers Prefix/fabrics/NAME/map, of a fabric that there is.
func (a *API) Handle(path string, serve func(w http.ResponseWriter, r *http.Request, s *watch.State)) {
	a.routes.HandleFunc(Prefix+"/fabrics/{fabric}/"+path, func(w http.ResponseWriter, r *http.Request) {
		s, err := a.state(r.PathValue("fabric"))
		if err != nil {
			refuse(w, err)
			return
		}
		serve(w, r, s)
	})
}

// answer answers at one endpoint.
func (a *API) answer(w http.ResponseWriter, hr *http.Request, e *endpoint) {
	r := &request{api: a, w: w, http: hr}
	err := r.parse(e)
	if err == nil {
		err = r.find()
	}
	a.flaps.follow(a.o.Log)
	if err == nil && !r.isKnown(e) {
		err = e.serve(a, r)
	}
	if err == nil || errors.Is(err, context.Canceled) { // the client has gone away
		return
	}
	if e := (*Error)(nil); !errors.As(err, &e) {
		a.o.Logger.Error("a request cannot be answered", "path", hr.URL.Path, "err", err)
	}
	refuse(w, err)
}

// state finds a fabric.
func (a *API) state(name string) (*watch.State, error) {
	for _, s := range a.o.States() {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, &Error{http.StatusNotFound, "there is no fabric of this name; " + Prefix + "/fabrics has all"}
}

// revision is a number that is another one for each state of a fabric.
func (a *API) revision(s *watch.State) uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.memory(s.Name)
	if m.state != s {
		m.state = s
		m.revision++
	}
	return m.revision
}

// memory is that of a fabric; a.mu is held. Names are those of the configuration, so
// that there are few.
func (a *API) memory(name string) *memory {
	m := a.known[name]
	if m == nil {
		m = &memory{}
		a.known[name] = m
	}
	return m
}

// tag is the ETag of answers about some states, which are all that was known when it was
// made: of the fabrics, of the events, and of the names.
func (a *API) tag(states ...*watch.State) string {
	tag := `W/"` + strconv.FormatInt(a.o.Started.UnixNano(), 36) + "-" + strconv.FormatUint(a.o.Log.Last(), 36)
	for _, s := range states {
		_, generation := a.o.Names(s.Name)
		tag += "-" + strconv.FormatUint(a.revision(s), 36) + "." + strconv.FormatUint(generation, 36)
	}
	if h := a.historyStatus(); h != nil && h.Failing {
		tag += "-failing"
	}
	return tag + `"`
}

// Error is a request that cannot be answered.
type Error struct {
	Status int
	Detail string
}

func (e *Error) Error() string { return e.Detail }

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Status
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.As(err, new(*pastError)):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
