package simworld

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim/scenario"
)

// Flags are those that the commands share.
type Flags struct {
	Scenario string // a file
	Speed    string // instead of the file's
	Control  string // path of the socket, Auto, or "" for none
}

// Auto is the value of --control that chooses a path.
const Auto = "auto"

// Add declares the flags.
func (f *Flags) Add(set *pflag.FlagSet) {
	set.StringVar(&f.Scenario, "scenario", "", "let happen what the `FILE` tells; URI may be left out if it has a topology")
	set.StringVar(&f.Speed, "speed", "", "how many `times` as fast as the clock the scenario runs, as 60x, instead of the speed in its file")
	set.StringVar(&f.Control, "control", "", "offer a control socket at a `PATH`, or auto for one where sim ctl looks for it")
}

// Load reads the scenario file; without one it is an empty scenario.
func (f *Flags) Load() (*scenario.Scenario, error) {
	s := &scenario.Scenario{}
	if f.Scenario != "" {
		file, err := os.Open(f.Scenario)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if s, err = scenario.Load(file, f.Scenario); err != nil {
			return nil, err
		}
	}
	if f.Speed != "" {
		v, err := scenario.ParseSpeed(f.Speed)
		if err != nil {
			return nil, fmt.Errorf("--speed: %w", err)
		}
		s.Speed = v
	}
	return s, nil
}

// World is a simulated fabric that has been made, and what will happen to it.
type World struct {
	*source.Simulator
	URI string

	scenario *scenario.Scenario
	flags    *Flags
}

// Open makes the fabric of the URI, or of the scenario if there is none.
func (f *Flags) Open(uri []string) (*World, error) {
	s, err := f.Load()
	if err != nil {
		return nil, err
	}
	w := &World{scenario: s, flags: f, URI: s.URI}
	if len(uri) > 1 {
		return nil, env.Exitf(env.Usage, "found %d arguments, expected one: the URI of a simulated fabric", len(uri))
	}
	if len(uri) == 1 {
		w.URI = uri[0]
	}
	if w.URI == "" {
		what := "a URI, as sim:ring"
		if f.Scenario != "" {
			what = "a topology in " + f.Scenario + ", or a URI"
		}
		return nil, env.Exitf(env.Usage, "no fabric is named: expected %s", what)
	}
	w.Simulator, err = source.OpenScenario(s, w.URI)
	return w, err
}

// Check makes sure that the timeline fits the fabric.
func (w *World) Check() error {
	_, err := w.scenario.New(w.Fabric, nil)
	return err
}

// Scenario is what was loaded.
func (w *World) Scenario() *scenario.Scenario { return w.scenario }
