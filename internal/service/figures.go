package service

import (
	"time"

	"github.com/ibscope/ibscope/internal/service/metrics"
)

// figures are those of the parts of the service, for its metrics.
func (s *Service) figures() []metrics.Figure {
	list := s.gateFigures()
	list = append(list, s.historyFigures()...)
	list = append(list, s.webhookFigures()...)
	list = append(list, s.routeFigures()...)
	return append(list, s.fleetFigures()...)
}

func gauge(name, help string, value float64, labels ...string) metrics.Figure {
	return metrics.Figure{Name: name, Help: help, Value: value, Labels: labels}
}

func counter(name, help string, value uint64, labels ...string) metrics.Figure {
	return metrics.Figure{Name: name, Help: help, Counter: true, Value: float64(value), Labels: labels}
}

// timestamps is a time as a figure, none for the zero time.
func timestamps(name, help string, t time.Time, labels ...string) []metrics.Figure {
	if t.IsZero() {
		return nil
	}
	const milli = 1e3
	return []metrics.Figure{gauge(name, help, float64(t.UnixMilli())/milli, labels...)}
}

func (s *Service) gateFigures() []metrics.Figure {
	requests, streams := s.gate.Load()
	return []metrics.Figure{
		gauge("ibscope_http_requests_in_progress", "Requests that are being answered, this one included.", float64(requests)),
		gauge("ibscope_http_streams", "Clients that follow the events.", float64(streams)),
	}
}

func (s *Service) historyFigures() []metrics.Figure {
	const failingName, failingHelp = "ibscope_history_failing", "1 while nothing can be stored."
	switch {
	case s.noHistory != nil:
		return []metrics.Figure{gauge(failingName, failingHelp, 1)}
	case s.history == nil:
		return nil
	}
	h := s.history.Status()
	failing := 0.0
	if h.Err != nil {
		failing = 1
	}
	list := []metrics.Figure{
		gauge("ibscope_history_bytes", "Size of the file of the history and its journal.", float64(h.Bytes)),
		gauge("ibscope_history_max_bytes", "What that file is bounded by.", float64(h.MaxBytes)),
		gauge(failingName, failingHelp, failing),
		gauge("ibscope_history_last_event_id", "Number of the last event that is stored.", float64(h.Event)),
		counter("ibscope_history_failures_total", "How often something could not be stored.", h.Failures),
		counter("ibscope_history_lost_events_total", "Events that could not be stored and will not be.", h.LostEvents),
		counter("ibscope_history_lost_states_total", "States of fabrics that could not be stored and will not be.", h.LostStates),
	}
	return append(list, timestamps("ibscope_history_written_timestamp_seconds", "When something was stored last.", h.Written)...)
}

func (s *Service) webhookFigures() (list []metrics.Figure) {
	h := s.hooks.Load()
	if h == nil {
		return nil
	}
	for _, t := range h.sender.Stats() {
		target := []string{"webhook", t.Target}
		list = append(list,
			counter("ibscope_webhook_events_sent_total", "Events that a webhook has taken.", t.Sent, target...),
			counter("ibscope_webhook_events_refused_total", "Events that a webhook does not want, whatever is done.", t.Refused, target...),
			counter("ibscope_webhook_events_dropped_total", "Events that were lost because the queue was full.", t.Dropped, target...),
			counter("ibscope_webhook_requests_total", "Requests to a webhook.", t.Requests, target...),
			counter("ibscope_webhook_request_failures_total", "Of these, how many it did not take.", t.Failed, target...),
			gauge("ibscope_webhook_events_queued", "Events that wait for a webhook.", float64(t.Queued), target...),
			gauge("ibscope_webhook_queue_bytes", "Size of the queue of a webhook.", float64(t.QueuedBytes), target...),
		)
		list = append(list, timestamps("ibscope_webhook_last_sent_timestamp_seconds", "When a webhook has taken something last.", t.LastSent, target...)...)
	}
	return list
}
