package saview

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/saclient"
)

// FuzzRecords makes a fabric of any records. It has no port beyond its node's
// number, and no node that no record told of.
func FuzzRecords(f *testing.F) {
	var all []byte
	record := func(table byte, v madrpc.Attribute) {
		b, err := v.AppendBinary([]byte{table})
		if err != nil {
			f.Fatal(err)
		}
		b = append(b, make([]byte, 120)...)
		f.Add(b[:109])
		all = append(all, b[:109]...)
	}
	record(0, &sa.NodeRecord{LID: 1, Node: smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 4, NodeGUID: 5, LocalPort: 1}})
	record(0, &sa.NodeRecord{LID: 2, Node: smp.NodeInfo{NodeType: ib.NodeCA, NumPorts: 1, NodeGUID: 6, LocalPort: 1}})
	record(1, &sa.SwitchInfoRecord{LID: 1})
	record(2, &sa.PortInfoRecord{EndPortLID: 1, PortNum: 3})
	record(3, &sa.LinkRecord{FromLID: 1, FromPort: 3, ToLID: 2, ToPort: 1})
	f.Add(all)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReader(saclient.New(nil, mad.ByLID(1), nil))
		told := 0
		for ; len(data) >= 109; data = data[109:] {
			table := tables[data[0]%byte(len(tables))]
			if table.take(r, data[1:1+table.length]) {
				told++
			}
		}
		built := r.build(5, 0, fabric.Sweep{})
		if built.NumNodes() > told {
			t.Errorf("%d nodes of %d records", built.NumNodes(), told)
		}
		for p := range built.Ports() {
			if p.Num() > p.Node().NumPorts() {
				t.Errorf("port %d of %d", p.Num(), p.Node().NumPorts())
			}
		}
	})
}
