package service

import (
	"log/slog"
	"time"

	"github.com/ibscope/ibscope/internal/service/history"
)

// historyNews tells how the history does, each change once.
type historyNews struct {
	logger  *slog.Logger
	failing bool
	early   map[time.Duration]bool // intervals of which rates go early
}

// tell looks at how the history does now.
func (n *historyNews) tell(s *history.Status) {
	switch {
	case s.Err != nil && !n.failing:
		n.logger.Error("the history cannot be stored; what comes meanwhile is kept as long as there is room", "err", s.Err)
		n.failing = true
	case s.Err == nil && n.failing:
		n.logger.Info("the history is stored again", "lost_events", s.LostEvents, "lost_states", s.LostStates)
		n.failing = false
	}
	if n.early == nil {
		n.early = map[time.Duration]bool{}
	}
	for i := range s.Rates {
		n.tellRates(s, &s.Rates[i])
	}
}

// tellRates says when rates of one length begin to go before their time, and when all
// that are young enough are there again.
func (n *historyNews) tellRates(s *history.Status, r *history.Reach) {
	early := !r.EarlySince.IsZero()
	if early == n.early[r.Interval] {
		return
	}
	n.early[r.Interval] = early
	rates := slog.String("rates", "of passes")
	if r.Interval > 0 {
		rates = slog.Duration("rates", r.Interval)
	}
	if early {
		n.logger.Warn("the history has its full size: rates go before their time; a larger max_size keeps them",
			rates, "from", r.From, "keep", r.Keep, "max_bytes", s.MaxBytes)
		return
	}
	n.logger.Info("rates are kept as long as they are to be again", rates, "from", r.From, "keep", r.Keep)
}
