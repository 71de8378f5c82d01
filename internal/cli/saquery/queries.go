package saquery

import (
	"context"
	"math"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/saclient"
)

// query is one of the queries that have a name.
type query struct {
	name, alias string
	operands    string // as the usage text shows them

	// build makes the query from its operands.
	build func(ctx context.Context, s *session) (saclient.Query, error)
}

// queries are all of them, in the order of the usage text.
var queries = [...]query{
	{"ClassPortInfo", "CPI", "", nil},
	{"NodeRecord", "NR", "[lid]", nodeByLID},
	{"PortInfoRecord", "PIR", "[[lid]/[port]/[options]]", portQuery},
	{"SL2VLTableRecord", "SL2VL", "[[lid]/[in_port]/[out_port]]", slToVLQuery},
	{"PKeyTableRecord", "PKTR", "[[lid]/[port]/[block]]", pKeyQuery},
	{"VLArbitrationTableRecord", "VLAR", "[[lid]/[port]/[block]]", vlArbQuery},
	{"InformInfoRecord", "IIR", "[subscriber_gid]", informQuery},
	{"LinkRecord", "LR", "[[from_lid]/[from_port]] [[to_lid]/[to_port]]", linkQuery},
	{"ServiceRecord", "SR", "", serviceQuery},
	{"PathRecord", "PR", "", pathQuery},
	{"MCMemberRecord", "MCMR", "", memberQuery},
	{"LFTRecord", "LFTR", "[[lid]/[block]]", lftQuery},
	{"MFTRecord", "MFTR", "[[mlid]/[position]/[block]]", mftQuery},
	{"GUIDInfoRecord", "GIR", "[[lid]/[block]]", guidQuery},
	{"SwitchInfoRecord", "SWIR", "[lid]", switchByLID},
	{"SMInfoRecord", "SMIR", "[lid]", managerByLID},
}

func findQuery(name string) *query {
	for i := range queries {
		if strings.EqualFold(name, queries[i].name) || strings.EqualFold(name, queries[i].alias) {
			return &queries[i]
		}
	}
	return nil
}

// selection collects the values that a query selects by: each is its bits of the
// ComponentMask, if it is given.
type selection uint64

// number takes a number that was given.
func (m *selection) number(bits uint64, v *int64) int64 {
	if v == nil {
		return 0
	}
	*m |= selection(bits)
	return *v
}

func (m *selection) lid(bits uint64, lid ib.LID) ib.LID {
	if lid != 0 {
		*m |= selection(bits)
	}
	return lid
}

// byLID is a query that selects by the LID of a node, or not at all.
func byLID(ctx context.Context, s *session, record func(ib.LID) madrpc.Attribute, bit uint64) (saclient.Query, error) {
	p, err := s.place(ctx, 0)
	q := saclient.Query{Record: record(p.lid)}
	if p.lid != 0 {
		q.Mask = bit
	}
	return q, err
}

func nodeByLID(ctx context.Context, s *session) (saclient.Query, error) {
	return byLID(ctx, s, func(lid ib.LID) madrpc.Attribute { return &sa.NodeRecord{LID: lid} }, sa.CompNodeRecordLID)
}

func switchByLID(ctx context.Context, s *session) (saclient.Query, error) {
	return byLID(ctx, s, func(lid ib.LID) madrpc.Attribute { return &sa.SwitchInfoRecord{LID: lid} }, sa.CompSwitchInfoRecordLID)
}

func managerByLID(ctx context.Context, s *session) (saclient.Query, error) {
	return byLID(ctx, s, func(lid ib.LID) madrpc.Attribute { return &sa.SMInfoRecord{LID: lid} }, sa.CompSMInfoRecordLID)
}

func portQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0)
	var m selection
	r := &sa.PortInfoRecord{
		EndPortLID: m.lid(sa.CompPortInfoRecordEndPortLID, p.lid),
		PortNum:    uint8(m.number(sa.CompPortInfoRecordPortNum, p.first)),
		Options:    uint8(m.number(sa.CompPortInfoRecordOptions, p.second)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func slToVLQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0)
	var m selection
	r := &sa.SLtoVLMappingTableRecord{
		LID:     m.lid(sa.CompSLtoVLMappingTableRecordLID, p.lid),
		InPort:  uint8(m.number(sa.CompSLtoVLMappingTableRecordInPort, p.first)),
		OutPort: uint8(m.number(sa.CompSLtoVLMappingTableRecordOutPort, p.second)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func pKeyQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0, math.MaxUint8, math.MaxUint16)
	var m selection
	r := &sa.PKeyTableRecord{
		LID:     m.lid(sa.CompPKeyTableRecordLID, p.lid),
		PortNum: uint8(m.number(sa.CompPKeyTableRecordPortNum, p.first)),
		Block:   uint16(m.number(sa.CompPKeyTableRecordBlock, p.second)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func vlArbQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0)
	var m selection
	r := &sa.VLArbitrationTableRecord{
		LID:     m.lid(sa.CompVLArbitrationTableRecordLID, p.lid),
		PortNum: uint8(m.number(sa.CompVLArbitrationTableRecordPortNum, p.first)),
		Block:   uint8(m.number(sa.CompVLArbitrationTableRecordBlock, p.second)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func lftQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0, math.MaxUint16)
	var m selection
	r := &sa.LinearForwardingTableRecord{
		LID:   m.lid(sa.CompLinearForwardingTableRecordLID, p.lid),
		Block: uint16(m.number(sa.CompLinearForwardingTableRecordBlock, p.first)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func mftQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0, 1<<4-1, 1<<9-1)
	var m selection
	r := &sa.MulticastForwardingTableRecord{
		LID:      m.lid(sa.CompMulticastForwardingTableRecordLID, p.lid),
		Position: uint8(m.number(sa.CompMulticastForwardingTableRecordPosition, p.first)) & 0xf,
		Block:    uint16(m.number(sa.CompMulticastForwardingTableRecordBlock, p.second)) & 0x1ff,
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func guidQuery(ctx context.Context, s *session) (saclient.Query, error) {
	p, err := s.place(ctx, 0)
	var m selection
	r := &sa.GUIDInfoRecord{
		LID:   m.lid(sa.CompGUIDInfoRecordLID, p.lid),
		Block: uint8(m.number(sa.CompGUIDInfoRecordBlock, p.first)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func linkQuery(ctx context.Context, s *session) (saclient.Query, error) {
	from, err := s.place(ctx, 0)
	if err != nil {
		return saclient.Query{}, err
	}
	to, err := s.place(ctx, 1)
	var m selection
	r := &sa.LinkRecord{
		FromLID:  m.lid(sa.CompLinkRecordFromLID, from.lid),
		FromPort: uint8(m.number(sa.CompLinkRecordFromPort, from.first)),
		ToLID:    m.lid(sa.CompLinkRecordToLID, to.lid),
		ToPort:   uint8(m.number(sa.CompLinkRecordToPort, to.first)),
	}
	return saclient.Query{Record: r, Mask: uint64(m)}, err
}

func serviceQuery(context.Context, *session) (saclient.Query, error) {
	return saclient.Query{Record: &sa.ServiceRecord{}}, nil
}

func informQuery(_ context.Context, s *session) (saclient.Query, error) {
	q := saclient.Query{Record: &sa.InformInfoRecord{}}
	if len(s.operands) == 0 {
		return q, nil
	}
	gid, err := parseGID(s.operands[0])
	if err != nil {
		return q, s.invalid("SubscriberGID", s.operands[0])
	}
	q.Record, q.Mask = &sa.InformInfoRecord{SubscriberGID: gid}, sa.CompInformInfoRecordSubscriberGID
	return q, nil
}
