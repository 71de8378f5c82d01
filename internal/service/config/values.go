package config

import (
	"log/slog"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// set reads a scalar into v by a function.
func set[T any](r *reader, v *T, what string, parse func(string) (T, error)) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || isNull(n) {
			r.noteAt(n, expected(describe(n), what))
			return
		}
		value, err := parse(n.Value)
		if err != nil {
			r.noteAt(n, expected(n.Value, what))
			return
		}
		*v = value
	}
}

// errValue is of what is not as it should be; who reads says what was expected.
var errValue = mistake("not as expected")

func (r *reader) text(v *string, what string) func(*yaml.Node) {
	return set(r, v, what, func(s string) (string, error) {
		if s == "" {
			return "", errValue
		}
		return s, nil
	})
}

func (r *reader) texts(v *[]string, what string) func(*yaml.Node) {
	const most = 1000
	return func(n *yaml.Node) {
		list := []string{}
		for _, element := range r.list(n, what, most) {
			var s string
			r.text(&s, what)(element)
			if slices.Contains(list, s) && s != "" {
				r.noteAt(element, mistakef("%s is there twice", s))
			}
			list = append(list, s)
		}
		*v = list
	}
}

// filter is texts of which none would be all: an empty list is more likely a mistake.
func (r *reader) filter(v *[]string, what string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		r.texts(v, what)(n)
		if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			r.noteAt(n, mistakef("found an empty list, expected %s, or no such key for all", what))
		}
	}
}

func (r *reader) flag(v *bool) func(*yaml.Node) {
	return set(r, v, "true or false", func(s string) (bool, error) {
		switch s {
		case "true", "yes", "on":
			return true, nil
		case "false", "no", "off":
			return false, nil
		}
		return false, errValue
	})
}

func (r *reader) number(v *int, low, high int) func(*yaml.Node) {
	what := "a number, " + strconv.Itoa(low) + " to " + strconv.Itoa(high)
	return set(r, v, what, func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err == nil && (n < low || n > high) {
			err = errValue
		}
		return n, err
	})
}

// Bounds of times. What is beyond is a slip: a unit that was not meant, a digit too many.
const (
	day           = 24 * time.Hour
	longestEvery  = 366 * day
	longestWindow = 31 * day
	longestAge    = 36500 * day
)

// age reads for how long something is kept, at least a minute.
func (r *reader) age(v *time.Duration) func(*yaml.Node) {
	return r.span(v, "1m to 36500d", time.Minute, longestAge)
}

// window reads a time in which things are counted.
func (r *reader) window(v *time.Duration) func(*yaml.Node) {
	return r.span(v, "1s to 31d", time.Second, longestWindow)
}

// span reads a time, with days.
func (r *reader) span(v *time.Duration, bounds string, least, most time.Duration) func(*yaml.Node) {
	return set(r, v, "a time as 30s, 5m, 12h or 90d, "+bounds, func(s string) (time.Duration, error) {
		d, err := ParseDuration(s)
		if err == nil && (d < least || d > most) {
			err = errValue
		}
		return d, err
	})
}

// ParseDuration is time.ParseDuration, with days ("90d"), and not less than 0.
func ParseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 32)
		if err == nil && n > uint64(longestAge/day) {
			err = errValue
		}
		return time.Duration(n) * day, err
	}
	d, err := time.ParseDuration(s)
	if err == nil && d < 0 {
		err = errValue
	}
	return d, err
}

// size reads a number of bytes, as "4GiB".
func (r *reader) size(v *int64) func(*yaml.Node) {
	const least = 1 << 20
	return set(r, v, "a size as 512MiB or 4GiB, at least 1MiB", func(s string) (int64, error) {
		unit := int64(1)
		for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40} {
			if text, ok := strings.CutSuffix(s, suffix); ok {
				s, unit = text, bytes
			}
		}
		n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
		if err == nil && (n < least/unit || n > math.MaxInt64/unit) {
			err = errValue
		}
		return n * unit, err
	})
}

// addresses are those to listen to.
func (r *reader) addresses(v *[]string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		list := []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			list = r.list(n, "addresses", 16)
		}
		*v = nil
		for _, element := range list {
			var s string
			set(r, &s, "an address as 127.0.0.1:9805", ParseAddress)(element)
			if slices.Contains(*v, s) && s != "" {
				r.noteAt(element, mistakef("%s is there twice", s))
			}
			*v = append(*v, s)
		}
	}
}

// ParseAddress checks an address to listen to: an address and a port, or a port alone.
func ParseAddress(s string) (string, error) {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", err
	}
	return s, nil
}

// ParseLevel reads how much is logged.
func ParseLevel(s string) (slog.Level, error) {
	switch s {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn", "warning":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, errValue
}
