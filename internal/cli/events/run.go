package events

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/internal/cli/report"
	"github.com/ibscope/ibscope/internal/service/history"
)

// poll is how often a history is asked for new events.
const poll = time.Second

// source is where events come from. Errors are *env.ExitError.
type source interface {
	name() string
	// list gives the last events that fit, and how many of that time are missing.
	list(ctx context.Context) (list []event.Event, missed uint64, err error)
	// follow calls yield with those after an ID, as they come, until the context ends.
	follow(ctx context.Context, after uint64, yield func(*event.Event) error) error
	io.Closer
}

func (s *settings) run(ctx context.Context, e *env.Env) error {
	if err := s.check(e); err != nil {
		return err
	}
	from, err := s.open(ctx, e)
	if err != nil {
		return err
	}
	defer from.Close()
	list, missed, err := from.list(ctx)
	switch {
	case err != nil && s.follow && ctx.Err() != nil:
		return nil // interrupted while it waited for the service
	case err != nil:
		return err
	}
	list = s.named(list)
	if !s.print.IsOwn() {
		r := s.report(from.name(), list)
		if missed > 0 {
			r.Problems = append(r.Problems, report.Problem{Message: fmt.Sprintf("%d events are not kept any more", missed), Loss: true})
		}
		if err := s.print.Print(e, r); err != nil {
			return err
		}
		return report.End(e, r, nil)
	}
	err = output.Write(s.print.File, e.Stdout, func(w io.Writer) error {
		for i := range list {
			if err := s.line(w, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if s.follow {
		return s.goOn(ctx, e, from, list)
	}
	if missed > 0 {
		return env.Exitf(env.Incomplete, "%d events are not kept any more", missed)
	}
	return nil
}

// goOn prints events as they come, until it is interrupted.
func (s *settings) goOn(ctx context.Context, e *env.Env, from source, list []event.Event) error {
	after := uint64(0)
	if len(list) > 0 {
		after = list[len(list)-1].ID
	}
	err := from.follow(ctx, after, func(v *event.Event) error {
		if !s.isAt(v) {
			return nil
		}
		return s.line(e.Stdout, v)
	})
	if ctx.Err() != nil {
		return nil // this is how it ends
	}
	return err
}

// line prints an event as a line.
func (s *settings) line(w io.Writer, e *event.Event) error {
	text := e.String()
	if s.print.Format == asNDJSON {
		data, err := json.Marshal(e)
		if err != nil {
			return err
		}
		text = string(data)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func (s *settings) report(source string, list []event.Event) *report.Report {
	r := &report.Report{
		Name: "events", Title: "Events", Source: source,
		Table: report.Table{Name: "events", Columns: columns},
	}
	count := map[event.Severity]int{}
	for i := range list {
		count[list[i].Severity]++
		r.Table.Rows = append(r.Table.Rows, row(&list[i]))
	}
	r.Counts = []report.Count{
		{Name: "events", N: len(list)},
		{Name: "critical", N: count[event.Critical]},
		{Name: "warning", N: count[event.Warning]},
		{Name: "info", N: count[event.Info]},
	}
	r.Summary = fmt.Sprintf("%d events: %d critical, %d warnings", len(list), count[event.Critical], count[event.Warning])
	return r
}

func (s *settings) open(ctx context.Context, e *env.Env) (source, error) {
	if s.server != "" {
		return s.connect(e)
	}
	db, err := s.from.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &stored{s, db}, nil
}

// stored are the events of a history.
type stored struct {
	*settings
	*history.DB
}

func (s *stored) name() string { return s.Status().Path }

func (s *stored) list(ctx context.Context) ([]event.Event, uint64, error) {
	list, err := s.Events(ctx, s.filter())
	if err == nil && len(list) == 0 && s.from.Fabric != "" {
		_, err = s.FabricName(ctx, s.from.Fabric) // nothing has happened there, or there is no such fabric
	}
	if err != nil {
		return nil, 0, &env.ExitError{Code: env.Failed, Err: err}
	}
	return list, 0, nil
}

func (s *stored) follow(ctx context.Context, after uint64, yield func(*event.Event) error) error {
	f := s.filter()
	f.After, f.Newest = after, false
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		list, err := s.Events(ctx, f)
		if err != nil {
			return &env.ExitError{Code: env.Failed, Err: err}
		}
		for i := range list {
			f.After = list[i].ID
			if err := yield(&list[i]); err != nil {
				return &env.ExitError{Code: env.Failed, Err: err}
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
