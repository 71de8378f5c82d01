package identifiers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/identifiers"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// adapter has one port, cabled to the switch.
type adapter struct {
	guid, port ib.GUID
	lid        ib.LID
	lmc        uint8
}

// build makes a fabric of a switch with LID 1 and GUID 0x10, and adapters.
func build(adapters ...adapter) *fabric.Fabric {
	b := fabric.NewBuilder()
	sw := addNode(b, ib.NodeSwitch, 0x10, 0x10, len(adapters))
	setPort(b, b.Port(sw, 0), adapter{port: 0x10, lid: 1})
	for i, a := range adapters {
		p := b.Port(addNode(b, ib.NodeCA, a.guid, a.port, 1), 1)
		setPort(b, p, a)
		b.Link(b.Port(sw, i+1), p)
	}
	return b.Build()
}

func addNode(b *fabric.Builder, typ ib.NodeType, guid, port ib.GUID, ports int) *fabric.Node {
	info := smp.NodeInfo{NodeType: typ, NodeGUID: guid, PortGUID: port, NumPorts: uint8(ports)}
	var data [mad.DataSize]byte
	info.Encode(&data)
	return b.AddNode(&data)
}

func setPort(b *fabric.Builder, p *fabric.Port, a adapter) {
	info := smp.PortInfo{LID: a.lid, LMC: a.lmc}
	var data [mad.DataSize]byte
	info.Encode(&data)
	b.SetPortInfo(p, &data)
	b.SetPortGUID(p, a.port)
}

func TestVerify(t *testing.T) {
	for name, tt := range map[string]struct {
		adapters []adapter
		want     []string
	}{
		"fine":            {[]adapter{{0x20, 0x21, 2, 0}, {0x30, 0x30, 4, 2}, {0x40, 0x41, 8, 0}}, nil},
		"no LID":          {[]adapter{{0x20, 0x21, 0, 0}}, []string{"LID 0 found for ca NodeGUID 0x20"}},
		"no GUID":         {[]adapter{{0, 0x21, 2, 0}}, []string{"ca GUID 0x0 found with LID 2"}},
		"LID of a switch": {[]adapter{{0x20, 0x21, 1, 0}}, []string{"LID 1 already defined for NodeGUID 0x10"}},
		"within a range":  {[]adapter{{0x20, 0x21, 4, 2}, {0x30, 0x31, 6, 0}}, []string{"LID 6 already defined for NodeGUID 0x20"}},
		"range over LIDs": {[]adapter{{0x20, 0x21, 5, 0}, {0x30, 0x31, 4, 2}}, []string{"LID 5 already defined for NodeGUID 0x20"}},
		"node GUID":       {[]adapter{{0x20, 0x21, 2, 0}, {0x20, 0x22, 3, 0}}, []string{"NodeGUID 0x20 already defined for LID 2"}},
		"port GUID":       {[]adapter{{0x20, 0x21, 2, 0}, {0x30, 0x21, 3, 0}}, []string{"PortGUID 0x21 already defined for LID 2"}},
		"port and node":   {[]adapter{{0x20, 0x21, 2, 0}, {0x30, 0x20, 3, 0}}, []string{"PortGUID 0x20 is an invalid duplicate of a NodeGUID"}},
		"all of a switch's": {[]adapter{{0x10, 0x10, 1, 0}}, []string{
			"LID 1 already defined for NodeGUID 0x10", "NodeGUID 0x10 already defined for LID 1", "PortGUID 0x10 already defined for LID 1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range identifiers.Verify(build(tt.adapters...).Nodes()) {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestUncabled: a port without a cable needs no LID.
func TestUncabled(t *testing.T) {
	b := fabric.NewBuilder()
	b.Port(addNode(b, ib.NodeCA, 0x20, 0x21, 1), 1)
	if got := identifiers.Verify(b.Build().Nodes()); got != nil {
		t.Errorf("found %v", got)
	}
}
