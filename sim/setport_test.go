package sim_test

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// state is where a port is.
type state struct {
	State ib.PortState
	Phys  ib.PhysState
}

func (m *manager) stateOf(at string, num int) state {
	m.t.Helper()
	var v smp.PortInfo
	m.get(m.named(at), uint32(num), &v)
	return state{v.State, v.PhysState}
}

// try sets PortInfo as change says, and gives the status.
func (m *manager) try(at string, num int, change func(*smp.PortInfo)) (smp.PortInfo, mad.Status) {
	m.t.Helper()
	var v smp.PortInfo
	n := m.named(at)
	m.get(n, uint32(num), &v)
	v.State, v.PhysState = 0, 0
	change(&v)
	s := m.do(mad.MethodSet, n, uint32(num), &v)
	return v, s
}

var (
	down  = state{ib.PortDown, ib.PhysPolling}
	initS = state{ib.PortInitialize, ib.PhysLinkUp}
	armed = state{ib.PortArmed, ib.PhysLinkUp}
	live  = state{ib.PortActive, ib.PhysLinkUp}
)

// The link between switches 1 (port 3) and 2 (port 2), step by step.
func TestTransitions(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	for i, c := range []struct {
		at     string
		state  ib.PortState
		phys   ib.PhysState
		bad    bool
		a, b   state // switch 1 port 3 and switch 2 port 2, after it
		reason string
	}{
		{"s1", 0, 0, false, initS, initS, "nothing"},
		{"s1", ib.PortActive, 0, true, initS, initS, "over Armed"},
		{"s1", ib.PortInitialize, 0, true, initS, initS, "Initialize cannot be set"},
		{"s1", 5, 0, true, initS, initS, "no such state"},
		{"s1", ib.PortArmed, ib.PhysPolling, true, initS, initS, "up and down at once"},
		{"s1", 0, ib.PhysTraining, true, initS, initS, "physical states above Disabled cannot be set"},
		{"s1", ib.PortArmed, 0, false, armed, initS, ""},
		{"s1", ib.PortArmed, 0, false, armed, initS, "again"},
		{"s1", ib.PortActive, 0, true, armed, initS, "the neighbour is not Armed"},
		{"s2", ib.PortArmed, 0, false, armed, armed, ""},
		{"s1", ib.PortActive, 0, false, live, armed, ""},
		{"s1", ib.PortArmed, 0, true, live, armed, "back"},
		{"s2", ib.PortActive, 0, false, live, live, ""},
		{"s2", ib.PortActive, 0, false, live, live, "again"},
		{"s1", ib.PortDown, 0, false, initS, initS, "down, and up again by itself"},
		{"s1", ib.PortDown, ib.PhysDisabled, false, state{ib.PortDown, ib.PhysDisabled}, down, "disabled"},
		{"s1", ib.PortArmed, 0, true, state{ib.PortDown, ib.PhysDisabled}, down, "down is not Initialize"},
		{"s1", ib.PortDown, 0, false, initS, initS, "by LinkDownDefault"},
		{"s1", 0, ib.PhysSleep, false, state{ib.PortDown, ib.PhysSleep}, down, "asleep"},
		{"s1", 0, ib.PhysPolling, false, initS, initS, "awake"},
	} {
		_, status := m.try(c.at, map[string]int{"s1": 3, "s2": 2}[c.at], func(v *smp.PortInfo) {
			v.State, v.PhysState = c.state, c.phys
		})
		if c.bad != (status == mad.StatusInvalidValue) || !c.bad && status != 0 {
			t.Errorf("step %d (%s): %v", i, c.reason, status)
		}
		if got := m.stateOf("s1", 3); got != c.a {
			t.Errorf("step %d (%s): the port is %v, want %v", i, c.reason, got, c.a)
		}
		if c.b == down || c.a.Phys != ib.PhysLinkUp {
			continue // switch 2 is out of reach
		}
		if got := m.stateOf("s2", 2); got != c.b {
			t.Errorf("step %d (%s): the neighbour is %v, want %v", i, c.reason, got, c.b)
		}
	}
}

// The reply to a Set that cuts its own way back is lost.
func TestSetCutsOff(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	var v smp.PortInfo
	m := get(portInfo, 1, 1) // the port that the request comes in by
	r := askOne(t, p, m, directed)
	v.Decode(r.SMPData())
	v.State, v.PhysState = ib.PortDown, ib.PhysDisabled
	m.SetMethod(mad.MethodSet)
	v.Encode(m.SMPData())
	if r := ask(t, p, m, directed); len(r) != 0 {
		t.Error("answered over a link that is down")
	}
	var own smp.PortInfo
	r = askOne(t, p, get(portInfo, 1), directed)
	if own.Decode(r.SMPData()); own.State != ib.PortDown || own.PhysState != ib.PhysPolling {
		t.Errorf("the own end is %s/%s", own.State, own.PhysState)
	}
}

// What both ends have enabled decides what the link runs at, from the next
// training on.
func TestTraining(t *testing.T) {
	f := line(t) // 4xHDR
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	rate := func(at string, num int) [4]int {
		var v smp.PortInfo
		m.get(m.named(at), uint32(num), &v)
		return [4]int{int(v.LinkWidthActive), int(v.LinkSpeedActive), int(v.LinkSpeedExtActive), int(v.State)}
	}
	up := [4]int{2, 4, 4, 2}
	if got := rate("s1", 3); got != up {
		t.Fatalf("after power-on %v, want %v", got, up)
	}
	set := func(at string, num int, change func(*smp.PortInfo)) smp.PortInfo {
		t.Helper()
		v, status := m.try(at, num, change)
		if status != 0 {
			t.Fatal(status)
		}
		return v
	}
	set("s1", 3, func(v *smp.PortInfo) { v.LinkSpeedExtEnabled = 1 | 2 })
	set("s2", 2, func(v *smp.PortInfo) { v.LinkWidthEnabled = ib.Width1x })
	if got := rate("s1", 3); got != up {
		t.Errorf("before the training %v, want %v", got, up)
	}
	set("s1", 3, func(v *smp.PortInfo) { v.PhysState = ib.PhysPolling })
	want := [4]int{1, 4, 2, 2}
	if a, b := rate("s1", 3), rate("s2", 2); a != want || b != want {
		t.Errorf("after the training %v and %v, want %v", a, b, want)
	}
	set("s1", 3, func(v *smp.PortInfo) {
		v.LinkSpeedExtEnabled, v.LinkSpeedEnabled, v.PhysState = 30, 1, ib.PhysPolling
	})
	if a, want := rate("s2", 2), [4]int{1, 1, 0, 2}; a != want {
		t.Errorf("without extended speeds %v, want %v", a, want)
	}
	v := set("s1", 3, func(v *smp.PortInfo) {
		v.LinkSpeedExtEnabled, v.LinkSpeedEnabled, v.LinkWidthEnabled = 31, 15, 255
	})
	if v.LinkSpeedExtEnabled != v.LinkSpeedExtSupported || v.LinkSpeedEnabled != 7 || v.LinkWidthEnabled != v.LinkWidthSupported {
		t.Errorf("all that is supported: %+v", v)
	}
	// Nothing in common: the link stays down.
	set("s1", 3, func(v *smp.PortInfo) { v.LinkWidthEnabled, v.PhysState = ib.Width4x, ib.PhysPolling })
	if a := m.stateOf("s1", 3); a != down {
		t.Errorf("without a common width the port is %v", a)
	}
}

// Values that PortInfo may not have change nothing.
func TestBadPortInfo(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	for name, c := range map[string]struct {
		at     string
		num    int
		change func(*smp.PortInfo)
		want   mad.Status
	}{
		"a LID":                     {"h1", 1, func(v *smp.PortInfo) { v.LID = 9 }, 0},
		"multicast LID":             {"h1", 1, func(v *smp.PortInfo) { v.LID = 0xc000 }, mad.StatusInvalidValue},
		"permissive LID":            {"h1", 1, func(v *smp.PortInfo) { v.LID = 0xffff }, mad.StatusInvalidValue},
		"multicast SM LID":          {"h1", 1, func(v *smp.PortInfo) { v.SMLID = 0xc001 }, mad.StatusInvalidValue},
		"LMC and LID":               {"h1", 1, func(v *smp.PortInfo) { v.LID, v.LMC = 8, 3 }, 0},
		"LMC, LID not a multiple":   {"h1", 1, func(v *smp.PortInfo) { v.LID, v.LMC = 9, 3 }, mad.StatusInvalidValue},
		"LMC beyond the last":       {"h1", 1, func(v *smp.PortInfo) { v.LID, v.LMC = 0xbf80, 7 }, 0},
		"LMC of an enhanced port 0": {"s1", 0, func(v *smp.PortInfo) { v.LID, v.LMC = 8, 1 }, 0},
		"MTU":                       {"s1", 3, func(v *smp.PortInfo) { v.NeighborMTU = ib.MTU1024 }, 0},
		"MTU beyond":                {"s1", 3, func(v *smp.PortInfo) { v.NeighborMTU = v.MTUCap + 1 }, mad.StatusInvalidValue},
		"no MTU":                    {"s1", 3, func(v *smp.PortInfo) { v.NeighborMTU = 0 }, mad.StatusInvalidValue},
		"VLs":                       {"s1", 3, func(v *smp.PortInfo) { v.OperationalVLs = 1 }, 0},
		"VLs beyond":                {"s1", 3, func(v *smp.PortInfo) { v.OperationalVLs = v.VLCap + 1 }, mad.StatusInvalidValue},
		"sleep by default":          {"s1", 3, func(v *smp.PortInfo) { v.LinkDownDefault = ib.PhysSleep }, 0},
		"disabled by default":       {"s1", 3, func(v *smp.PortInfo) { v.LinkDownDefault = ib.PhysDisabled }, mad.StatusInvalidValue},
		"width not supported":       {"s1", 3, func(v *smp.PortInfo) { v.LinkWidthEnabled = ib.Width12x }, mad.StatusInvalidValue},
		"speed not supported":       {"s1", 3, func(v *smp.PortInfo) { v.LinkSpeedExtEnabled = 8 }, mad.StatusInvalidValue},
		"reserved speed":            {"s1", 3, func(v *smp.PortInfo) { v.LinkSpeedEnabled = 8 }, mad.StatusInvalidValue},
	} {
		n := m.named(c.at)
		var before, after smp.PortInfo
		m.get(n, uint32(c.num), &before)
		_, status := m.try(c.at, c.num, c.change)
		m.get(n, uint32(c.num), &after)
		if status != c.want {
			t.Errorf("%s: %v, want %v", name, status, c.want)
		}
		if changed := before != after; changed != (c.want == 0) {
			t.Errorf("%s: changed is %v", name, changed)
		}
		m.try(c.at, c.num, func(v *smp.PortInfo) { // back, but for a LID, which cannot be taken
			state, phys := v.State, v.PhysState
			lid := v.LID
			*v = before
			v.State, v.PhysState = state, phys
			if v.LID == 0 {
				v.LID = lid
			}
		})
	}
}

// Everything else that can be set is read back, and nothing that cannot.
func TestSetAndGet(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	block := func(fill byte) (b [mad.DataSize]byte) {
		for i := range b {
			b[i] = fill
		}
		return b
	}
	for name, c := range map[string]struct {
		path []int
		attr mad.AttrID
		mod  uint32
		want mad.Status
		size int // bytes that are stored
	}{
		"P_Keys":               {nil, 0x16, 0, 0, 64},
		"P_Keys of a switch":   {[]int{1}, 0x16, 2 << 16, 0, 64},
		"P_Keys beyond":        {nil, 0x16, 99, mad.StatusInvalidValue, 0},
		"aliases":              {nil, guidInfo, 1, 0, 64},
		"SLtoVL":               {[]int{1}, 0x17, 1<<8 | 3, 0, 8},
		"SLtoVL beyond":        {[]int{1}, 0x17, 1<<8 | 9, mad.StatusInvalidValue, 0},
		"VLArb":                {[]int{1}, 0x18, 1<<16 | 3, 0, 16},
		"VLArb block 0":        {[]int{1}, 0x18, 3, mad.StatusInvalidValue, 0},
		"LFT":                  {[]int{1}, linearFDB, 5, 0, 64},
		"LFT last":             {[]int{1}, linearFDB, 767, 0, 64},
		"LFT beyond":           {[]int{1}, linearFDB, 768, mad.StatusInvalidValue, 0},
		"LFT of a host":        {nil, linearFDB, 0, mad.StatusUnsupportedAttr, 0},
		"MFT":                  {[]int{1}, 0x1b, 3, 0, 64},
		"NodeInfo":             {nil, nodeInfo, 0, mad.StatusUnsupportedAttr, 0},
		"NodeDescription":      {nil, nodeDescription, 0, mad.StatusUnsupportedAttr, 0},
		"VendorDiag":           {nil, 0x30, 0, mad.StatusUnsupportedAttr, 0},
		"an unknown attribute": {nil, 0x99, 0, mad.StatusUnsupportedAttr, 0},
		"SwitchInfo of a host": {nil, switchInfo, 0, mad.StatusUnsupportedAttr, 0},
	} {
		q := get(c.attr, c.mod, c.path...)
		q.SetMethod(mad.MethodSet)
		*q.SMPData() = block(0x11)
		r := askOne(t, p, q, directed)
		if r.Status() != c.want || r.Method() != mad.MethodGetResp {
			t.Errorf("%s: %v, want %v", name, r.Status(), c.want)
			continue
		}
		if c.want != 0 {
			continue
		}
		want := block(0x11)
		clear(want[c.size:])
		back := askOne(t, p, get(c.attr, c.mod, c.path...), directed)
		if *back.SMPData() != want || *r.SMPData() != want {
			t.Errorf("%s: replied % x, reads % x", name, r.SMPData()[:20], back.SMPData()[:20])
		}
	}
	sw := switchNode(t, f, "1")
	for name, c := range map[string]struct {
		change func(*smp.SwitchInfo)
		want   mad.Status
	}{
		"top":               {func(v *smp.SwitchInfo) { v.LinearFDBTop = 77 }, 0},
		"top beyond":        {func(v *smp.SwitchInfo) { v.LinearFDBTop = v.LinearFDBCap }, mad.StatusInvalidValue},
		"default port":      {func(v *smp.SwitchInfo) { v.DefaultPort = 3 }, 0},
		"port beyond":       {func(v *smp.SwitchInfo) { v.DefaultPort = 4 }, mad.StatusInvalidValue},
		"multicast top":     {func(v *smp.SwitchInfo) { v.MulticastFDBTop = 0xc010 }, 0},
		"bad multicast top": {func(v *smp.SwitchInfo) { v.MulticastFDBTop = 0x10 }, mad.StatusInvalidValue},
	} {
		var v smp.SwitchInfo
		m.get(sw, 0, &v)
		c.change(&v)
		want := v
		want.PortStateChange = false // the 1 that was read clears it
		if status := m.do(mad.MethodSet, sw, 0, &v); status != c.want {
			t.Errorf("SwitchInfo, %s: %v, want %v", name, status, c.want)
		} else if c.want == 0 && v != want {
			t.Errorf("SwitchInfo, %s: %+v, want %+v", name, v, want)
		}
	}
}

// ClientReregister is in the reply, and gone in the next Get.
func TestClientReregister(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	v, status := m.try("h1", 1, func(v *smp.PortInfo) { v.LID, v.ClientReregister = 5, true })
	if status != 0 || !v.ClientReregister {
		t.Errorf("reply %v: %v", v.ClientReregister, status)
	}
	if m.get(m.named("h1"), 1, &v); v.ClientReregister {
		t.Error("ClientReregister stays")
	}
}
