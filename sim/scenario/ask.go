package scenario

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
)

// The methods below answer questions in the language of commands.

// Words splits a command as Do does. The error is an *Error.
func Words(text string) ([]string, error) {
	list, err := split(text)
	var words []string
	for _, w := range list {
		words = append(words, w.text)
	}
	return words, err
}

// Nodes are the nodes that a name means. None is an *Error that wraps
// os.ErrNotExist.
func (r *Runner) Nodes(text string) ([]*fabric.Node, error) {
	w := &words{list: []word{{text, 1}}, end: 1}
	n := w.node()
	if err := w.finish(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	places, err := r.resolve(n, anything)
	var list []*fabric.Node
	for _, at := range places {
		list = append(list, at.Node)
	}
	return list, err
}

// End names a place as it is called now.
func (r *Runner) End(at sim.Place) End { return r.end(at) }

// Value is the value of a counter.
type Value struct {
	At      End    `json:"at"`
	Counter string `json:"counter"`
	Value   uint64 `json:"value"`
}

// Counter reads a counter at the ports that a name means, in each attribute that
// has it.
func (r *Runner) Counter(port, counter string) ([]Value, error) {
	w := &words{list: []word{{port, 1}}, end: 1}
	n := w.port()
	if err := w.finish(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	places, err := r.resolve(n, anything)
	if err != nil {
		return nil, err
	}
	var list []Value
	for _, at := range places {
		names, err := fullNames(r.counters, at, counter)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			v, err := r.counters.Get(at, name)
			if err != nil {
				return nil, err
			}
			list = append(list, Value{r.end(at), name, v})
		}
	}
	return list, nil
}
