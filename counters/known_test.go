package counters_test

import (
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// TestKnownAgents: an agent that is known is not asked what it can do, and gives the
// same.
func TestKnownAgents(t *testing.T) {
	for _, speed := range []string{"qdr", "ndr"} {
		w := open(t, "fattree?levels=2&radix=8&speed="+speed, nil, nil)
		defer w.client.Close()
		known := map[ib.GUID]counters.Agent{}
		first := collect(t, w, nil)
		for i := range first.Samples {
			s := &first.Samples[i]
			known[s.Node.GUID()] = s.Agent
			if s.Wide != s.Agent.Wide() || s.Wide&^s.Has != 0 || s.Wide.Has(counters.SymbolErrors) != (speed == "ndr") {
				t.Errorf("%s: wide %x of %x", speed, s.Wide, s.Has)
			}
		}
		asked := first.Requests
		second := collect(t, w, &counters.Options{Beside: true, Agent: func(n *fabric.Node) counters.Agent { return known[n.GUID()] }})
		if second.Requests != asked-second.Nodes || second.Unread > 0 {
			t.Errorf("%s: %d requests after %d, %d nodes", speed, second.Requests, asked, second.Nodes)
		}
		for i := range second.Samples {
			if s := &second.Samples[i]; s.Has == 0 || s.Agent != known[s.Node.GUID()] {
				t.Errorf("%s: node %s port %d: %x of %+v", speed, s.Node.GUID(), s.Num, s.Has, s.Agent)
			}
		}
	}
}
