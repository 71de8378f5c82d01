package sim_test

import (
	"bytes"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

func TestDirectedRoute(t *testing.T) {
	f := line(t)
	p := open(t, f, nil)
	for _, c := range []struct {
		path    []int
		want    *fabric.Node
		arrival uint8
		back    []byte // ReturnPath from entry 1
	}{
		{nil, host(t, f, "1"), 1, nil},
		{[]int{1}, switchNode(t, f, "1"), 1, []byte{1}},
		{[]int{1, 3}, switchNode(t, f, "2"), 2, []byte{1, 2}},
		{[]int{1, 3, 3, 1}, host(t, f, "3"), 1, []byte{1, 2, 2, 1}},
		{[]int{1, 1}, host(t, f, "1"), 1, []byte{1, 1}},
		{[]int{1, 3, 2, 1}, host(t, f, "1"), 1, []byte{1, 2, 3, 1}},
		{[]int{1, 0}, switchNode(t, f, "1"), 0, []byte{1, 0}}, // port 0 is the switch itself
	} {
		r := askOne(t, p, get(nodeInfo, 0, c.path...), directed)
		info := decodeNodeInfo(&r)
		if info.NodeGUID != c.want.GUID() || info.LocalPort != c.arrival || info.PortGUID != c.want.GUID() {
			t.Errorf("%v: %+v, want node %s port %d", c.path, info, c.want.GUID(), c.arrival)
		}
		if r.Method() != mad.MethodGetResp || r.Status() != 0 || !r.IsReturning() || r.HopPointer() != 0 ||
			int(r.HopCount()) != len(c.path) || r.TID() != 0x1122334455667788 {
			t.Errorf("%v: header % x", c.path, r[:32])
		}
		var back [64]byte
		copy(back[1:], c.back)
		if *r.ReturnPath() != back {
			t.Errorf("%v: return path %v, want %v", c.path, r.ReturnPath()[:8], back[:8])
		}
	}
}

func TestDirectedRouteDropped(t *testing.T) {
	p := open(t, line(t), nil)
	long := get(nodeInfo, 0, 1)
	long[7] = 64
	returning := get(nodeInfo, 0, 1)
	returning.SetReturning(true)
	response := get(nodeInfo, 0, 1)
	response.SetMethod(mad.MethodGetResp)
	trap := get(0x02, 0, 1)
	trap.SetMethod(mad.MethodTrap)
	gmp := get(0x12, 0)
	gmp.SetClass(mad.ClassPerf)
	for name, m := range map[string]*mad.Packet{
		"through an adapter":          get(nodeInfo, 0, 1, 1, 1),
		"port beyond the last":        get(nodeInfo, 0, 1, 4),
		"port without a cable":        get(nodeInfo, 0, 1, 2),
		"other port of the adapter":   get(nodeInfo, 0, 2),
		"port 0 of the adapter":       get(nodeInfo, 0, 0),
		"64 hops":                     long,
		"direction back":              returning,
		"a response":                  response,
		"a trap":                      trap,
		"a class without agent":       gmp,
		"SMInfo without manager":      get(0x20, 0, 1),
		"loop of the longest, broken": get(nodeInfo, 0, append(bytesToInts(bytes.Repeat([]byte{1, 3, 2}, 20)), 9)...),
	} {
		if r := ask(t, p, m, directed); len(r) != 0 {
			t.Errorf("%s: answered % x", name, r[0][:32])
		}
	}
}

func bytesToInts(b []byte) []int {
	var v []int
	for _, x := range b {
		v = append(v, int(x))
	}
	return v
}

func TestLongestRoute(t *testing.T) {
	p := open(t, line(t), nil)
	path := []int{1}
	for len(path) < ib.MaxHops {
		path = append(path, 3, 2)
	}
	r := askOne(t, p, get(nodeInfo, 0, path...), directed)
	if got := decodeNodeInfo(&r); got.LocalPort != 3 || r.ReturnPath()[63] != 3 {
		t.Errorf("arrived by port %d, return path ends with %d", got.LocalPort, r.ReturnPath()[63])
	}
}

// A hop pointer that does not start at 0 is treated by the rules of each node.
func TestHopPointer(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	ca := must[*sim.Port](t)(s.Attach(nil))
	sw := must[*sim.Port](t)(s.Attach(switchNode(t, f, "1").Port(0)))
	for _, c := range []struct {
		name    string
		from    *sim.Port
		pointer uint8
		path    []int
		want    *fabric.Node
	}{
		{"adapter in the middle", ca, 1, []int{1, 3, 3}, nil},
		{"adapter at the end", ca, 2, []int{1, 3}, host(t, f, "1")},
		{"adapter behind the end", ca, 3, []int{1, 3}, host(t, f, "1")},
		{"beyond", ca, 4, []int{1, 3}, nil},
		{"zero hops, behind the end", ca, 1, nil, host(t, f, "1")},
		{"zero hops, beyond", ca, 2, nil, nil},
		{"switch, first hop", sw, 0, []int{3, 3}, switchNode(t, f, "3")},
		{"switch in the middle", sw, 1, []int{9, 3}, switchNode(t, f, "2")},
	} {
		m := get(nodeInfo, 0, c.path...)
		m.SetHopPointer(c.pointer)
		r := ask(t, c.from, m, directed)
		switch {
		case c.want == nil && len(r) != 0:
			t.Errorf("%s: answered", c.name)
		case c.want != nil && (len(r) != 1 || decodeNodeInfo(&r[0]).NodeGUID != c.want.GUID()):
			t.Errorf("%s: %d replies, or of another node", c.name, len(r))
		}
	}
}

func TestLIDRoute(t *testing.T) {
	f := line(t)
	p := open(t, f, nil)
	for n := range f.Nodes() {
		lid := n.Port(lidPort(n)).LID()
		r := askOne(t, p, getLID(nodeInfo, 0), mad.Addr{LID: lid})
		if decodeNodeInfo(&r).NodeGUID != n.GUID() || r.Status() != 0 || r.Class() != mad.ClassSubnLID {
			t.Errorf("LID %d: wrong node or header % x", lid, r[:32])
		}
	}
	for _, lid := range []ib.LID{0, 7, 0xbfff, 0xc000, 0xfffe} {
		if r := ask(t, p, getLID(nodeInfo, 0), mad.Addr{LID: lid}); len(r) != 0 {
			t.Errorf("LID %d: answered", lid)
		}
	}
	r := askOne(t, p, getLID(nodeInfo, 0), directed)
	if decodeNodeInfo(&r).NodeGUID != switchNode(t, f, "1").GUID() {
		t.Error("the permissive LID is not the neighbour")
	}
}

func lidPort(n *fabric.Node) int {
	if n.Type() == ib.NodeSwitch {
		return 0
	}
	return 1
}

func TestCombinedRoute(t *testing.T) {
	f := line(t)
	p := open(t, f, nil)
	own := host(t, f, "1").Port(1).LID()
	sw2 := switchNode(t, f, "2").Port(0).LID()
	node3 := host(t, f, "3").Port(1).LID()
	route := func(slid, dlid ib.LID, ports ...int) *mad.Packet {
		m := get(nodeInfo, 0, ports...)
		path, _ := ib.NewDRPath(ports...)
		m.SetRoute(path, slid, dlid)
		return m
	}
	for _, c := range []struct {
		name string
		m    *mad.Packet
		to   ib.LID
		want *fabric.Node
	}{
		{"LID then directed", route(own, 0, 3, 1), sw2, host(t, f, "3")},
		{"LID then no hops", route(own, 0), sw2, switchNode(t, f, "2")},
		{"directed then LID", route(0, node3, 1), ib.PermissiveLID, host(t, f, "3")},
		{"LID, directed, LID", route(own, own, 3), sw2, host(t, f, "1")},
		{"reply to another's LID", route(node3, 0, 3, 1), sw2, nil},
		{"reply to nobody's LID", route(99, 0, 3, 1), sw2, nil},
		{"directed from an adapter", route(own, 0, 1), node3, nil},
		{"LID from an adapter", route(0, sw2, 1, 1), ib.PermissiveLID, nil},
		{"LID part to nobody", route(own, 0, 1), 99, nil},
	} {
		r := ask(t, p, c.m, mad.Addr{LID: c.to})
		switch {
		case c.want == nil && len(r) != 0:
			t.Errorf("%s: answered", c.name)
		case c.want != nil && (len(r) != 1 || decodeNodeInfo(&r[0]).NodeGUID != c.want.GUID() || r[0].HopPointer() != 0):
			t.Errorf("%s: %d replies, or of another node", c.name, len(r))
		}
	}
}

// With forwarding tables packets go where the tables send them.
func TestForwardingTables(t *testing.T) {
	b := fabric.NewBuilder()
	nodes := map[string]*fabric.Node{}
	for i, name := range []string{"h1", "s1", "s2", "h2"} {
		typ, ports := ib.NodeSwitch, uint8(3)
		if name[0] == 'h' {
			typ, ports = ib.NodeCA, 1
		}
		info := smp.NodeInfo{
			BaseVersion: 1, ClassVersion: 1, NodeType: typ, NumPorts: ports,
			NodeGUID: ib.GUID(i + 1), PortGUID: ib.GUID(i + 1),
		}
		var raw [mad.DataSize]byte
		info.Encode(&raw)
		n := b.AddNode(&raw)
		nodes[name] = n
		var pi [mad.DataSize]byte
		(&smp.PortInfo{LID: ib.LID(i + 1)}).Encode(&pi)
		b.SetPortInfo(b.Port(n, lidPort(n)), &pi)
	}
	b.Link(b.Port(nodes["h1"], 1), b.Port(nodes["s1"], 1))
	b.Link(b.Port(nodes["s1"], 2), b.Port(nodes["s2"], 2))
	b.Link(b.Port(nodes["s2"], 1), b.Port(nodes["h2"], 1))
	b.SetLFT(nodes["s1"], []uint8{255, 1, 0, 2, 2, 2})
	b.SetLFT(nodes["s2"], []uint8{255, 2, 2, 0, 255, 2})
	p := open(t, b.Build(), nil)

	for lid, guid := range map[ib.LID]ib.GUID{1: 1, 2: 2, 3: 3, 4: 0, 5: 0, 6: 0} { // 4 has no entry, 5 runs in circles
		r := ask(t, p, getLID(nodeInfo, 0), mad.Addr{LID: lid})
		if guid == 0 && len(r) != 0 || guid != 0 && (len(r) != 1 || decodeNodeInfo(&r[0]).NodeGUID != guid) {
			t.Errorf("LID %d: %d replies, want of node %d", lid, len(r), guid)
		}
	}
	r := askOne(t, p, get(linearFDB, 0, 1), directed)
	if want := append([]byte{255, 1, 0, 2, 2, 2}, bytes.Repeat([]byte{255}, 58)...); !bytes.Equal(r.SMPData()[:], want) {
		t.Errorf("LinearForwardingTable % x", r.SMPData()[:8])
	}
}

// The made-up tables lead every LID to its port, from every switch.
func TestMadeUpTables(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8}))
	p := open(t, f, nil)
	tables := map[ib.GUID][]byte{}
	for n := range f.Switches() {
		path, _ := n.Path()
		for block := range uint32(4) {
			m := get(linearFDB, block)
			m.SetRoute(path, 0, 0)
			r := askOne(t, p, m, directed)
			tables[n.GUID()] = append(tables[n.GUID()], r.SMPData()[:]...)
		}
	}
	for start := range f.Switches() {
		for dest := range f.Nodes() {
			lid, at, hops := dest.Port(lidPort(dest)).LID(), start, 0
			for at != dest && hops < 6 {
				out := at.Port(int(tables[at.GUID()][lid]))
				if out == nil || out.Remote() == nil {
					t.Fatalf("from %s to LID %d: no way at %s", start.Description(), lid, at.Description())
				}
				at, hops = out.Remote().Node(), hops+1
				if at.Type() != ib.NodeSwitch {
					break
				}
			}
			if at != dest || hops > 5 {
				t.Fatalf("from %s to LID %d: ended at %s after %d hops", start.Description(), lid, at.Description(), hops)
			}
		}
	}
	r := askOne(t, p, get(linearFDB, 0, 1), directed)
	if r.SMPData()[0] != 255 {
		t.Error("LID 0 has a way")
	}
}

func TestAttach(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	for _, c := range []struct {
		name string
		num  int
		want *fabric.Node
		port int
	}{
		{"", 0, host(t, f, "1"), 1},
		{"node0002 mlx5_0", 0, host(t, f, "2"), 1},
		{"node0002 mlx5_0", 1, host(t, f, "2"), 1},
		{switchNode(t, f, "2").GUID().String(), 3, switchNode(t, f, "2"), 0},
	} {
		p, err := s.AttachAt(c.name, c.num)
		if err != nil || p.Node() != c.want || p.Num() != c.port {
			t.Errorf("%q %d: %v", c.name, c.num, err)
			continue
		}
		r := askOne(t, p, get(nodeInfo, 0), directed)
		if info := decodeNodeInfo(&r); info.NodeGUID != c.want.GUID() || int(info.LocalPort) != c.port {
			t.Errorf("%q %d: answered %+v", c.name, c.num, info)
		}
	}
	for name, num := range map[string]int{"nobody": 1, "node0001 mlx5_0": 2, "node0003 mlx5_0": -1} {
		if _, err := s.AttachAt(name, num); err == nil {
			t.Errorf("%q %d: attached", name, num)
		}
	}
	empty := must[*sim.Fabric](t)(sim.New(fabric.NewBuilder().Build(), nil))
	if _, err := empty.Attach(nil); err == nil {
		t.Error("attached to nothing")
	}
}
