package service

import "github.com/ibscope/ibscope/internal/service/metrics"

// fleetFigures are those of the work with other collectors.
func (s *Service) fleetFigures() []metrics.Figure {
	if s.fleet == nil {
		return nil
	}
	f := s.fleet.Stats()
	list := []metrics.Figure{
		gauge("ibscope_fleet_connected", "1 while the server of the fleet is there.", flag(f.Connected)),
		counter("ibscope_fleet_events_published_total", "Events that are in the stream, duplicates included.", f.Published),
		counter("ibscope_fleet_events_duplicate_total", "Events that another collector had told.", f.Duplicates),
		counter("ibscope_fleet_events_dropped_total", "Events that were lost because the queue was full.", f.Dropped),
		counter("ibscope_fleet_snapshots_total", "Snapshots that were published.", f.Snapshots),
		gauge("ibscope_fleet_events_queued", "Events that wait for the server.", float64(f.Queued)),
	}
	for _, of := range f.Fabrics {
		fabric := []string{"fabric", of.Fabric}
		list = append(list,
			gauge("ibscope_fleet_shares", "Shares of a fabric whose counters are read here.", float64(of.Held), fabric...),
			gauge("ibscope_fleet_collectors", "Collectors that share the counters of a fabric.", float64(len(of.Members)), fabric...),
			gauge("ibscope_fleet_alone", "1 while all counters are read here, for want of the server.", flag(of.Alone), fabric...),
		)
	}
	return list
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
