package saclient

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/madrpc"
)

func start(t *testing.T, m *manager, o *Options) *Client {
	t.Helper()
	rpc := madrpc.New(m, nil)
	t.Cleanup(func() { _ = rpc.Close() })
	return New(rpc, mad.ByLID(1), o)
}

// TestTable reads tables of several lengths, down to one record.
func TestTable(t *testing.T) {
	for _, n := range []int{1, 2, 3, 25, 1000} {
		m := newManager()
		m.nodes(n)
		c := start(t, m, &Options{SMKey: 5})
		i := 0
		for v, err := range Table[sa.NodeRecord](t.Context(), c, Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			if v.Node.PortGUID != ib.GUID(i) || v.Desc.String() != "node" {
				t.Fatalf("record %d of %d: %+v", i, n, v)
			}
			i++
		}
		if i != n {
			t.Errorf("%d records of %d", i, n)
		}
		p := m.seen[0]
		if p.Method() != mad.MethodGetTable || p.AttrID() != sa.AttrNodeRecord || p.CompMask() != 0 || p.SMKey() != 5 || p.IsRMPP() {
			t.Errorf("asked by % x", p[:60])
		}
	}
}

// TestLargeTable reads 100,000 records and checks that they are not all in memory
// at once: the table is 11 MB.
func TestLargeTable(t *testing.T) {
	const records = 100_000
	m := newManager()
	m.nodes(records)
	c := start(t, m, nil)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, peak := 0, uint64(0)
	for v, err := range Table[sa.NodeRecord](t.Context(), c, Query{}) {
		if err != nil || v.Node.PortGUID != ib.GUID(n) {
			t.Fatalf("record %d: %+v, %v", n, v, err)
		}
		if n++; n%20_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
	}
	if n != records {
		t.Errorf("%d records", n)
	}
	if used := int64(peak) - int64(before.HeapAlloc); used > 5<<20 {
		t.Errorf("%d bytes in use", used)
	}
}

// TestTableLeft leaves the loop; the client can be used at once.
func TestTableLeft(t *testing.T) {
	m := newManager()
	m.nodes(100_000)
	c := start(t, m, nil)
	for range 3 {
		for v, err := range Table[sa.NodeRecord](t.Context(), c, Query{}) {
			if err != nil || v.Node.PortGUID != 0 {
				t.Errorf("%+v, %v", v, err)
			}
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range Table[sa.NodeRecord](ctx, c, Query{}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("after cancel: %v", last)
	}
}

// TestQuery checks what a query sends.
func TestQuery(t *testing.T) {
	m := newManager()
	c := start(t, m, nil)
	q := Query{Record: &sa.PortInfoRecord{}, Mask: sa.CompPortInfoRecordCapMask, Modifier: sa.CapMaskMatch}
	q.Record.(*sa.PortInfoRecord).Port.CapMask = 2
	for range c.Rows(t.Context(), q) { //nolint:revive // only the request counts
	}
	p := m.seen[0]
	if p.Modifier() != 1<<31 || p.CompMask() != 1<<7 || p[56+4+20+3] != 2 || p.AttrID() != sa.AttrPortInfoRecord {
		t.Errorf("asked by % x", p[:96])
	}
}

// TestErrors checks how tables end that are none.
func TestErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(*manager)
		want   error
		text   string
	}{
		{"no records", func(m *manager) {
			m.answer = func(p *mad.Packet, _ mad.Addr) { p.SetStatus(sa.StatusNoRecords) }
		}, sa.StatusNoRecords, "GetTable NodeRecord: no records: "},
		{"offset 0", func(m *manager) {
			m.answer = func(p *mad.Packet, _ mad.Addr) {
				p.SetAttrOffset(0)
				p.Data()[199] = 1
			}
		}, ErrBadTable, "AttributeOffset is 0"},
		{"too narrow", func(m *manager) {
			m.n, m.size, m.record = 10, 40, func(int, []byte) {}
		}, nil, "NodeRecord: 40 bytes of data"},
	}
	for _, tt := range tests {
		m := newManager()
		tt.change(m)
		c := start(t, m, nil)
		var last error
		for _, err := range Table[sa.NodeRecord](t.Context(), c, Query{}) {
			last = err
		}
		if last == nil || tt.want != nil && !errors.Is(last, tt.want) || !strings.Contains(last.Error(), tt.text) {
			t.Errorf("%s: %v", tt.name, last)
		}
	}
	// Without data it is an empty table, as managers send it through what has no RMPP.
	m := newManager()
	m.answer = func(p *mad.Packet, _ mad.Addr) { p.SetAttrOffset(0) }
	for v, err := range Table[sa.NodeRecord](t.Context(), start(t, m, nil), Query{}) {
		t.Errorf("an empty table has %+v, %v", v, err)
	}
	if errors.Is(error(sa.StatusNoRecords), sa.StatusNoResources) {
		t.Error("no records counts as no resources")
	}
}

// TestGet asks for single records, and follows a redirection once for all.
func TestGet(t *testing.T) {
	m := newManager()
	m.answer = func(p *mad.Packet, to mad.Addr) {
		if to.LID == 1 {
			p.SetStatus(mad.StatusRedirect)
			info := gs.ClassPortInfo{RedirectLID: 9, RedirectQP: 1, RedirectQKey: mad.WellKnownQK}
			_, _ = info.AppendBinary(p.Data()[:0])
			return
		}
		var v sa.PathRecord
		_ = v.UnmarshalBinary(p.Data())
		v.DLID, v.SLID = 7, 8
		_, _ = v.AppendBinary(p.Data()[:0])
	}
	c := start(t, m, nil)
	for range 2 {
		path := sa.PathRecord{DGID: ib.GIDFrom(0xfe80<<48, 5), NumPath: 1}
		err := c.Get(t.Context(), &path, sa.CompPathRecordDGID|sa.CompPathRecordNumPath)
		if err != nil || path.DLID != 7 || path.SLID != 8 || path.DGID.GUID() != 5 {
			t.Errorf("%+v, %v", path, err)
		}
	}
	if len(m.seen) != 3 || c.Target().LID != 9 {
		t.Errorf("%d requests, now to %v", len(m.seen), c.Target())
	}
	m.answer = func(p *mad.Packet, _ mad.Addr) { p.SetStatus(sa.StatusTooManyRecords) }
	before := sa.MCMemberRecord{MLID: 0xc000}
	v := before
	if err := c.Set(t.Context(), &v, sa.CompMCMemberRecordMLID); !errors.Is(err, sa.StatusTooManyRecords) || v != before {
		t.Errorf("%+v, %v", v, err)
	}
	if p := m.seen[3]; p.Method() != mad.MethodSet {
		t.Errorf("sent %v", p.Method())
	}
}
