package scenario

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// scenario reads the whole of a file.
func (f *file) scenario(root *yaml.Node) *Scenario {
	s := &Scenario{}
	var about string
	f.fields(root, []field{
		{"name", to(f, &s.Name, "a text", asItIs)},
		{"about", to(f, &about, "a text", asItIs)},
		{"topology", func(n *yaml.Node) { s.URI = f.topology(n) }},
		{"seed", to(f, &s.Seed, aNumber, parseUint64)},
		{"speed", to(f, &s.Speed, "how many times as fast as the clock, as 60x", parseSpeedFactor)},
		{"physics", func(n *yaml.Node) { s.physics = f.physics(n) }},
		{"traffic", func(n *yaml.Node) { s.traffic = f.traffic(n) }},
		{"faults", func(n *yaml.Node) { s.faults = f.faults(n) }},
		{"timeline", func(n *yaml.Node) { s.timeline = f.timeline(n) }},
	})
	return s
}

func asItIs(s string) (string, error) { return s, nil }

// parseSpeedFactor reads "60x" or "60".
func parseSpeedFactor(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "x"), 64)
	if err == nil && !(v >= 0.001 && v <= 1e6) {
		err = strconv.ErrRange
	}
	return v, err
}

// ParseSpeed reads how many times as fast as the clock a scenario runs, as "60x"
// or "0.5"; 0.001…1,000,000.
func ParseSpeed(s string) (float64, error) {
	v, err := parseSpeedFactor(s)
	if err != nil {
		return 0, &Error{Col: 1, Err: expected(s, "how many times as fast as the clock, as 60x")}
	}
	return v, nil
}

// nameAt reads the name of a place.
func (f *file) nameAt(n *yaml.Node, read func(*words) *name) *located {
	text := f.text(n, aPlace)
	w := &words{list: []word{{text, 1}}, end: 1}
	if text == "" {
		return nil
	}
	at := read(w)
	if err := w.finish(); err != nil {
		f.keep(f.within(n, err))
		return nil
	}
	return &located{at, func(err error) error { return f.within(n, err) }}
}

// keep notes a mistake that has its place.
func (f *file) keep(err error) {
	if len(f.errs) < maxErrors {
		f.errs = append(f.errs, err)
	}
}

// located is a name in a file.
type located struct {
	*name
	place func(error) error
}
