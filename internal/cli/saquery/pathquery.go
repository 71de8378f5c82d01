package saquery

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/saclient"
)

// picker takes values out of the params: each sets its bits of the ComponentMask.
type picker struct {
	*params
	mask uint64
}

// given is the value of an option, if it was given: 0 counts.
func (p *picker) given(option string, bits uint64) uint64 {
	v, ok := p.numbers[option]
	if ok {
		p.mask |= bits
	}
	return v
}

// nonzero is the value of an option for which 0, cut to size bits, means that it
// was not given.
func (p *picker) nonzero(option string, size int, bits uint64) uint64 {
	v := p.numbers[option] & (1<<size - 1)
	if v != 0 {
		p.mask |= bits
	}
	return v
}

// selected is a value with its selector in the two bits above.
func (p *picker) selected(option string, bits uint64) (selector, value uint8) {
	v := uint8(p.nonzero(option, 8, bits))
	return v >> 6, v & 0x3f
}

func (p *picker) gid(option string, bits uint64) ib.GID {
	g, ok := p.gids[option]
	if ok {
		p.mask |= bits
	}
	return g
}

func pathQuery(_ context.Context, s *session) (saclient.Query, error) {
	p := &picker{params: &s.params}
	r := &sa.PathRecord{
		ServiceID:  p.nonzero("service_id", 64, sa.CompPathRecordServiceID),
		SGID:       p.gid("sgid", sa.CompPathRecordSGID),
		DGID:       p.gid("dgid", sa.CompPathRecordDGID),
		SLID:       ib.LID(p.nonzero("slid", 16, sa.CompPathRecordSLID)),
		DLID:       ib.LID(p.nonzero("dlid", 16, sa.CompPathRecordDLID)),
		HopLimit:   uint8(p.given("hop_limit", sa.CompPathRecordHopLimit)),
		FlowLabel:  uint32(p.nonzero("flow_label", 20, sa.CompPathRecordFlowLabel)),
		TClass:     uint8(p.nonzero("tclass", 8, sa.CompPathRecordTClass)),
		Reversible: p.given("reversible", sa.CompPathRecordReversible)&1 != 0,
		NumPath:    uint8(p.given("numb_path", sa.CompPathRecordNumPath)) & 0x7f,
		PKey:       ib.PKey(p.nonzero("pkey", 16, sa.CompPathRecordPKey)),
		SL:         uint8(p.given("sl", sa.CompPathRecordSL)) & 0xf,
		QoSClass:   uint16(p.given("qos_class", sa.CompPathRecordQoSClass)) & 0xfff,
	}
	var mtu, rate uint8
	r.MTUSelector, mtu = p.selected("mtu", sa.CompPathRecordMTUSelector|sa.CompPathRecordMTU)
	r.RateSelector, rate = p.selected("rate", sa.CompPathRecordRateSelector|sa.CompPathRecordRate)
	r.PktLifeSelector, r.PktLife = p.selected("pkt_lifetime", sa.CompPathRecordPktLifeSelector|sa.CompPathRecordPktLife)
	r.MTU, r.Rate = ib.MTU(mtu), sa.Rate(rate)
	return saclient.Query{Record: r, Mask: p.mask}, nil
}

func memberQuery(_ context.Context, s *session) (saclient.Query, error) {
	p := &picker{params: &s.params}
	r := &sa.MCMemberRecord{
		MGID:      p.gid("mgid", sa.CompMCMemberRecordMGID),
		PortGID:   p.gid("gid", sa.CompMCMemberRecordPortGID),
		MLID:      ib.LID(p.nonzero("mlid", 16, sa.CompMCMemberRecordMLID)),
		QKey:      uint32(p.nonzero("qkey", 32, sa.CompMCMemberRecordQKey)),
		TClass:    uint8(p.nonzero("tclass", 8, sa.CompMCMemberRecordTClass)),
		PKey:      ib.PKey(p.nonzero("pkey", 16, sa.CompMCMemberRecordPKey)),
		SL:        uint8(p.given("sl", sa.CompMCMemberRecordSL)) & 0xf,
		FlowLabel: uint32(p.nonzero("flow_label", 20, sa.CompMCMemberRecordFlowLabel)),
		HopLimit:  uint8(p.given("hop_limit", sa.CompMCMemberRecordHopLimit)),
		Scope:     uint8(p.nonzero("scope", 8, sa.CompMCMemberRecordScope)) & 0xf,
		JoinState: uint8(p.nonzero("join_state", 8, sa.CompMCMemberRecordJoinState)) & 0xf,
		ProxyJoin: p.given("proxy_join", sa.CompMCMemberRecordProxyJoin)&1 != 0,
	}
	var mtu, rate uint8
	r.MTUSelector, mtu = p.selected("mtu", sa.CompMCMemberRecordMTUSelector|sa.CompMCMemberRecordMTU)
	r.RateSelector, rate = p.selected("rate", sa.CompMCMemberRecordRateSelector|sa.CompMCMemberRecordRate)
	r.PktLifeSelector, r.PktLife = p.selected("pkt_lifetime", sa.CompMCMemberRecordPktLifeSelector|sa.CompMCMemberRecordPktLife)
	r.MTU, r.Rate = ib.MTU(mtu), sa.Rate(rate)
	return saclient.Query{Record: r, Mask: p.mask}, nil
}
