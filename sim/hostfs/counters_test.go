package hostfs

import (
	"strconv"
	"testing"

	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/perf"
)

// TestCounters: the files show the counters of the port's agent, as wide as the
// kernel shows them.
func TestCounters(t *testing.T) {
	h := newHost(t, "star?hosts=2", "node0001")
	p := h.adapters[0].ports[0]
	dir := Class + "/mlx5_0/ports/1"
	if h.Tree().Find(Class, "mlx5_0", "ports", "1", "counters") != nil {
		t.Error("a fabric without performance management has counters")
	}
	s := p.at.Fabric()
	c := perf.New(s.Model())
	if err := c.Use(s); err != nil {
		t.Fatal(err)
	}
	at := sim.Place{Node: p.at.Node(), Port: 1}
	names := map[string]string{
		"symbol_error": "PortCounters.SymbolErrorCounter", "VL15_dropped": "PortCounters.VL15Dropped",
		"local_link_integrity_errors": "PortCounters.LocalLinkIntegrityErrors", "port_xmit_wait": "PortCounters.PortXmitWait",
		"port_rcv_data": "PortCountersExtended.PortRcvData", "multicast_rcv_packets": "PortCountersExtended.PortMulticastRcvPkts",
	}
	for _, name := range names {
		if err := c.Set(at, name, 1<<40+9); err != nil {
			t.Fatal(err)
		}
	}
	tree := h.Tree()
	if got := len(tree.Find(Class, "mlx5_0", "ports", "1", "counters").Names()); got != 21 {
		t.Errorf("%d files", got)
	}
	for file, name := range names {
		want, err := c.Get(at, name)
		if got := read(t, tree, dir+"/counters/"+file); got != strconv.FormatUint(want, 10) || err != nil || want == 0 {
			t.Errorf("%s: %s, want %d, %v", file, got, want, err)
		}
	}
	if got := read(t, tree, dir+"/counters/port_xmit_discards"); got != "0" {
		t.Errorf("port_xmit_discards: %s", got)
	}
}
