package sa_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// everything is the InformInfo that all notices match.
func everything() adm.InformInfo {
	return adm.InformInfo{InformInfo: gs.InformInfo{
		LIDRangeBegin: 0xffff, IsGeneric: 1, Subscribe: 1, Type: 0xffff, TrapNumber: 0xffff, ProducerType: 0xffffff,
	}}
}

// subscribe begins or ends a subscription.
func (c *client) subscribe(v adm.InformInfo) {
	c.t.Helper()
	if _, status := c.ask(mad.MethodSet, &v, 0); status != 0 {
		c.t.Fatal(status)
	}
}

// reports takes the notices that have come, and answers them.
func (c *client) reports() (list []adm.Notice) {
	c.t.Helper()
	for _, m := range c.take() {
		if m.Method() != mad.MethodReport || m.Class() != mad.ClassSubnAdm || m.AttrID() != adm.AttrNotice {
			continue
		}
		var n adm.Notice
		n.Decode((*[80]byte)(m.Data()))
		list = append(list, n)
		m.SetMethod(mad.MethodReport | mad.ResponseBit)
		if err := c.port.Send(&m, mad.Addr{LID: c.subnet.SMLID, QP: 1, QKey: mad.WellKnownQK}, 0); err != nil {
			c.t.Fatal(err)
		}
	}
	return list
}

func numbers(list []adm.Notice) (n []uint16) {
	for i := range list {
		n = append(n, list[i].TrapNumber)
	}
	return n
}

// A subscriber hears of broken links, of ports that go and come, and of groups.
func TestReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "star?hosts=4")
		c.subscribe(everything())
		far := c.adapters()[1]
		if far.Place.Node == c.port.Node() {
			far = c.adapters()[2]
		}
		want := func(what string, traps ...uint16) []adm.Notice {
			t.Helper()
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			list := c.reports()
			if got := numbers(list); !slices.Equal(got, traps) {
				t.Errorf("%s: reports of %v, want %v", what, got, traps)
			}
			return list
		}
		if err := c.fabric.LinkDown(far.Place); err != nil {
			t.Fatal(err)
		}
		list := want("a link breaks", smp.TrapLinkStateChange, smp.TrapGIDOutOfService)
		leaf, _ := c.fabric.Cable(far.Place)
		zero := c.subnet.ByPlace(leaf)
		if len(list) == 2 && (list[0].IssuerLID != zero.LID || list[0].IssuerGID != c.gid(zero)) {
			t.Errorf("the issuer is %d, %s", list[0].IssuerLID, list[0].IssuerGID)
		}
		if len(list) == 2 {
			gid, _ := sm.AboutGID(&list[1].Notice)
			if n := list[1]; gid != c.gid(far) || n.IssuerLID != c.subnet.SMLID || n.Type != smp.NoticeSM || n.ProducerType != 4 {
				t.Errorf("out of service is %s: %+v", gid, n)
			}
		}
		if err := c.fabric.LinkUp(far.Place); err != nil {
			t.Fatal(err)
		}
		want("it is mended", smp.TrapLinkStateChange, smp.TrapGIDInService)
		port := must[*sim.Port](t)(c.fabric.Attach(far.Place.Node.Port(1)))
		port.SetIsSM(true)
		want("a capability", smp.TrapCapMaskChange)
		port.Close()
		want("it goes", smp.TrapCapMaskChange)

		mgid := ib.GID{0xff, 0x12, 15: 9}
		v := &adm.MCMemberRecord{MGID: mgid, PortGID: c.gid(far), QKey: 1, PKey: 0xffff, JoinState: adm.JoinFull}
		got := c.send(c.request(mad.MethodSet, v, createMask))
		if !slices.ContainsFunc(got, func(m mad.Packet) bool { return m.Method() == mad.MethodReport && m.Data()[1] == 0 }) {
			t.Errorf("no report of a new group in %d packets", len(got))
		}
		if time.Sleep(time.Minute); len(numbers(c.reports())) != 3 { // it was not answered
			t.Error("the report is not repeated three times")
		}
		if list = want("silence"); len(list) != 0 {
			t.Error("reports go on")
		}
	})
}

// What does not match is not reported, nor is anything after the end.
func TestReportsMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "star?hosts=4")
		zero := c.subnet.ByPlace(sim.Place{Node: c.subnet.Switches[0]})
		raise := func(want int, change func(*adm.InformInfo)) {
			t.Helper()
			v := everything()
			change(&v)
			c.subscribe(v)
			if err := c.fabric.Raise(sim.Place{Node: zero.Place.Node, Port: 1}, smp.TrapBufferOverrun); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := len(c.reports()); got != want {
				t.Errorf("%+v: %d reports, want %d", v, got, want)
			}
			v.Subscribe = 0
			c.subscribe(v)
			time.Sleep(time.Minute)
		}
		raise(1, func(v *adm.InformInfo) {})
		raise(1, func(v *adm.InformInfo) { v.TrapNumber, v.Type = smp.TrapBufferOverrun, uint16(smp.NoticeUrgent) })
		raise(0, func(v *adm.InformInfo) { v.TrapNumber = smp.TrapLinkStateChange })
		raise(0, func(v *adm.InformInfo) { v.Type = uint16(smp.NoticeSM) })
		raise(1, func(v *adm.InformInfo) { v.ProducerType = uint32(ib.NodeSwitch) })
		raise(0, func(v *adm.InformInfo) { v.ProducerType = uint32(ib.NodeCA) })
		raise(0, func(v *adm.InformInfo) { v.IsGeneric = 0 })
		raise(1, func(v *adm.InformInfo) { v.LIDRangeBegin = zero.LID })
		raise(0, func(v *adm.InformInfo) { v.LIDRangeBegin, v.LIDRangeEnd = zero.LID+1, 0xbfff })
		raise(1, func(v *adm.InformInfo) { v.LIDRangeBegin, v.LIDRangeEnd = 1, 0xbfff })
		raise(1, func(v *adm.InformInfo) { v.GID = c.gid(zero) })
		raise(0, func(v *adm.InformInfo) { v.GID = c.gid(c.adapters()[0]) })
	})
}

// A subscription ends when the program closes its port, and when the port leaves
// the subnet.
func TestSubscriptionsEnd(t *testing.T) {
	for what, leave := range map[string]func(c *client) error{
		"the program ends":  func(c *client) error { return c.port.Close() },
		"the machine halts": func(c *client) error { return c.fabric.KillNode(c.port.Node()) },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, "star?hosts=4")
				c.subscribe(everything())
				if err := leave(c); err != nil {
					t.Fatal(err)
				}
				if err := c.fabric.Raise(sim.Place{Node: c.subnet.Switches[0], Port: 1}, smp.TrapBufferOverrun); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				c.move(c.adapters()[0])
				if n := len(c.table(mad.MethodGetTable, &adm.InformInfoRecord{}, 0)); n != 0 {
					t.Errorf("%d subscriptions remain", n)
				}
			})
		})
	}
}
