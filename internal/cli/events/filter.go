package events

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/choose"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/history"
)

// defaultLimit is how many events are listed where --limit does not say.
const defaultLimit = 1000

// maxLimit bounds --limit.
const maxLimit = 1_000_000

// Those that completion offers, and that a mistake is told with.
var (
	severities = event.Severities()
	kinds      = event.Kinds()
)

// check finds mistakes of usage.
func (s *settings) check(e *env.Env) error {
	if err := s.print.Check(columns); err != nil {
		return err
	}
	if err := s.span.Check(e.Now()); err != nil {
		return err
	}
	for _, word := range s.severities {
		if !slices.Contains(severities, event.Severity(word)) {
			return env.Exitf(env.Usage, "--severity %q: there are %s", word, strings.Join(words(severities), ", "))
		}
	}
	for _, word := range s.kinds {
		if !slices.Contains(kinds, event.Kind(word)) {
			return env.Exitf(env.Usage, "--kind %q: there are %s", word, strings.Join(words(kinds), ", "))
		}
	}
	switch {
	case s.limit < 1 || s.limit > maxLimit:
		return env.Exitf(env.Usage, "--limit %d: expected a number from 1 to %d", s.limit, maxLimit)
	case s.token != "" && s.server == "":
		return env.Exitf(env.Usage, "--token-file is for --server")
	case s.noWait && (s.server == "" || !s.follow):
		return env.Exitf(env.Usage, "--no-wait is for --follow with --server")
	case s.follow && !s.print.IsOwn():
		return env.Exitf(env.Usage, "--follow prints lines: -o %s or -o %s", asText, asNDJSON)
	case s.follow && !s.span.To.IsZero():
		return env.Exitf(env.Usage, "--follow goes on with what happens, --until ends before")
	case s.follow && s.print.File != "":
		return env.Exitf(env.Usage, "--follow has no end at which a file would be complete: without --output-file")
	}
	return nil
}

// filter is what is asked of the history. A node by its name is not in it.
func (s *settings) filter() *history.Filter {
	f := &history.Filter{Fabric: s.from.Fabric, Since: s.span.From, Until: s.span.To, Limit: s.limit, Newest: true}
	for _, word := range s.kinds {
		f.Kinds = append(f.Kinds, event.Kind(word))
	}
	for _, word := range s.severities {
		f.Severities = append(f.Severities, event.Severity(word))
	}
	f.GUID = s.guid()
	if s.node != "" && f.GUID == 0 {
		f.Limit = maxLimit
	}
	return f
}

// guid is the node that --node names by its GUID, 0 for none.
func (s *settings) guid() ib.GUID {
	if !strings.HasPrefix(s.node, "0x") {
		return 0
	}
	g, err := ib.ParseGUID(s.node)
	if err != nil {
		return 0
	}
	return g
}

// named are the events with a node that --node names, the last ones.
func (s *settings) named(list []event.Event) []event.Event {
	if s.node != "" && s.guid() == 0 {
		list = slices.DeleteFunc(list, func(e event.Event) bool { return !s.isAt(&e) })
	}
	return list[max(0, len(list)-s.limit):]
}

func (s *settings) isAt(e *event.Event) bool {
	if s.node == "" {
		return true
	}
	if g := s.guid(); g != 0 {
		return e.At.GUID == g || e.To.GUID == g
	}
	return choose.FitsAny(s.node, []string{e.At.Name, e.To.Name})
}
