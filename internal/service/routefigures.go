package service

import "github.com/ibscope/ibscope/internal/service/metrics"

// routeFigures are those of the last checks of forwarding tables.
func (s *Service) routeFigures() (list []metrics.Figure) {
	for _, state := range s.States() {
		f, ok := s.api.RouteFigures(state.Name)
		if !ok {
			continue
		}
		fabric := []string{"fabric", state.Name}
		list = append(list,
			gauge("ibscope_unread_tables", "Switches whose forwarding table could not be read.", float64(f.Unread), fabric...),
			gauge("ibscope_unreachable_lids", "LIDs that packets from some switch with adapters do not arrive at, by the forwarding tables.", float64(f.Unreachable), fabric...),
			gauge("ibscope_route_findings", "What is wrong with the forwarding tables: loops, black holes, LIDs without a route, credit loops.", float64(f.Findings), fabric...),
		)
	}
	return list
}
