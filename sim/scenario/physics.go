package scenario

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// physics is that section: options of the simulator, and parts by name.
type physics struct {
	latency, hop time.Duration
	loss         float64
	of           *sim.Physics // nil if the section has only the three above
	parts        []part
}

type part struct {
	at *located
	sim.Part
}

// physics reads the section.
func (f *file) physics(n *yaml.Node) *physics {
	ph := &physics{}
	own := sim.Physics{}
	uses := func(read func(*yaml.Node)) func(*yaml.Node) {
		return func(n *yaml.Node) {
			ph.of = &own
			read(n)
		}
	}
	preset := ""
	f.fields(n, []field{
		{"preset", to(f, &preset, "typical", parsePreset)},
		{"latency", to(f, &ph.latency, aDuration, parseDuration)},
		{"hop-latency", to(f, &ph.hop, aDuration, parseDuration)},
		{"loss", to(f, &ph.loss, aShare, parseShare)},
		{"packet", uses(to(f, &own.Packet, aDuration, parseDuration))},
		{"sma", uses(func(n *yaml.Node) { f.service(n, &own.SMA) })},
		{"gsa", uses(func(n *yaml.Node) { f.service(n, &own.GSA) })},
		{"agents", uses(func(n *yaml.Node) { f.fields(n, f.quality(&own.Agents)) })},
		{"links", uses(func(n *yaml.Node) { f.fields(n, f.quality(&own.Links)) })},
		{"parts", uses(func(n *yaml.Node) {
			for _, p := range f.list(n, "mappings") {
				ph.parts = append(ph.parts, f.part(p))
			}
		})},
	})
	if preset != "" {
		typical := sim.Typical()
		fill(&own.SMA, typical.SMA)
		fill(&own.GSA, typical.GSA)
		fill(&own.Packet, typical.Packet)
		fill(&ph.hop, sim.TypicalHop)
		ph.of = &own
	}
	return ph
}

// fill sets what is not set.
func fill[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

func parsePreset(s string) (string, error) {
	if s != "typical" {
		return "", invalid("no such preset")
	}
	return s, nil
}

func (f *file) service(n *yaml.Node, s *sim.Service) {
	f.fields(n, []field{
		{"time", to(f, &s.Time, aDuration, parseDuration)},
		{"queue", to(f, &s.Queue, "a number of requests", parseCount)},
	})
}

func (f *file) quality(q *sim.Quality) []field {
	return []field{
		{"loss", to(f, &q.Loss, aShare, parseShare)},
		{"duplicate", to(f, &q.Duplicate, aShare, parseShare)},
		{"corrupt", to(f, &q.Corrupt, aShare, parseShare)},
		{"jitter", to(f, &q.Jitter, aDuration, parseDuration)},
		{"reorder", to(f, &q.Reorder, aShare, parseShare)},
	}
}

func (f *file) part(n *yaml.Node) part {
	p := part{}
	f.fields(n, append([]field{
		{"at", func(n *yaml.Node) { p.at = f.nameAt(n, (*words).place) }},
		{"delay", to(f, &p.Delay, aDuration, parseDuration)},
		{"slow", to(f, &p.Slow, "how many times as long, as 10", parseSlow)},
		{"period", to(f, &p.Period, aDuration, parsePositive)},
		{"up", to(f, &p.Up, aShare, parseShare)},
	}, f.quality(&p.Quality)...))
	if p.at == nil && len(f.errs) == 0 {
		f.failAt(n, expected("", "at: "+aPlace))
	}
	return p
}

func parseSlow(s string) (float64, error) {
	v, err := parseSpeedFactor(s)
	if err == nil && v > 1e6 {
		err = invalid("too much")
	}
	return v, err
}

// apply puts the section into the options of a fabric.
func (ph *physics) apply(names *sim.Fabric, o *sim.Options) error {
	if ph == nil {
		return nil
	}
	over(&o.Latency, ph.latency)
	over(&o.HopLatency, ph.hop)
	over(&o.Loss, ph.loss)
	if ph.of == nil {
		return nil
	}
	all := *ph.of
	var errs []error
	for _, p := range ph.parts {
		errs = append(errs, p.at.everywhere(names, func(guid ib.GUID, port int) {
			own := p.Part
			own.Node, own.Port = guid, port
			all.Parts = append(all.Parts, own)
		}))
	}
	o.Physics = &all
	return errors.Join(errs...)
}

func over[T comparable](v *T, with T) {
	var zero T
	if with != zero {
		*v = with
	}
}

// everywhere calls do for the places that a name in a file means.
func (l *located) everywhere(names *sim.Fabric, do func(guid ib.GUID, port int)) error {
	r := Runner{sim: names, random: seeded(uint64(len(l.text)))}
	places, err := r.resolve(l.name, anything)
	if err != nil {
		return l.place(err)
	}
	for _, at := range places {
		do(at.Node.GUID(), at.Port)
	}
	return nil
}
