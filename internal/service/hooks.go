package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"syscall"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/webhook"
)

// hooks are the webhooks of some settings, while they are served.
type hooks struct {
	sender *webhook.Sender
	cancel context.CancelFunc
	done   chan struct{}
}

// targets are where events are sent, with their secrets.
func targets(c *config.Config) ([]webhook.Target, error) {
	var list []webhook.Target
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		t := webhook.Target{Name: w.Name, URL: w.URL, Fabrics: w.Fabrics, Severity: event.Severity(w.Severity)}
		for _, k := range w.Kinds {
			t.Kinds = append(t.Kinds, event.Kind(k))
		}
		if w.Secret != "" {
			secret, err := config.ReadSecret(w.Secret)
			if err != nil {
				return nil, &Error{Op: "webhook " + w.Name, Err: err}
			}
			t.Secret = secret
		}
		list = append(list, t)
	}
	return list, nil
}

// openHooks opens the queues of the webhooks of some settings; nil for none. What waits
// outlives the service if it keeps a state.
func (s *Service) openHooks(to *settings) (*hooks, error) {
	if len(to.targets) == 0 {
		return nil, nil
	}
	dir, err := s.stateDir(to)
	if err != nil {
		return nil, err
	}
	sender, err := s.newSender(dir, to)
	if to.State != "" && isUnwritable(err) {
		s.world.Logger.Error("events that wait for a webhook will not outlive the service", "err", err)
		if dir, err = s.scratchDir(); err != nil {
			return nil, err
		}
		sender, err = s.newSender(dir, to)
	}
	if err != nil {
		return nil, &Error{Op: "webhooks", Err: err}
	}
	return &hooks{sender: sender}, nil
}

func (s *Service) newSender(dir string, to *settings) (*webhook.Sender, error) {
	return webhook.New(&webhook.Options{Dir: filepath.Join(dir, "webhooks"), Targets: to.targets, Logger: s.world.Logger})
}

// isUnwritable reports whether an error is of a disk that cannot be written.
func isUnwritable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC)
}

// stateDir is where queues are: with the state, or in a directory that goes with the
// service.
func (s *Service) stateDir(to *settings) (dir string, err error) {
	if to.State != "" {
		return to.State, nil
	}
	return s.scratchDir()
}

// scratchDir is a directory that goes with the service.
func (s *Service) scratchDir() (dir string, err error) {
	if s.scratch == "" {
		if s.scratch, err = os.MkdirTemp("", "ibscope-serve-"); err != nil {
			return "", &Error{Op: "make a directory for what waits", Err: err}
		}
	}
	return s.scratch, nil
}

// start begins to send.
func (h *hooks) start(ctx context.Context, log *event.Log) {
	if h == nil {
		return
	}
	ctx, h.cancel = context.WithCancel(ctx)
	h.done = make(chan struct{})
	go func() {
		defer close(h.done)
		_ = h.sender.Run(ctx, log) // it ends when it is told to
	}()
}

// stop ends the sending; what has not been sent stays in the queues.
func (h *hooks) stop() {
	if h == nil {
		return
	}
	if h.cancel != nil {
		h.cancel()
		<-h.done
	}
	h.sender.Close()
}

// exchangeHooks has the webhooks of other settings served, if they are others.
func (s *Service) exchangeHooks(ctx context.Context, old, to *settings) {
	if reflect.DeepEqual(old.targets, to.targets) {
		return
	}
	s.hooks.Swap(nil).stop()
	h, err := s.openHooks(to)
	if err != nil {
		s.world.Logger.Error("events are not sent to webhooks", "err", err)
		return
	}
	s.hooks.Store(h)
	if ctx != nil {
		h.start(ctx, s.log)
	}
}
