package vendordata_test

import (
	"errors"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/vendordata"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
)

func TestDevice(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Use(s, nil); err != nil {
		t.Fatal(err)
	}
	p, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := madrpc.New(p, nil)
	defer c.Close()
	var to mad.Target
	for n := range f.Nodes() {
		if n.Type() == ib.NodeSwitch {
			to = mad.ByLID(n.Port(0).LID())
		}
	}
	ctx := t.Context()
	if err := vendordata.Supported(ctx, c, to); err != nil {
		t.Error(err)
	}
	if d, err := vendordata.Device(ctx, c, to); err != nil || d.DeviceID != 0xd2f0 || d.Firmware.Minor != 2012 {
		t.Errorf("%+v, %v", d, err)
	}
	// More words than a request has, among them the counters of all ports.
	var words []mlnx.ConfigRecord
	for n := range mlnx.XmitWaitPorts {
		words = append(words, mlnx.ConfigRecord{Address: mlnx.XmitWaitAddress(n), Data: uint32(mlnx.XmitWaitPort(n)) * 3, Mask: 0xff})
	}
	if err := vendordata.WriteConfig(ctx, c, to, words); err != nil {
		t.Fatal(err)
	}
	counters, err := vendordata.XmitWait(ctx, c, to)
	for port := range counters {
		if err != nil || counters[port] != uint32(port)*3 {
			t.Errorf("port %d has %d, %v", port, counters[port], err)
		}
	}
	if _, err := vendordata.CounterGroups(ctx, c, to, 1); !errors.Is(err, mad.StatusUnsupportedAttr) {
		t.Errorf("groups of a switch without: %v", err)
	}
}
