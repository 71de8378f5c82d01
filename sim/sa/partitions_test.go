package sa_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// There is a path only within a partition, and it has the P_Key of that.
func TestPathsInPartitions(t *testing.T) {
	model := must[*fabric.Fabric](t)(gen.Parse("star?hosts=4"))
	var h []*fabric.Node
	for n := range model.CAs() {
		h = append(h, n)
	}
	c := openManaged(t, model, nil, &sm.Options{Partitions: []sm.Partition{
		{Key: sm.DefaultPartition, Full: h[:1]},
		{Key: 0x10, Full: h[1:3]},
	}})
	for _, tt := range []struct {
		from, to int
		want     ib.PKey // 0: any
		key      ib.PKey // 0: no path
	}{
		{1, 2, 0, 0x8010}, {1, 2, 0x7fff, 0}, {0, 3, 0, 0x7fff}, {1, 3, 0, 0}, {0, 1, 0x10, 0},
	} {
		v := &adm.PathRecord{SGID: c.gidOf(h[tt.from]), DGID: c.gidOf(h[tt.to]), NumPath: 1, PKey: tt.want}
		mask := uint64(adm.CompPathRecordSGID | adm.CompPathRecordDGID)
		if tt.want != 0 {
			mask |= adm.CompPathRecordPKey
		}
		m, status := c.ask(mad.MethodGet, v, mask)
		var r adm.PathRecord
		if err := r.UnmarshalBinary(m.Data()); err != nil {
			t.Fatal(err)
		}
		if tt.key == 0 && status != adm.StatusNoRecords || tt.key != 0 && (status != 0 || r.PKey != tt.key) {
			t.Errorf("from %d to %d, wanted %s: %v, P_Key %s; want %s", tt.from, tt.to, tt.want, status, r.PKey, tt.key)
		}
	}
}

// gidOf is the GID of the first port of an adapter.
func (c *client) gidOf(n *fabric.Node) ib.GID { return ib.GIDFrom(c.subnet.Prefix, n.Port(1).GUID()) }
