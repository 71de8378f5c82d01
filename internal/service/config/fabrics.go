package config

import (
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/watch"
)

func (r *reader) fabrics(n *yaml.Node) (list []Fabric) {
	for _, element := range r.list(n, "fabrics", mostFabrics) {
		f := r.fabric(element)
		for i := range list {
			if list[i].Name == f.Name {
				r.noteAt(element, mistakef("two fabrics are called %s: give each a name", f.Name))
			}
		}
		list = append(list, f)
	}
	return list
}

func (r *reader) fabric(n *yaml.Node) Fabric {
	f := Fabric{}
	r.mapping(n,
		key{"name", set(r, &f.Name, "a word of a-z, 0-9, _ and -", parseName)},
		key{"source", r.text(&f.Source, "the URI of a fabric")},
		key{"node_name_map", r.text(&f.Names, "a file")},
		key{"refresh", r.pace(&f.Refresh)},
		key{"verify", r.pace(&f.Verify)},
		key{"counters", r.pace(&f.Counters)},
		key{"tables", r.pace(&f.Tables)},
		key{"level", set(r, &f.Level, "normal or quick", parseLevel)},
		key{"rate", set(r, &f.Rate, "requests a second, more than 0 and at most 1e9", parseRate)},
		key{"max_outstanding", r.number(&f.MaxOutstanding, 1, 65536)},
		key{"timeout", r.timeout(&f.Timeout)},
		key{"retries", func(n *yaml.Node) {
			r.number(&f.Retries, 0, 100)(n)
			if f.Retries == 0 {
				f.Retries = -1 // none; 0 is what fits the fabric
			}
		}},
		key{"m_key", set(r, &f.MKey, "a number", func(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) })},
	)
	if f.Source == "" && n.Kind == yaml.MappingNode {
		r.noteAt(n, mistake("a fabric without a source"))
	}
	if f.Name == "" {
		f.Name = NameOf(f.Source)
	}
	return f
}

// pace reads how often something is done: a time, off, or both times of it.
func (r *reader) pace(p *watch.Pace) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode {
			r.mapping(n, key{"every", r.every(&p.Every)}, key{"deadline", r.span(&p.Deadline, "1s to 366d", time.Second, longestEvery)})
			return
		}
		r.every(&p.Every)(n)
	}
}

func (r *reader) every(v *time.Duration) func(*yaml.Node) {
	return set(r, v, EveryText, ParseEvery)
}

// EveryText says what ParseEvery reads.
const EveryText = "a time as 30s, 5m or 1h, 100ms to 366d, or off"

// ParseEvery reads how often something is done: a time, or off, which is less than 0.
func ParseEvery(s string) (time.Duration, error) {
	if s == "off" || s == "false" || s == "no" {
		return -1, nil
	}
	const least = 100 * time.Millisecond
	d, err := ParseDuration(s)
	if err == nil && (d < least || d > longestEvery) {
		err = errValue
	}
	return d, err
}

func (r *reader) timeout(v *time.Duration) func(*yaml.Node) {
	return set(r, v, "a time as 250ms, 1ms to 1h", func(s string) (time.Duration, error) {
		d, err := ParseDuration(s)
		if err == nil && (d < time.Millisecond || d > longestTimeout) {
			err = errValue
		}
		return d, err
	})
}

func parseLevel(s string) (discover.Level, error) {
	switch s {
	case "normal":
		return discover.Normal, nil
	case "quick":
		return discover.Quick, nil
	}
	return 0, errValue
}

func parseRate(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && !(v > 0 && v <= 1e9) {
		err = errValue
	}
	return v, err
}

func parseName(s string) (string, error) {
	if !IsName(s) {
		return "", errValue
	}
	return s, nil
}

// IsName reports whether a text may be the name of a fabric: up to 63 of a-z, 0-9, _
// and -.
func IsName(s string) bool {
	return s != "" && len(s) <= longestName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// NameOf is the name of a fabric that is given none: what its URI names, as a word.
func NameOf(uri string) string {
	scheme, rest, _ := strings.Cut(uri, ":")
	rest, _, _ = strings.Cut(rest, "?")
	if i := strings.LastIndexByte(strings.TrimRight(rest, "/"), '/'); i >= 0 && scheme == "file" {
		rest = rest[i+1:]
	}
	return word(rest, defaultFabric)
}

// word makes a text a name, or takes another one if nothing is left of it.
func word(text, other string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '-'
	}, text)
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	name = strings.Trim(name[:min(len(name), longestName)], "-")
	if name == "" {
		return other
	}
	return name
}

// ParseFabric reads a fabric as a flag has it: NAME=URI, or a URI alone.
func ParseFabric(s string) (Fabric, error) {
	if name, uri, found := strings.Cut(s, "="); found && IsName(name) {
		return Fabric{Name: name, Source: uri}, nil
	}
	if name, uri, found := strings.Cut(s, "="); found && !strings.ContainsAny(name, ":?") && uri != "" {
		return Fabric{}, expected(name, "a name before the =, a word of a-z, 0-9, _ and -")
	}
	if s == "" {
		return Fabric{}, expected("", "NAME=URI, or a URI")
	}
	return Fabric{Name: NameOf(s), Source: s}, nil
}
