package madrpc

import (
	"errors"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/mad/gs"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
)

// agent answers each packet with what f makes of it.
func agent(f func(p *mad.Packet, to mad.Addr)) (*Client, *fake) {
	t := newFake()
	t.onSend = func(n int, p mad.Packet) error {
		to := t.sends()[n-1].to
		p.SetMethod(mad.MethodGetResp)
		f(&p, to)
		t.deliver(p)
		return nil
	}
	return New(t, nil), t
}

func TestGet(t *testing.T) {
	c, f := agent(func(p *mad.Packet, _ mad.Addr) {
		var v pma.PortCounters
		_ = v.UnmarshalBinary(p.Data())
		v.XmitData = uint32(v.PortSelect) * 1000
		_, _ = v.AppendBinary(p.Data()[:0])
	})
	defer c.Close()
	v := pma.PortCounters{PortSelect: 3}
	if err := Get(t.Context(), c, mad.ByLID(7), 0, &v); err != nil || v.XmitData != 3000 || v.PortSelect != 3 {
		t.Errorf("%+v, %v", v, err)
	}
	sent := f.sends()[0]
	want := mad.Addr{LID: 7, QP: 1, QKey: mad.WellKnownQK}
	if sent.p.Class() != mad.ClassPerf || sent.p.Method() != mad.MethodGet || sent.p.AttrID() != 0x12 || sent.to != want {
		t.Errorf("sent % x to %+v", sent.p[:66], sent.to)
	}
	reset := pma.PortCounters{PortSelect: 4, CounterSelect: 0xffff}
	if err := Set(t.Context(), c, mad.ByLID(7), 0, &reset); err != nil || reset.XmitData != 4000 {
		t.Errorf("%+v, %v", reset, err)
	}
	if p := f.sends()[1].p; p.Method() != mad.MethodSet || p[66] != 0xff || p[67] != 0xff {
		t.Errorf("sent % x", p[:70])
	}
}

// TestGetClasses checks that the data and the keys of other classes go where they
// belong.
func TestGetClasses(t *testing.T) {
	c, f := agent(func(p *mad.Packet, _ mad.Addr) {
		for i := range p.Data() {
			p.Data()[i] = 1
		}
	})
	defer c.Close()
	var log cc.CongestionLog
	if err := Get(t.Context(), c, mad.ByLID(7), 0, &log, func(p *mad.Packet) { p.SetClassKey(5) }); err != nil || log.LogType != 1 {
		t.Errorf("%+v, %v", log, err)
	}
	if p := f.sends()[0].p; p[31] != 5 || p.ClassVersion() != 2 {
		t.Errorf("sent % x", p[:40])
	}
	var path ib.DRPath
	path, _ = path.Append(1)
	var info smp.NodeInfo
	if err := Get(t.Context(), c, mad.ByPath(path), 0, &info); err != nil || info.NodeType != 1 {
		t.Errorf("%+v, %v", info, err)
	}
	if p := f.sends()[1].p; p.Class() != mad.ClassSubnDirected || p.HopCount() != 1 {
		t.Errorf("sent % x", p[:40])
	}
	if err := Get(t.Context(), c, mad.ByPath(path), 0, &log); !errors.Is(err, errNoLID) {
		t.Errorf("general service by directed route: %v", err)
	}
}

func TestGetRefused(t *testing.T) {
	c, _ := agent(func(p *mad.Packet, _ mad.Addr) { p.SetStatus(mad.StatusUnsupportedAttr) })
	defer c.Close()
	v := pma.PortCountersExtended{PortSelect: 9}
	err := Get(t.Context(), c, mad.ByLID(7), 0, &v)
	if !errors.Is(err, mad.StatusUnsupportedAttr) || v != (pma.PortCountersExtended{PortSelect: 9}) {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestRedirect follows an agent that names another one, and stops when there is
// no end to it or nowhere to go.
func TestRedirect(t *testing.T) {
	redirect := func(p *mad.Packet, lid ib.LID) {
		p.SetStatus(mad.StatusRedirect)
		info := gs.ClassPortInfo{RedirectLID: lid, RedirectSL: 3, RedirectQP: 0x1234, RedirectQKey: 0x80020000}
		_, _ = info.AppendBinary(p.Data()[:0])
	}
	tests := []struct {
		name  string
		agent func(*mad.Packet, mad.Addr)
		want  error
		sent  int
		last  mad.Addr
	}{
		{"once", func(p *mad.Packet, to mad.Addr) {
			if to.LID == 7 {
				redirect(p, 8)
			}
		}, nil, 2, mad.Addr{LID: 8, SL: 3, QP: 0x1234, QKey: 0x80020000}},
		{"for ever", func(p *mad.Packet, to mad.Addr) { redirect(p, to.LID+1) }, mad.StatusRedirect, 5, mad.Addr{LID: 11, SL: 3, QP: 0x1234, QKey: 0x80020000}},
		{"by GID", func(p *mad.Packet, _ mad.Addr) { redirect(p, 0) }, mad.StatusRedirect, 1, mad.Addr{LID: 7, QP: 1, QKey: mad.WellKnownQK}},
	}
	for _, tt := range tests {
		c, f := agent(tt.agent)
		v := pma.PortCounters{PortSelect: 1}
		err := Get(t.Context(), c, mad.ByLID(7), 0, &v)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if s := f.sends(); len(s) != tt.sent || s[len(s)-1].to != tt.last {
			t.Errorf("%s: %d packets, the last to %+v", tt.name, len(s), s[len(s)-1].to)
		}
		c.Close()
	}
}
