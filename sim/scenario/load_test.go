package scenario_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/scenario"
)

// Mistakes are told with their place, and what should stand there.
func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                            "1:1: found nothing, expected a scenario",
		"- 1\n":                                       `1:1: found "a list", expected a mapping`,
		"a: [\n":                                      "2:1: this is not YAML",
		"name: x\n---\nname: y\n":                     "second document",
		"nam: x\n":                                    `1:1: found "nam", expected one of name, about, topology`,
		"seed: 1\nseed: 2\n":                          "2:1: ",
		"seed: -1\n":                                  `1:7: found "-1", expected a number`,
		"speed: 0x\n":                                 `1:8: found "0x", expected how many times`,
		"topology: \"umad:\"\n":                       `1:11: found "umad:", expected a simulated fabric`,
		"topology: {radix: 8}\n":                      "1:12: found \"radix\", expected one of generator",
		"topology: {host: x}\n":                       "1:11: expected either generator or file",
		"topology: {generator: x}":                    `1:23: found "x", expected one of fattree`,
		"topology: {generator: line, radix: 8}":       `1:29: found "radix", expected one of generator`,
		"physics: {sma: {tim: 1s}}":                   `1:17: found "tim", expected one of time, queue`,
		"physics: {parts: [{loss: 1%}]}":              `1:19: found nothing, expected at:`,
		"physics: {parts: [{at: a, loss: 2}]}":        `1:33: found "2", expected a share`,
		"physics: {preset: best}":                     `1:19: found "best", expected typical`,
		"faults: [{at: x}]":                           "1:10: found nothing, expected kind:",
		"faults: [{kind: dead-port, at: x}]":          "1:10: found nothing, expected at: NODE/PORT",
		"faults: [{kind: dead-sma, attr: Nonsense}]":  `1:33: found "Nonsense", expected the name or number of an attribute`,
		"traffic: [\"load:30%,lod:1\"]":               `1:11: traffic: parse "lod": expected load`,
		"traffic: [{load: 300%}]":                     "1:12: traffic: ",
		"traffic: [{load: 1%, on: 0x1}]":              "1:26: found",
		"timeline: {at: 1s}":                          "1:11: found \"a mapping\", expected a list",
		"timeline: [{at: 1s}]":                        "1:12: found nothing, expected do:",
		"timeline: [{do: note x}]":                    "1:12: found nothing, expected at:",
		"timeline: [{at: 1s, until: 5s, do: note x}]": "1:28: until wants every",
		"timeline: [{at: 9s, every: 1s, until: 5s, do: note x}]":                "1:17: at is behind until",
		"timeline: [{every: 0s, do: note x}]":                                   `1:20: found "0s", expected a duration`,
		"timeline: [{at: 400000h, do: note x}]":                                 "expected a duration",
		"timeline:\n  - at: 1s\n    do: lnk down x/1\n":                         `3:9: found "lnk", expected a command`,
		"timeline:\n  - at: 1s\n    do: link dwn x/1\n":                         `3:9: found "link dwn", expected a command`,
		"timeline:\n  - at: 1s\n    do: link down x\n":                          `3:19: found "x", expected NODE/PORT`,
		"timeline:\n  - at: 1s\n    do: 'kill x y'\n":                           `3:17: found "y", expected the end`,
		"timeline:\n  - at: 1s\n    do:\n      - kill x\n      - set x/1 a=b\n": `5:17: found "a=b", expected COUNTER=N`,
		"timeline: [{at: 1s, do: speed x/1 5xSDR}]":                             `expected a rate`,
		"timeline: [{at: 1s, do: loss x 101%}]":                                 `expected a share`,
		"timeline: [{at: 1s, do: flap x/1 period=1s down=2s}]":                  `down=2s is not less than period=1s`,
		"timeline: [{at: 1s, do: flap x/1 times=1 times=2}]":                    `times is given twice`,
		"timeline: [{at: 1s, do: rename x 'a}]":                                 ``,
		"timeline: [{at: 1s, do: 'rename x \"a'}]":                              `the quote does not end`,
		"x: &a [*a]":    `1:1: found "x"`,
		"name: *nobody": "",
	} {
		s, err := scenario.Load(strings.NewReader(text), "f.yaml")
		var own *scenario.Error
		if err == nil || !errors.As(err, &own) || !errors.Is(err, os.ErrInvalid) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "f.yaml:") || s != nil {
			t.Errorf("%q: %v, want …%s", text, err, want)
		}
	}
	if _, err := scenario.Load(strings.NewReader(strings.Repeat("#", 2<<20)), "f.yaml"); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a huge file: %v", err)
	}
}

// All mistakes are told at once.
func TestLoadTellsAll(t *testing.T) {
	_, err := scenario.Load(strings.NewReader("nam: x\nseed: y\nspeed: z\n"), "f.yaml")
	if n := len(strings.Split(err.Error(), "\n")); n != 3 {
		t.Errorf("%d lines, want 3: %v", n, err)
	}
}

// Names that the fabric does not have are found before anything happens.
func TestCheckNames(t *testing.T) {
	f, err := gen.Line(2)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"timeline: [{at: 1s, do: kill nobody}]":                             `f.yaml:1:30: no node fits "nobody"`,
		"timeline: [{at: 1s, do: [kill random, kill 0x1]}]":                 `f.yaml:1:44: no node fits "0x1"`,
		"timeline: [{at: 1s, do: link down switch01/99}]":                   "f.yaml:1:35: \"switch01\" has ports 1…",
		"timeline: [{at: 1s, do: rename switch01 x}, {at: 2s, do: kill x}]": "",
		"timeline: [{at: 1s, do: kill node*}]":                              "",
	} {
		fake, err := sim.New(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenario.Load(strings.NewReader(text), "f.yaml")
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.New(fake, nil)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), want) || want == "" {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"faults: [{kind: dead-sma, at: nobody}]":       `f.yaml:1:31: no node fits "nobody"`,
		"physics: {parts: [{at: nobody/3, loss: 1%}]}": `f.yaml:1:24: no node fits`,
	} {
		s, err := scenario.Load(strings.NewReader(text), "f.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(f, &sim.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// What the sections say reaches the fabric.
func TestSections(t *testing.T) {
	s := load(t, `
name: all sections
about: |
  Text for people.
seed: 9
speed: 2.5
topology: {generator: line, switches: 2, sm: on}
physics:
  preset: typical
  latency: 3us
  loss: 0
  sma: {time: 7us}
  links: {jitter: 1us, loss: 0.1%}
  parts:
    - {at: switch0*/3, delay: 5ms, duplicate: 1%}
    - {at: node0001, slow: 10}
traffic:
  - load:10%
  - {at: switch01/1, load: 50%, symbol-errors: 3/h, size: 256}
faults:
  - {kind: dead-sma, at: switch02, attr: PortInfo, after: 3, times: 2, probability: 50%}
  - {kind: bad-status, status: 0x1}
`)
	f, err := gen.Line(2)
	if err != nil {
		t.Fatal(err)
	}
	var o sim.Options
	if err := s.Apply(f, &o); err != nil {
		t.Fatal(err)
	}
	if o.Seed != 9 || s.Speed != 2.5 || o.Latency != 3*time.Microsecond || o.HopLatency != sim.TypicalHop ||
		o.Physics.SMA != (sim.Service{Time: 7 * time.Microsecond}) || o.Physics.GSA != sim.Typical().GSA || o.Physics.Links.Loss != 0.001 {
		t.Errorf("%+v, %+v", o, o.Physics)
	}
	if len(o.Physics.Parts) != 3 || o.Physics.Parts[0].Port != 3 || o.Physics.Parts[0].Delay != 5*time.Millisecond || o.Physics.Parts[2].Slow != 10 {
		t.Errorf("%+v", o.Physics.Parts)
	}
	if len(o.Faults) != 2 || o.Faults[0].Kind != sim.DeadSMA || o.Faults[0].Attr != 0x15 || o.Faults[0].Times != 2 || o.Faults[1].Node != 0 || o.Faults[1].Status != 1 {
		t.Errorf("%+v", o.Faults)
	}
	rules, err := s.Traffic(f)
	if err != nil || len(rules) != 2 || rules[1].Load != 0.5 || rules[1].Port != 1 || rules[1].PacketSize != 256 || rules[0].Node != 0 {
		t.Errorf("%+v, %v", rules, err)
	}
	if s.URI != "sim:line?sm=on&switches=2" {
		t.Errorf("the URI is %s", s.URI)
	}
	if _, err := source.OpenScenario(s, s.URI); err != nil {
		t.Error(err)
	}
}

func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join(gallery, "*.yaml"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("topology: sim:ring\ntimeline:\n  - {every: 1s, until: 1m, do: [note x, 'set random a=1', sm stop, sm start]}\n")
	f.Add("faults: [{kind: delayed, delay: 1s, at: 0x1/1}]\nphysics: {parts: [{at: '*/1', period: 1s}]}\ntraffic: [{at: '*', load: 1%}]\n")
	f.Add("a: &x [*x, *x]\n")
	model, err := gen.Line(2)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := scenario.Load(strings.NewReader(text), "f.yaml")
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				if !strings.HasPrefix(line, "f.yaml:") {
					t.Fatalf("an error without a place: %q", line)
				}
			}
			return
		}
		fake, err := sim.New(model, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Apply(model, &sim.Options{})
		_, _ = s.Traffic(model)
		r, err := s.New(fake, nil)
		if err != nil {
			return
		}
		for range 100 {
			next, ok := r.Next()
			if !ok {
				break
			}
			r.Advance(next)
		}
		for _, e := range r.Log() {
			if strings.ContainsAny(e.String(), "\n\r\x1b") {
				t.Fatalf("an event is not one line: %q", e.String())
			}
		}
	})
}
