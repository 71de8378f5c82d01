package perf_test

import (
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/sim/traffic"
)

// FuzzAnswer sends any packets to all kinds of ports. Whatever comes, the answer
// is one to that request; and counters that nobody has selected do not go back.
func FuzzAnswer(f *testing.F) {
	for _, a := range pma.Attributes() {
		var m mad.Packet
		for _, method := range []mad.Method{mad.MethodGet, mad.MethodSet} {
			m.Init(mad.ClassPerf, method, a.ID, 0)
			copy(m.Data(), []byte{0, 1, 0xff, 0xff})
			f.Add(m[:], byte(0))
			m.Data()[1] = pma.AllPorts
			f.Add(m[:], byte(1))
		}
	}
	model, err := gen.Parse("star?hosts=2&speed=edr")
	if err != nil {
		f.Fatal(err)
	}
	moving, err := traffic.New(model, 1, []traffic.Rule{{Load: 1, Multicast: 0.1, Wait: 0.1}})
	if err != nil {
		f.Fatal(err)
	}
	var places []sim.Place
	for p := range model.Ports() {
		places = append(places, sim.Place{Node: p.Node(), Port: p.Num()})
	}
	f.Fuzz(func(t *testing.T, packet []byte, place byte) {
		c := perf.New(model)
		c.SetTraffic(moving)
		at := places[int(place)%len(places)]
		var m mad.Packet
		copy(m[:], packet)
		m.SetClass(mad.ClassPerf)
		request := m
		outcome := c.Answer(sim.Request{At: at}, &m)
		if outcome != sim.Answered {
			if m != request {
				t.Errorf("no answer, but the packet has changed")
			}
			return
		}
		m2 := m
		m2.SetStatus(request.Status())
		if m2.Status() != request.Status() || [24]byte(m2[:]) != [24]byte(request[:]) {
			t.Errorf("the header has changed: % x, % x", request[:24], m2[:24])
		}
		if m.Status() != mad.StatusOK && [232]byte(m[24:]) != [232]byte(request[24:]) {
			t.Errorf("refused, but the data has changed")
		}
		if c.Answer(sim.Request{At: at}, &m); m.Method() == mad.MethodGet && m.AttrID() == pma.AttrPortCounters && m.Status() == mad.StatusOK {
			var first, second pma.PortCounters
			first.Decode((*[192]byte)(m2.Data()))
			second.Decode((*[192]byte)(m.Data()))
			if second.XmitData < first.XmitData {
				t.Errorf("XmitData goes back from %d to %d", first.XmitData, second.XmitData)
			}
		}
	})
}
