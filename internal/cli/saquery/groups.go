package saquery

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/saclient"
)

// showManagers prints the ports that can be subnet managers, and those where
// that is switched off.
func (s *session) showManagers(ctx context.Context) error {
	for _, m := range []struct {
		heading    string
		capability uint32
	}{{"IsSM ports\n", smp.CapIsSM}, {"\nIsSMdisabled ports\n", smp.CapSMDisabled}} {
		q := saclient.Query{
			Record: &sa.PortInfoRecord{Port: smp.PortInfo{CapMask: m.capability}},
			Mask:   sa.CompPortInfoRecordCapMask, Modifier: sa.CapMaskMatch,
		}
		var rows []sa.PortInfoRecord
		for row, err := range saclient.Table[sa.PortInfoRecord](ctx, s.sa, q) {
			if err != nil {
				return s.failed(err)
			}
			rows = append(rows, row)
		}
		if s.document != nil {
			if err := eachItem(s, rows); err != nil {
				return err
			}
			continue
		}
		if err := s.printf("%s", m.heading); err != nil {
			return err
		}
		for i := range rows {
			r := &rows[i]
			if err := s.printf("PortInfoRecord dump:\n"+
				"\t\tEndPortLid..............%d\n\t\tPortNum.................%d\n\t\tbase_lid................%d\n"+
				"\t\tmaster_sm_base_lid......%d\n\t\tcapability_mask.........0x%X\n",
				r.EndPortLID, r.PortNum, r.Port.LID, r.Port.SMLID, r.Port.CapMask); err != nil {
				return err
			}
		}
	}
	return nil
}

// withSelector puts the selector above a value, as both stand on the wire.
func withSelector(selector, value uint8) uint8 { return selector<<6 | value }

// printGroup prints a record as a multicast group.
func (s *session) printGroup(row []byte) error {
	if s.document != nil {
		return s.item(sa.AttrMCMemberRecord, row)
	}
	var r sa.MCMemberRecord
	if err := r.UnmarshalBinary(row); err != nil {
		return s.failed(err)
	}
	return s.printf("MCMemberRecord group dump:\n"+
		"\t\tMGID....................%v\n\t\tMlid....................0x%X\n\t\tMtu.....................0x%X\n"+
		"\t\tpkey....................0x%X\n\t\tRate....................0x%X\n\t\tSL......................0x%X\n",
		r.MGID, uint16(r.MLID), withSelector(r.MTUSelector, uint8(r.MTU)), uint16(r.PKey),
		withSelector(r.RateSelector, uint8(r.Rate)), r.SL)
}

// showMembers prints the members of multicast groups with the names of their
// nodes, or of one group the GIDs only.
func (s *session) showMembers(ctx context.Context) error {
	var members []sa.MCMemberRecord
	for r, err := range saclient.Table[sa.MCMemberRecord](ctx, s.sa, saclient.Query{}) {
		if err != nil {
			return s.failed(err)
		}
		members = append(members, r)
	}
	nameOf := make(map[ib.GUID]string)
	for node, err := range saclient.Table[sa.NodeRecord](ctx, s.sa, saclient.Query{}) {
		if err != nil {
			return s.failed(err)
		}
		if _, known := nameOf[node.Node.PortGUID]; !known {
			nameOf[node.Node.PortGUID] = s.nameOf(&node)
		}
	}
	for i := range members {
		name, known := nameOf[members[i].PortGID.GUID()]
		if !known {
			name = "<unknown>"
		}
		if err := s.printMember(&members[i], name); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) printMember(r *sa.MCMemberRecord, name string) error {
	switch {
	case len(s.operands) > 0 && diags.LeadingInt(s.operand()) != int64(r.MLID):
		return nil
	case s.document != nil:
		return s.document.Item(record{Record: "MCMemberRecord", Fields: s.Fields(r), NodeName: name})
	case len(s.operands) > 0:
		return s.printf("\t\tPortGid.................%v (%s)\n", r.PortGID, name)
	}
	proxy := 0
	if r.ProxyJoin {
		proxy = 1
	}
	return s.printf("MCMemberRecord member dump:\n"+
		"\t\tMGID....................%v\n\t\tMlid....................0x%X\n\t\tPortGid.................%v\n"+
		"\t\tScopeState..............0x%X\n\t\tProxyJoin...............0x%X\n\t\tNodeDescription.........%s\n",
		r.MGID, uint16(r.MLID), r.PortGID, r.Scope<<4|r.JoinState, proxy, name)
}
