package fuse

import (
	"context"
	"syscall"
)

// answer carries out something that may have to wait: at once if it can, else,
// unless the client asked not to wait, by a goroutine that an interrupt ends.
func (s *Server) answer(unique uint64, nonblocking bool, do func(ctx context.Context, wait bool) ([]byte, syscall.Errno)) {
	data, errno := do(s.ctx, false)
	if errno != syscall.EAGAIN || nonblocking {
		s.reply(unique, data, errno)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.waiting[unique] = cancel
	s.mu.Unlock()
	s.blocked.Go(func() {
		defer cancel()
		data, errno := do(ctx, true)
		s.mu.Lock()
		delete(s.waiting, unique)
		s.mu.Unlock()
		s.reply(unique, data, errno)
	})
}

// interrupt ends a request that waits: its client has got a signal, or dies.
func (s *Server) interrupt(unique uint64) {
	s.mu.Lock()
	cancel := s.waiting[unique]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// poll answers which events hold. The handle is armed before the device is
// asked, so that what happens in between is told to the poller.
func (s *Server) poll(r *request, h *handle) {
	b := make([]byte, 8)
	if h.device == nil {
		host.PutUint32(b, pollRegular)
		s.reply(r.unique, b, 0)
		return
	}
	if r.u32(16)&scheduleNotify != 0 {
		s.mu.Lock()
		h.pollKey, h.isArmed = r.u64(8), true
		s.mu.Unlock()
	}
	host.PutUint32(b, h.device.Poll())
	s.reply(r.unique, b, 0)
}

// pollRegular is what poll(2) says of a regular file: POLLIN, POLLOUT and their
// synonyms.
const pollRegular = 0x145

// wake tells the pollers of a file to ask again. Once is enough: a poller that
// goes on waiting arms the handle again.
func (s *Server) wake(h *handle) {
	s.mu.Lock()
	key, isArmed := h.pollKey, h.isArmed
	h.isArmed = false
	s.mu.Unlock()
	if !isArmed {
		return
	}
	b := make([]byte, 8)
	host.PutUint64(b, key)
	s.send(0, notifyPoll, b)
}
