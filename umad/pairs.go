package umad

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// Pair is the two ways to a port's management interfaces: subnet management by
// SMI, everything else by GSI. They are one port but for planarised HCAs, where
// one device has the general services, with IsSMdisabled set in its capability
// mask, and another one, with the same port GUID, has a port of subnet management
// for each plane.
type Pair struct {
	SMI *rdma.Port // nil when this host does not have it: RoCE, virtual functions
	GSI *rdma.Port // never nil
}

// Pairs lists the pairs of a host, those of one device together. Ports are
// grouped by port GUID; all ports of a device count, not its first one only, and
// RoCE ports are never grouped. Of several ports of subnet management that one
// pair could have, it has the best one by the rules of Host.Port. The error is
// that of CAs.
func (h Host) Pairs(ctx context.Context) ([]Pair, error) {
	cas, err := h.CAs(ctx)
	s := &survey{cas: cas, readErr: err}
	var pairs []Pair
	for _, d := range cas {
		for _, p := range d.Ports {
			pair := s.complete(p)
			if pair.GSI == p {
				pairs = append(pairs, pair)
			}
		}
	}
	return pairs, err
}

// Pair chooses a port by the rules of Host.Port, and completes it to a pair. When
// the port is not named, ports that have both interfaces come first.
func (h Host) Pair(ctx context.Context, ca string, num int) (Pair, error) {
	s, err := h.survey(ctx, ca)
	if err != nil {
		return Pair{}, err
	}
	p, err := s.choose(ca, num, func(p *rdma.Port) bool { return s.complete(p).SMI != nil })
	if err != nil {
		p, err = s.choose(ca, num, func(*rdma.Port) bool { return true })
	}
	if err != nil {
		return Pair{}, err
	}
	return s.complete(p), nil
}

// complete finds the other half of a port.
func (s *survey) complete(p *rdma.Port) Pair {
	switch {
	case !p.LinkLayer.IsInfiniBand():
		return Pair{GSI: p}
	case p.CapMask.Has(rdma.CapSMDisabled):
		return Pair{SMI: s.twin(p, false), GSI: p}
	}
	if gsi := s.twin(p, true); gsi != nil {
		return Pair{SMI: p, GSI: gsi}
	}
	return Pair{SMI: p, GSI: p}
}

// twin is the best InfiniBand port with the port GUID of p that has subnet
// management disabled, or not; nil when there is none.
func (s *survey) twin(p *rdma.Port, smDisabled bool) *rdma.Port {
	if p.GUID().IsZero() {
		return nil
	}
	var best *rdma.Port
	var bestRank rank
	for _, d := range s.cas {
		for _, q := range d.Ports {
			if q == p || !q.LinkLayer.IsInfiniBand() || q.GUID() != p.GUID() || q.CapMask.Has(rdma.CapSMDisabled) != smDisabled {
				continue
			}
			if r := twinRank(q, d); best == nil || r > bestRank {
				best, bestRank = q, r
			}
		}
	}
	return best
}

// twinRank is rankOf with those behind that are not even initialised.
func twinRank(p *rdma.Port, d *rdma.Device) rank {
	r := rankOf(p, d.NodeType == rdma.NodeSwitch)
	if r == linkUp && p.State <= ib.PortDown {
		return usable
	}
	return r
}
