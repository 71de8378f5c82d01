package service

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"

	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/service/config"
)

// Reload takes on another configuration, which is complete. What is the same in both
// goes on undisturbed; a fabric that is configured otherwise begins anew with what is
// known of it. When it gives an error nothing has changed; it is os.ErrClosed after Run. What cannot change while the
// service runs stays as it is; fixed lists what of that the configuration has otherwise.
func (s *Service) Reload(ctx context.Context, c *config.Config) (fixed []string, err error) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if s.ended {
		return nil, &Error{Op: "reload", Err: os.ErrClosed}
	}
	old := s.present()
	fixed = keepFixed(c, old.Config)
	if err := c.Check(); err != nil { // with what stays: who may ask has to fit where the service listens
		return nil, err
	}
	to, err := load(c)
	if err != nil {
		return nil, err
	}
	plan, err := s.plan(ctx, old, to)
	if err != nil {
		return nil, err
	}
	return fixed, s.adopt(ctx, old, to, plan)
}

// plan is what a reload does with fabrics.
type plan struct {
	kept, gone, fresh []*watched
}

// plan opens what is new. With an error nothing is left open.
func (s *Service) plan(ctx context.Context, old, to *settings) (*plan, error) {
	p := &plan{}
	for _, f := range s.fabrics { // only Reload changes them
		same := slices.Contains(to.Fabrics, f.config) && old.AllowResets == to.AllowResets
		if same {
			p.kept = append(p.kept, f)
		} else {
			p.gone = append(p.gone, f)
		}
	}
	for i := range to.Fabrics {
		if find(p.kept, to.Fabrics[i].Name) != nil {
			continue
		}
		f, err := s.newWatched(ctx, &to.Fabrics[i], to.Config)
		if err != nil {
			for _, f := range p.fresh {
				f.close()
			}
			return nil, err
		}
		p.fresh = append(p.fresh, f)
	}
	return p, nil
}

func find(list []*watched, name string) *watched {
	for _, f := range list {
		if f.config.Name == name {
			return f
		}
	}
	return nil
}

// adopt makes settings the present ones. The error is of what does not end in time.
func (s *Service) adopt(ctx context.Context, old, to *settings, p *plan) error {
	ctx, cancel := context.WithTimeout(ctx, stopWithin)
	defer cancel()
	var errs []error
	for _, f := range p.gone {
		errs = append(errs, f.stop(ctx))
	}
	for _, f := range p.fresh {
		f.begin(to, f.lastOf(p.gone))
	}
	for _, f := range p.kept {
		f.take(to)
	}
	list := slices.Concat(p.kept, p.fresh)
	slices.SortFunc(list, byName)
	s.mu.Lock()
	s.settings, s.fabrics = to, list
	if s.ctx != nil {
		for _, f := range p.fresh {
			f.start(s.ctx)
		}
	}
	s.mu.Unlock()
	s.exchangeHooks(s.helping, old, to)
	s.gate.Set(s.gateOptions(to))
	s.wake()
	return errors.Join(errs...)
}

// lastOf is what an earlier watcher of the same source knows last, nil for nothing.
func (f *watched) lastOf(gone []*watched) *snapshot.Snapshot {
	before := find(gone, f.config.Name)
	if before == nil || before.config.Source != f.config.Source {
		return nil
	}
	state := before.watcher.State()
	if state.Fabric == nil {
		return nil
	}
	return &snapshot.Snapshot{Taken: state.At, Fabric: state.Routes.In(state.Fabric), Problems: state.Routes.Problems(state.Fabric)}
}

// keepFixed keeps what cannot change while the service runs, and lists what of that a
// configuration has otherwise.
func keepFixed(c, old *config.Config) (otherwise []string) {
	for _, f := range []struct {
		name    string
		now, of any // pointers
	}{
		{"listen", &c.Listen, &old.Listen},
		{"web_config", &c.WebConfig, &old.WebConfig},
		{"open", &c.Open, &old.Open},
		{"state", &c.State, &old.State},
		{"user", &c.User, &old.User},
		{"history", &c.History, &old.History},
		{"metrics", &c.Metrics, &old.Metrics},
		{"fleet", &c.Fleet, &old.Fleet},
		{"events.kept", &c.Events.Kept, &old.Events.Kept},
	} {
		now, was := reflect.ValueOf(f.now).Elem(), reflect.ValueOf(f.of).Elem()
		if !reflect.DeepEqual(now.Interface(), was.Interface()) {
			otherwise = append(otherwise, f.name)
			now.Set(was)
		}
	}
	return otherwise
}
