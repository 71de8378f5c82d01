package vendors

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/mad/vendors/openib"
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

func ask(a sim.Agent, at sim.Place, class mad.Class, method mad.Method, attr mad.AttrID, modifier uint32, data []byte) (*mad.Packet, sim.Outcome) {
	var m mad.Packet
	m.Init(class, method, attr, modifier)
	m.SetOUI(openib.OUI)
	copy(m.Data(), data)
	return &m, a.Answer(sim.Request{At: at}, &m)
}

func TestGeneralInfo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ca, sw := places(t)
		a := NewMLNX()
		time.Sleep(100 * time.Second)
		for _, at := range []sim.Place{ca, sw} {
			m, _ := ask(a, at, ClassMLNX, mad.MethodGet, mlnx.AttrGeneralInfo, 0, nil)
			id := at.Node.Info().DeviceID
			var v mlnx.GeneralInfo
			var x mlnx.GeneralInfoExtended
			v.Decode((*[232]byte)(m.Data()))
			x.Decode((*[232]byte)(m.Data()))
			if m.Status() != mad.StatusOK || v.DeviceID != id || v.Uptime != 100 || v.FWMajor < 2 || !bytes.HasPrefix(v.PSID[:], []byte("SIM")) {
				t.Errorf("%v %+v", m.Status(), v)
			}
			if mlnx.HasExtendedFirmware(id) && uint8(x.FWExtMajor) != v.FWMajor {
				t.Errorf("%+v", x)
			}
		}
	})
}

func TestConfigSpace(t *testing.T) {
	ca, sw := places(t)
	a := NewMLNX()
	access := func(at sim.Place, method mad.Method, n int, v mlnx.ConfigSpaceAccess) mlnx.ConfigSpaceAccess {
		data, _ := v.AppendBinary(nil)
		m, _ := ask(a, at, ClassMLNX, method, mlnx.AttrConfigSpaceAccess, mlnx.ConfigSpaceModifier(n), data)
		if m.Status() != mad.StatusOK {
			t.Fatal(m.Status())
		}
		v.Decode((*[232]byte)(m.Data()))
		return v
	}
	var v mlnx.ConfigSpaceAccess
	v.Records[0] = mlnx.ConfigRecord{Address: 0x100, Data: 0xffffffff, Mask: 0xff00}
	v.Records[1] = mlnx.ConfigRecord{Address: 0x104, Data: 7, Mask: 0xff} // beyond the count
	access(ca, mad.MethodSet, 1, v)
	if got := access(ca, mad.MethodGet, 2, v); got.Records[0].Data != 0xff00 || got.Records[1].Data != 0 {
		t.Errorf("%+v", got.Records[:2])
	}
	if got := access(sw, mad.MethodGet, 1, v); got.Records[0].Data != 0 {
		t.Errorf("another device has %#x", got.Records[0].Data)
	}
	for _, modifier := range []uint32{0, 2 << 22, 1 << 16, 2<<22 | 19<<16, 2<<22 | 1<<16 | 1} {
		if m, _ := ask(a, ca, ClassMLNX, mad.MethodGet, mlnx.AttrConfigSpaceAccess, modifier, nil); m.Status() != mad.StatusInvalidValue {
			t.Errorf("modifier %#x: %v", modifier, m.Status())
		}
	}
}

func TestServers(t *testing.T) {
	ca, sw := places(t)
	name := strings.Fields(ca.Node.Description())[0] + ".(none)\x00"
	s := &Servers{}
	m, outcome := ask(s, ca, openib.ClassPing, mad.MethodGet, openib.AttrPing, 0, bytes.Repeat([]byte("x"), 216))
	if data := string(m.Data()); outcome != sim.Answered || !strings.HasPrefix(data, name+"xxx") || !strings.HasSuffix(data, "x") {
		t.Errorf("ping: outcome %d, %q", outcome, data)
	}
	for attr, want := range map[mad.AttrID]string{openib.AttrSysstatPing: "yyyy", openib.AttrSysstatHost: name, openib.AttrSysstatCPU: "cpu 0: model "} {
		m, _ := ask(s, ca, openib.ClassSysstat, mad.MethodGet, attr, 0, []byte("yyyy"))
		if m.Status() != mad.StatusOK || !strings.HasPrefix(string(m.Data()), want) {
			t.Errorf("%v: %v, %q", attr, m.Status(), m.Data())
		}
	}
	if m, _ := ask(s, ca, openib.ClassSysstat, mad.MethodGet, 0x13, 0, nil); m.Status() != mad.StatusUnsupportedAttr {
		t.Errorf("unknown attribute: %v", m.Status())
	}
	if _, outcome := ask(s, sw, openib.ClassPing, mad.MethodGet, 0, 0, nil); outcome != sim.Declined {
		t.Errorf("a switch: outcome %d", outcome)
	}
	s.Runs = func(n *fabric.Node) bool { return n == sw.Node }
	if _, outcome := ask(s, ca, openib.ClassPing, mad.MethodGet, 0, 0, nil); outcome != sim.Declined {
		t.Errorf("not asked for: outcome %d", outcome)
	}
	if _, outcome := ask(s, sw, openib.ClassPing, mad.MethodGet, 0, 0, nil); outcome != sim.Answered {
		t.Errorf("asked for: outcome %d", outcome)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, v := range mlnx.Attributes() {
		var m mad.Packet
		m.Init(ClassMLNX, mad.MethodSet, v.ID, mlnx.ConfigSpaceModifier(2))
		f.Add(m[:], byte(0))
	}
	for _, v := range openib.Attributes() {
		var m mad.Packet
		m.Init(v.Class, mad.MethodGet, v.ID, 0)
		m.SetOUI(openib.OUI)
		f.Add(m[:], byte(1))
	}
	ca, sw := places(f)
	f.Fuzz(func(t *testing.T, packet []byte, which byte) {
		var m mad.Packet
		copy(m[:], packet)
		var a sim.Agent = NewMLNX()
		m.SetClass(ClassMLNX)
		if which&1 != 0 {
			a = &Servers{}
			m.SetClass(openib.ClassPing + mad.Class(which>>2&1))
		}
		at := ca
		if which&2 != 0 {
			at = sw
		}
		request := m
		if a.Answer(sim.Request{At: at}, &m) != sim.Answered && m != request {
			t.Errorf("no answer, but the packet has changed")
		}
		if [4]byte(m[:]) != [4]byte(request[:]) || m.TID() != request.TID() || m.Modifier() != request.Modifier() {
			t.Errorf("the header has changed: % x, % x", request[:24], m[:24])
		}
	})
}
