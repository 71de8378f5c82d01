package baseboard

import (
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/bm"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

func place(t testing.TB) sim.Place {
	t.Helper()
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	return sim.Place{Node: f.Start().Node(), Port: f.Start().Num()}
}

func ask(a *Agent, at sim.Place, method mad.Method, attr mad.AttrID, key uint64, data *[192]byte) (mad.Status, sim.Outcome) {
	var m mad.Packet
	m.Init(mad.ClassBM, method, attr, 0)
	m.SetClassKey(key)
	copy(m.Data(), data[:])
	outcome := a.Answer(sim.Request{At: at}, &m)
	copy(data[:], m.Data())
	return m.Status(), outcome
}

func TestKey(t *testing.T) {
	at := place(t)
	a := New()
	v := bm.BKeyInfo{BKey: 5, Protect: true, LeasePeriod: 3}
	var data [192]byte
	v.Encode(&data)
	if status, _ := ask(a, at, mad.MethodSet, bm.AttrBKeyInfo, 0, &data); status != mad.StatusOK {
		t.Fatal(status)
	}
	if _, outcome := ask(a, at, mad.MethodSet, bm.AttrBKeyInfo, 4, &data); outcome != sim.Silent {
		t.Errorf("wrong key: outcome %d", outcome)
	}
	for key, want := range map[uint64]uint64{4: 0, 5: 5} {
		ask(a, at, mad.MethodGet, bm.AttrBKeyInfo, key, &data)
		if v.Decode(&data); v != (bm.BKeyInfo{BKey: want, Protect: true, LeasePeriod: 3, Violations: 1}) {
			t.Errorf("key %d: %+v", key, v)
		}
	}
	for _, attr := range []mad.AttrID{bm.AttrWriteVPD, bm.AttrGetModuleStatus, 0x99} {
		if status, _ := ask(a, at, mad.MethodSet, attr, 5, &data); status != mad.StatusUnsupportedAttr {
			t.Errorf("%v: %v", attr, status)
		}
	}
	var info bm.ClassPortInfo
	ask(a, at, mad.MethodGet, bm.AttrClassPortInfo, 0, &data)
	if info.Decode((*[72]byte)(data[:])); info.BaseVersion != 1 || info.ClassVersion != 1 {
		t.Errorf("%+v", info)
	}
}

func FuzzAnswer(f *testing.F) {
	at := place(f)
	for _, v := range bm.Attributes() {
		var m mad.Packet
		m.Init(mad.ClassBM, mad.MethodSet, v.ID, 0)
		f.Add(m[:])
	}
	f.Fuzz(func(t *testing.T, packet []byte) {
		var m mad.Packet
		copy(m[:], packet)
		m.SetClass(mad.ClassBM)
		request := m
		if New().Answer(sim.Request{At: at}, &m) != sim.Answered && m != request {
			t.Errorf("no answer, but the packet has changed")
		}
		if [4]byte(m[:]) != [4]byte(request[:]) || m.TID() != request.TID() {
			t.Errorf("the header has changed")
		}
	})
}
