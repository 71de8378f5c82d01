package sa_test

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	adm "github.com/ibscope/ibscope/mad/sa"
)

// The number of records of each type in a fabric of 4 leaves, 2 spines with 4
// ports each and 8 hosts.
func TestTables(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=4")
	c.key = 1
	for _, tt := range []struct {
		v    field.Value
		mask uint64
		want int
	}{
		{&adm.NodeRecord{}, 0, 14},
		{&adm.NodeRecord{LID: 3}, adm.CompNodeRecordLID, 1},
		{&adm.NodeRecord{LID: 999}, adm.CompNodeRecordLID, 0},
		{&adm.NodeRecord{}, 1 << 63, 14}, // no component: ignored
		{&adm.PortInfoRecord{}, 0, 8 + 6*5},
		{&adm.PortInfoRecord{PortNum: 2}, adm.CompPortInfoRecordPortNum, 6},
		{&adm.SwitchInfoRecord{}, 0, 6},
		{&adm.SMInfoRecord{}, 0, 1},
		{&adm.LinkRecord{}, 0, 2 * 16},
		{&adm.LinkRecord{FromLID: 1, FromPort: 3}, adm.CompLinkRecordFromLID | adm.CompLinkRecordFromPort, 1},
		{&adm.LinearForwardingTableRecord{}, 0, 6},
		{&adm.LinearForwardingTableRecord{Block: 1}, adm.CompLinearForwardingTableRecordBlock, 0},
		{&adm.MulticastForwardingTableRecord{}, 0, 0},
		{&adm.GUIDInfoRecord{Block: 0}, adm.CompGUIDInfoRecordBlock, 14},
		{&adm.PKeyTableRecord{LID: 1, PortNum: 1}, adm.CompPKeyTableRecordLID | adm.CompPKeyTableRecordPortNum, 1},
		{&adm.SLtoVLMappingTableRecord{}, 0, 8 + 6*25},
		{&adm.SLtoVLMappingTableRecord{LID: 1, InPort: 2, OutPort: 3}, 7, 1},
		{&adm.VLArbitrationTableRecord{}, 0, 4 * (8 + 6*5)},
		{&adm.VLArbitrationTableRecord{LID: 1, PortNum: 2, Block: 3}, 7, 1},
		{&adm.PathRecord{}, 0, 14 * 14},
		{&adm.PathRecord{SLID: 7}, adm.CompPathRecordSLID, 14},
		{&adm.PathRecord{SLID: 7, DLID: 8}, adm.CompPathRecordSLID | adm.CompPathRecordDLID, 1},
		{&adm.MCMemberRecord{}, 0, 1},
		{&adm.ServiceRecord{}, 0, 0},
		{&adm.InformInfoRecord{}, 0, 0},
	} {
		if got := len(c.table(mad.MethodGetTable, tt.v, tt.mask)); got != tt.want {
			t.Errorf("%T %+v mask %#x: %d records, want %d", tt.v, tt.v, tt.mask, got, tt.want)
		}
	}
}

func TestStatus(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=4")
	gid := c.gid(c.adapters()[0])
	for _, tt := range []struct {
		name   string
		method mad.Method
		v      field.Value
		mask   uint64
		want   mad.Status
	}{
		{"one", mad.MethodGet, &adm.NodeRecord{LID: 1}, adm.CompNodeRecordLID, 0},
		{"none", mad.MethodGet, &adm.NodeRecord{LID: 99}, adm.CompNodeRecordLID, adm.StatusNoRecords},
		{"many", mad.MethodGet, &adm.NodeRecord{}, 0, adm.StatusTooManyRecords},
		{"Set of a node", mad.MethodSet, &adm.NodeRecord{}, 0, mad.StatusUnsupportedAttr},
		{"method 0x40", 0x40, &adm.NodeRecord{}, 0, mad.StatusUnsupportedMethod},
		{"attribute", mad.MethodGet, &adm.TraceRecord{}, 0, mad.StatusUnsupportedAttr},
		{"table of ClassPortInfo", mad.MethodGetTable, &adm.ClassPortInfo{}, 0, mad.StatusUnsupportedAttr},
		{"path without destination", mad.MethodGet, &adm.PathRecord{SLID: 7}, adm.CompPathRecordSLID, adm.StatusFewComponents},
		{
			"path to a stranger", mad.MethodGet, &adm.PathRecord{SGID: gid, DGID: ib.GID{0xfe, 0x80, 15: 9}},
			adm.CompPathRecordSGID | adm.CompPathRecordDGID, adm.StatusInvalidGID,
		},
		{"P_Keys without a key", mad.MethodGetTable, &adm.PKeyTableRecord{}, 0, adm.StatusRequestInvalid},
		{"join without components", mad.MethodSet, &adm.MCMemberRecord{}, 0, adm.StatusFewComponents},
		{"join of a stranger", mad.MethodSet, &adm.MCMemberRecord{PortGID: ib.GID{0xfe, 0x80, 15: 9}, JoinState: 1}, 0x10003, adm.StatusInvalidGID},
		{"service without components", mad.MethodSet, &adm.ServiceRecord{}, 0, adm.StatusFewComponents},
		{"service that is not there", mad.MethodDelete, &adm.ServiceRecord{}, 7, adm.StatusNoRecords},
		{"multipath without GIDs", mad.MethodGetMulti, &adm.MultiPathRecord{}, 0, adm.StatusFewComponents},
		{
			"multipath with too many", mad.MethodGetMulti, &adm.MultiPathRecord{SGIDCount: 200, DGIDCount: 200},
			adm.CompMultiPathRecordSGIDCount | adm.CompMultiPathRecordDGIDCount, adm.StatusNoResources,
		},
		{"unsubscribe from nothing", mad.MethodSet, &adm.InformInfo{}, 0, adm.StatusRequestInvalid},
	} {
		if _, got := c.ask(tt.method, tt.v, tt.mask); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	m := c.request(mad.MethodGet, &adm.NodeRecord{LID: 1}, 1)
	m.SetClassVersion(1)
	if got := c.send(m); len(got) != 1 || got[0].Status() != mad.StatusBadVersion {
		t.Errorf("class version 1: %v", got)
	}
}

// A path is what packets take, with the least rate and MTU on it.
func TestPaths(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=8&speed=edr")
	hosts := c.adapters()
	from, to := hosts[0], hosts[len(hosts)-1]
	ask := func(v adm.PathRecord, mask uint64) (r adm.PathRecord, status mad.Status) {
		t.Helper()
		v.SGID, v.DGID = c.gid(from), c.gid(to)
		m, status := c.ask(mad.MethodGet, &v, mask|adm.CompPathRecordSGID|adm.CompPathRecordDGID)
		if err := r.UnmarshalBinary(m.Data()); err != nil {
			t.Fatal(err)
		}
		return r, status
	}
	r, status := ask(adm.PathRecord{}, 0)
	if status != 0 || r.SLID != from.LID || r.DLID != to.LID || r.MTU != ib.MTU4096 || r.Rate.Gbps() != 100 || !r.Reversible || r.PKey != 0xffff {
		t.Errorf("%v %+v", status, r)
	}
	const mtu, rate = adm.CompPathRecordMTUSelector | adm.CompPathRecordMTU, adm.CompPathRecordRateSelector | adm.CompPathRecordRate
	for _, tt := range []struct {
		v    adm.PathRecord
		mask uint64
		ok   bool
	}{
		{adm.PathRecord{MTUSelector: adm.SelectorExact, MTU: ib.MTU4096}, mtu, true},
		{adm.PathRecord{MTUSelector: adm.SelectorExact, MTU: ib.MTU2048}, mtu, false},
		{adm.PathRecord{MTUSelector: adm.SelectorGreater, MTU: ib.MTU2048}, mtu, true},
		{adm.PathRecord{MTUSelector: adm.SelectorLess, MTU: ib.MTU2048}, mtu, false},
		{adm.PathRecord{MTUSelector: adm.SelectorBest}, mtu, true},
		{adm.PathRecord{RateSelector: adm.SelectorGreater, Rate: 15}, rate, true}, // 25 Gb/s: a code in between
		{adm.PathRecord{RateSelector: adm.SelectorLess, Rate: 13}, rate, true},    // 112 Gb/s
		{adm.PathRecord{RateSelector: adm.SelectorGreater, Rate: 16}, rate, false},
		{adm.PathRecord{PKey: 0x7fff}, adm.CompPathRecordPKey, true},
		{adm.PathRecord{PKey: 0x8123}, adm.CompPathRecordPKey, false},
		{adm.PathRecord{RawTraffic: true}, adm.CompPathRecordRawTraffic, false},
		{adm.PathRecord{DLID: from.LID}, adm.CompPathRecordDLID, false},
		{adm.PathRecord{SL: 5}, adm.CompPathRecordSL, true},
	} {
		if r, status := ask(tt.v, tt.mask); (status == 0) != tt.ok || tt.ok && tt.mask == adm.CompPathRecordSL && r.SL != 5 {
			t.Errorf("%+v: %v, SL %d", tt.v, status, r.SL)
		}
	}
}

func TestMultiPath(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=4")
	h := c.adapters()
	v := adm.MultiPathRecord{SGIDCount: 2, DGIDCount: 3, GIDs: [11]ib.GID{c.gid(h[0]), c.gid(h[1]), c.gid(h[2]), c.gid(h[3]), c.gid(h[4])}}
	got := c.table(mad.MethodGetMulti, &v, adm.CompMultiPathRecordSGIDCount|adm.CompMultiPathRecordDGIDCount)
	if len(got) != 6 {
		t.Fatalf("%d paths", len(got))
	}
	var r adm.PathRecord
	if err := r.UnmarshalBinary(got[5]); err != nil || r.SLID != h[1].LID || r.DLID != h[4].LID {
		t.Errorf("%v %+v", err, r)
	}
}
