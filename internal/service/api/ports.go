package api

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

func (a *API) ports(r *request) error {
	if err := r.known(); err != nil {
		return err
	}
	c := r.choose()
	var fit []*fabric.Port
	for _, n := range r.index.nodes {
		for p := range n.Ports() {
			if r.wantsPort(p) && c.port(p) {
				fit = append(fit, p)
			}
		}
	}
	if key := strings.TrimPrefix(r.text("sort"), "-"); key != "" {
		sortBy(r, fit, func(p *fabric.Port) *float64 { return r.counted(p).key(key) })
	}
	from, to, next := r.window(len(fit))
	head := Page[Port]{Schema: "ibscope.api.ports", Total: len(fit), Offset: from, Next: next}
	return list(r, head, each(fit[from:to], r.port))
}

func (r *request) wantsPort(p *fabric.Port) bool {
	if r.has("port") && p.Num() != r.number("port") {
		return false
	}
	if s := r.text("state"); s != "" && p.State().String() != s {
		return false
	}
	return r.wants("degraded", func() bool { return isDegraded(p) }) && r.wants("flapping", func() bool { return r.flaps(p).now }) &&
		r.wants("errors", func() bool { return r.counted(p).grew() })
}

func isDegraded(p *fabric.Port) bool {
	return p.Remote() != nil && fabric.Link{A: p, B: p.Remote()}.IsDegraded()
}

// key is a value to sort by.
func (c counted) key(name string) *float64 {
	switch name {
	case "errors":
		return float(c.sum())
	case "errors_per_second":
		return c.sumPerSecond()
	case "congestion":
		return c.congestion()
	}
	return more(c.utilisation(counters.XmitData), c.utilisation(counters.RcvData))
}

// port is a port with all that is known of it.
func (r *request) port(p *fabric.Port) Port {
	x := r.index
	f := r.flaps(p)
	out := Port{
		Place: x.portPlace(p), PortGUID: p.GUID(), LMC: int(p.LMC()), State: stateWord(p.State()), PhysState: physStateWord(p.PhysState()),
		Enabled: ratesOf(p.Enabled()), Supported: ratesOf(p.Supported()), Link: x.linkIDOf(p),
		Degraded: isDegraded(p), Flapping: f.now, Flaps: f.count, Counters: r.counted(p).whole(),
	}
	if s := p.State(); s != ib.PortDown && s != ib.PortNoChange {
		out.Active = rateOf(p.Active())
	}
	if info, ok := p.Info(); ok {
		out.SMLID = info.SMLID
		out.MTU, out.MTUCap = info.NeighborMTU.Bytes(), info.MTUCap.Bytes()
		if info.CapMask != 0 {
			out.CapabilityMask = fmt.Sprintf("0x%08x", info.CapMask)
		}
	}
	if peer := p.Remote(); peer != nil {
		place := x.portPlace(peer)
		out.Peer, out.PeerState = &place, stateWord(peer.State())
	}
	return out
}
