package congestion

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// places are an adapter's port and a switch.
func places(t testing.TB) (ca, sw sim.Place) {
	t.Helper()
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	for n := range f.Nodes() {
		if n.Type() == ib.NodeSwitch {
			sw = sim.Place{Node: n, Port: 1}
		} else {
			ca = sim.Place{Node: n, Port: 1}
		}
	}
	return ca, sw
}

// message is an attribute in a request.
type message interface {
	AttrID() mad.AttrID
	AppendBinary([]byte) ([]byte, error)
	UnmarshalBinary([]byte) error
}

// ask sends a request; the reply comes back in v.
func ask(t testing.TB, a *Agent, at sim.Place, method mad.Method, v message, modifier uint32, key uint64) (mad.Status, sim.Outcome) {
	t.Helper()
	var m mad.Packet
	m.Init(mad.ClassCC, method, v.AttrID(), modifier)
	m.SetClassKey(key)
	data, err := v.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(m.Data(), data)
	outcome := a.Answer(sim.Request{At: at}, &m)
	if m.Status() == mad.StatusOK && outcome == sim.Answered {
		if err := v.UnmarshalBinary(m.Data()); err != nil {
			t.Fatal(err)
		}
	}
	return m.Status(), outcome
}

func TestWhoHasWhat(t *testing.T) {
	ca, sw := places(t)
	a := New()
	ports := sw.Node.NumPorts()
	for _, tt := range []struct {
		v        message
		modifier uint32
		ca, sw   mad.Status
		caSet    mad.Status
	}{
		{&cc.ClassPortInfo{}, 0, mad.StatusOK, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.CongestionInfo{}, 0, mad.StatusOK, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.CongestionInfo{}, 1, mad.StatusInvalidValue, mad.StatusInvalidValue, mad.StatusInvalidValue},
		{&cc.CongestionLog{}, 0, mad.StatusOK, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.TimeStamp{}, 0, mad.StatusOK, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.CongestionKeyInfo{}, 0, mad.StatusOK, mad.StatusOK, mad.StatusOK},
		{&cc.SwitchCongestionSetting{}, 0, mad.StatusUnsupportedAttr, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.SwitchPortCongestionSetting{}, uint32(ports / 48), mad.StatusUnsupportedAttr, mad.StatusOK, mad.StatusUnsupportedAttr},
		{&cc.SwitchPortCongestionSetting{}, uint32(ports/48 + 1), mad.StatusUnsupportedAttr, mad.StatusInvalidValue, mad.StatusUnsupportedAttr},
		{&cc.CACongestionSetting{}, 0, mad.StatusOK, mad.StatusUnsupportedAttr, mad.StatusOK},
		{&cc.CongestionControlTable{}, 1, mad.StatusOK, mad.StatusUnsupportedAttr, mad.StatusOK},
		{&cc.CongestionControlTable{}, 2, mad.StatusInvalidValue, mad.StatusUnsupportedAttr, mad.StatusInvalidValue},
		{&cc.CongestionControlTable{Limit: 128}, 0, mad.StatusOK, mad.StatusUnsupportedAttr, mad.StatusInvalidValue},
	} {
		if got, _ := ask(t, a, ca, mad.MethodSet, tt.v, tt.modifier, 0); got != tt.caSet {
			t.Errorf("%T %d set at an adapter: %v, want %v", tt.v, tt.modifier, got, tt.caSet)
		}
		if got, _ := ask(t, a, ca, mad.MethodGet, tt.v, tt.modifier, 0); got != tt.ca {
			t.Errorf("%T %d of an adapter: %v, want %v", tt.v, tt.modifier, got, tt.ca)
		}
		if got, _ := ask(t, a, sw, mad.MethodGet, tt.v, tt.modifier, 0); got != tt.sw {
			t.Errorf("%T %d of a switch: %v, want %v", tt.v, tt.modifier, got, tt.sw)
		}
	}
}

// TestSettings: what the maps select is kept, the rest stays.
func TestSettings(t *testing.T) {
	ca, sw := places(t)
	a := New()
	first := cc.SwitchCongestionSetting{
		ControlMap: 0x1f, VictimMask: [32]byte{1}, CreditMask: [32]byte{2},
		Threshold: 3, PacketSize: 4, CSThreshold: 5, CSReturnDelay: 6, MarkingRate: 7,
	}
	ask(t, a, sw, mad.MethodSet, &first, 0, 0)
	ask(t, a, sw, mad.MethodSet, &cc.SwitchCongestionSetting{ControlMap: 1, MarkingRate: 9, Threshold: 9}, 0, 0)
	want := first
	want.ControlMap, want.MarkingRate = 1, 9
	var got cc.SwitchCongestionSetting
	ask(t, a, sw, mad.MethodGet, &got, 0, 0)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("switch (-want +got)\n%s", diff)
	}

	v := cc.CACongestionSetting{PortControl: 1, ControlMap: 1<<3 | 1<<15}
	for sl := range v.SLs {
		v.SLs[sl] = cc.CAEntry{Timer: 10, Increase: 11, TriggerThreshold: 12, Min: 13}
	}
	ask(t, a, ca, mad.MethodSet, &v, 0, 0)
	for sl, e := range v.SLs {
		if (e.Timer == 10) != (sl == 3 || sl == 15) {
			t.Errorf("service level %d: %+v", sl, e)
		}
	}

	table := cc.CongestionControlTable{Limit: 100}
	table.Entries[5] = cc.TableEntry{Shift: 2, Multiplier: 77}
	ask(t, a, ca, mad.MethodSet, &table, 1, 0)
	var low, high cc.CongestionControlTable
	ask(t, a, ca, mad.MethodGet, &low, 0, 0)
	ask(t, a, ca, mad.MethodGet, &high, 1, 0)
	if low.Limit != 100 || low.Entries[5] != (cc.TableEntry{}) || high != table {
		t.Errorf("%+v, %+v", low, high)
	}

	var block cc.SwitchPortCongestionSetting
	for i := range block.Ports {
		block.Ports[i].Valid = true
	}
	ask(t, a, sw, mad.MethodSet, &block, 0, 0)
	for i, p := range block.Ports {
		if p.Valid != (i <= sw.Node.NumPorts()) {
			t.Errorf("port %d: %+v", i, p)
		}
	}
}

// TestKey: a key is wanted for Set, is hidden with protection, and the lease
// ends that.
func TestKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca, _ := places(t)
		a := New()
		set := cc.CongestionKeyInfo{CCKey: 0x1234, Protect: true, LeasePeriod: 10}
		if status, _ := ask(t, a, ca, mad.MethodSet, &set, 0, 0); status != mad.StatusOK || set.CCKey != 0x1234 {
			t.Fatalf("%v, %+v", status, set)
		}
		if _, outcome := ask(t, a, ca, mad.MethodSet, &cc.CACongestionSetting{}, 0, 0x99); outcome != sim.Silent {
			t.Errorf("Set with a wrong key: outcome %d", outcome)
		}
		if status, _ := ask(t, a, ca, mad.MethodSet, &cc.CACongestionSetting{}, 0, 0x1234); status != mad.StatusOK {
			t.Errorf("Set with the key: %v", status)
		}
		var info cc.CongestionKeyInfo
		ask(t, a, ca, mad.MethodGet, &info, 0, 0)
		if info != (cc.CongestionKeyInfo{Protect: true, LeasePeriod: 10, Violations: 1}) {
			t.Errorf("%+v", info)
		}
		ask(t, a, ca, mad.MethodSet, &cc.CACongestionSetting{}, 0, 0x99)
		time.Sleep(10 * time.Second)
		ask(t, a, ca, mad.MethodGet, &info, 0, 0)
		if info != (cc.CongestionKeyInfo{CCKey: 0x1234, LeasePeriod: 10, Violations: 2}) {
			t.Errorf("after the lease: %+v", info)
		}
	})
}

// TestLog: the newest events come first, with their times.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca, sw := places(t)
		a := New()
		time.Sleep(1024 * time.Microsecond)
		for i := range 20 {
			a.Marked(sw, cc.SwitchLogEntry{SLID: 1, DLID: 2, SL: uint8(i % 16)})
			a.Notified(ca, cc.CALogEntry{LocalQP: 0x1000 + uint32(i), SL: 2})
			time.Sleep(1024 * time.Microsecond)
		}
		a.Marked(ca, cc.SwitchLogEntry{}) // not there
		a.Notified(sw, cc.CALogEntry{})
		var s cc.CongestionLogSwitch
		var c cc.CongestionLogCA
		ask(t, a, sw, mad.MethodGet, &s, 0, 0)
		ask(t, a, ca, mad.MethodGet, &c, 0, 0)
		if s.LogType != cc.LogSwitch || s.EventCounter != 20 || s.CurrentTimeStamp != 21_000 || s.PortMap[31] != 2 ||
			s.Entries[0] != (cc.SwitchLogEntry{SLID: 1, DLID: 2, SL: 3, TimeStamp: 20_000}) || s.Entries[14].TimeStamp != 6000 {
			t.Errorf("%+v", s)
		}
		if c.LogType != cc.LogCA || c.ThresholdEventCounter != 20 || c.ThresholdEventMap != 4 || c.CurrentTimeStamp != 21_000 ||
			c.Entries[0] != (cc.CALogEntry{LocalQP: 0x1013, SL: 2, TimeStamp: 20_000}) {
			t.Errorf("%+v", c)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for _, v := range cc.Attributes() {
		var m mad.Packet
		for _, method := range []mad.Method{mad.MethodGet, mad.MethodSet} {
			m.Init(mad.ClassCC, method, v.ID, 0)
			f.Add(m[:], true)
			f.Add(m[:], false)
		}
	}
	ca, sw := places(f)
	f.Fuzz(func(t *testing.T, packet []byte, atSwitch bool) {
		a, at := New(), ca
		if atSwitch {
			at = sw
		}
		var m mad.Packet
		copy(m[:], packet)
		m.SetClass(mad.ClassCC)
		request := m
		if a.Answer(sim.Request{At: at}, &m) != sim.Answered && m != request {
			t.Errorf("no answer, but the packet has changed")
		}
		if [4]byte(m[:]) != [4]byte(request[:]) || m.TID() != request.TID() || m.Modifier() != request.Modifier() {
			t.Errorf("the header has changed: % x, % x", request[:24], m[:24])
		}
		if m.Status() == mad.StatusOK && m.Method() == mad.MethodSet {
			// The same Set once more gives the same.
			again := m
			if a.Answer(sim.Request{At: at}, &again) == sim.Answered && again.Data()[0] != m.Data()[0] {
				t.Errorf("% x, again % x", m.Data(), again.Data())
			}
		}
	})
}
