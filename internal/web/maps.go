package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/watch"
)

// MapOptions are what a map is made from, beside the state of its fabric.
type MapOptions struct {
	// Log has the events of all fabrics; nil for none. Flapping links, and how long ago
	// something happened to a link, are taken from it.
	Log *event.Log
	// Names gives the name map of a fabric: the name of a node, false if it is not there.
	// A map that is not the one of before has another generation. Nil is no map.
	Names func(fabric string) (own func(*fabric.Node) (string, bool), generation uint64)
}

// Maps serves the data of maps as JSON: all nodes and links as columns; with ?part=state
// what changes all the time, by the same numbers of links; with ?part=view&view=N places,
// of boxes and lines. All have the same "version" as long as the numbers fit. What was
// there and is gone stays on the map for a day. It is safe for concurrent use.
type Maps struct {
	o  MapOptions
	mu sync.Mutex
	of map[string]*mapped // by name of the fabric
}

// NewMaps makes it.
func NewMaps(o *MapOptions) *Maps {
	m := &Maps{o: *o, of: map[string]*mapped{}}
	if m.o.Names == nil {
		m.o.Names = func(string) (func(*fabric.Node) (string, bool), uint64) { return nil, 0 }
	}
	return m
}

// mapped is the map of one fabric, as of the states that were asked for last.
type mapped struct {
	mu        sync.Mutex
	memory    memory
	seen      *fabric.Fabric // that structure was made of, or is the same as
	names     uint64         // generation of the name map
	structure *structure
	whole     answer
	state     answer
	stateOf   *watch.State
	stateLog  uint64 // the last event that state knows
}

// answer is what is sent.
type answer struct {
	tag          string
	data, packed []byte
}

func (a *answer) set(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	*a = answer{tag: tagOf(data), data: data, packed: pack(data)}
	return nil
}

// Serve answers a GET for the map of a fabric.
func (m *Maps) Serve(w http.ResponseWriter, r *http.Request, s *watch.State) {
	p := m.mapped(s.Name)
	p.mu.Lock()
	a, ok, err := p.answer(r.URL.Query(), s, &m.o)
	p.mu.Unlock()
	protect(w.Header())
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case !ok:
		http.Error(w, "there is no such part, or no such view", http.StatusNotFound)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-cache")
		send(w, r, a.tag, a.data, a.packed)
	}
}

// Prepare works out what the first answer for a state needs, so that nobody waits for it.
func (m *Maps) Prepare(s *watch.State) error {
	p := m.mapped(s.Name)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.follow(s, &m.o)
}

func (m *Maps) mapped(name string) *mapped {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.of[name]
	if p == nil {
		p = &mapped{}
		m.of[name] = p
	}
	return p
}

// answer makes an answer, or takes the one that was made of the same state.
func (p *mapped) answer(q url.Values, s *watch.State, o *MapOptions) (answer, bool, error) {
	if err := p.follow(s, o); err != nil {
		return answer{}, false, err
	}
	switch q.Get("part") {
	case "":
		return p.whole, true, nil
	case "state":
		a, err := p.stateNow(s, o)
		return a, true, err
	case "view":
		number, err := strconv.Atoi(q.Get("view"))
		if err != nil {
			return answer{}, false, nil // what is no number names no view
		}
		return p.structure.answerView(number)
	}
	return answer{}, false, nil
}

// stateNow is how the links are now.
func (p *mapped) stateNow(s *watch.State, o *MapOptions) (answer, error) {
	last := uint64(0)
	if o.Log != nil {
		last = o.Log.Last()
	}
	if p.stateOf == s && p.stateLog == last {
		return p.state, nil
	}
	var events []event.Event
	if o.Log != nil {
		events, _ = o.Log.Since(0)
	}
	p.stateOf, p.stateLog = s, last
	err := p.state.set(p.structure.stateOf(s, events))
	return p.state, err
}

// follow makes the structure anew where nodes or links are not what they were.
func (p *mapped) follow(s *watch.State, o *MapOptions) error {
	own, generation := o.Names(s.Name)
	if p.structure != nil && p.seen == s.Fabric && p.names == generation {
		return nil
	}
	f := s.Fabric
	if f == nil {
		f = fabric.NewBuilder().Build() // nothing has been read yet
	}
	all := p.memory.unite(f, s.At)
	version := fingerprint(all)
	isSame := p.structure != nil && p.structure.Version == version && p.names == generation
	p.seen, p.names = s.Fabric, generation
	if isSame {
		return nil
	}
	p.structure = newStructure(s.Name, all, version, own)
	p.stateOf = nil
	return p.whole.set(p.structure)
}
