package sa_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

const (
	joinMask   = adm.CompMCMemberRecordMGID | adm.CompMCMemberRecordPortGID | adm.CompMCMemberRecordJoinState
	createMask = joinMask | adm.CompMCMemberRecordQKey | adm.CompMCMemberRecordPKey | adm.CompMCMemberRecordSL |
		adm.CompMCMemberRecordTClass | adm.CompMCMemberRecordFlowLabel
)

func TestMulticast(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=4")
	h := c.adapters()
	mgid := ib.GID{0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 15: 5}
	join := func(i int, mask uint64, state uint8) (r adm.MCMemberRecord, status mad.Status) {
		t.Helper()
		m, status := c.ask(mad.MethodSet, &adm.MCMemberRecord{MGID: mgid, PortGID: c.gid(h[i]), QKey: 0xb1b, PKey: 0xffff, JoinState: state}, mask)
		if err := r.UnmarshalBinary(m.Data()); err != nil {
			t.Fatal(err)
		}
		return r, status
	}
	if _, status := join(0, joinMask, adm.JoinFull); status != adm.StatusFewComponents {
		t.Errorf("join of no group: %v", status)
	}
	if _, status := join(0, createMask, adm.JoinNon); status != adm.StatusRequestInvalid {
		t.Errorf("a group that begins with a non-member: %v", status)
	}
	r, status := join(0, createMask, adm.JoinFull)
	if status != 0 || r.MLID != ib.MinMulticastLID+1 || r.JoinState != adm.JoinFull || r.Scope != 2 {
		t.Fatalf("create: %v %+v", status, r)
	}
	if r, status = join(1, joinMask, adm.JoinSendOnlyNon); status != 0 || r.MLID != ib.MinMulticastLID+1 {
		t.Errorf("join: %v %+v", status, r)
	}
	var block [mad.DataSize]byte
	leaf, _ := c.fabric.Peer(h[0].Place)
	c.fabric.Direct(sim.Place{Node: leaf.Node}, mad.MethodGet, smp.AttrMulticastForwardingTable, 0, &block)
	if block[3]&(1<<leaf.Port) == 0 {
		t.Errorf("the switch forwards the group by ports %x", block[2:4])
	}
	if n := len(c.table(mad.MethodGetTable, &adm.MCMemberRecord{}, 0)); n != 2 {
		t.Errorf("%d groups", n)
	}
	c.key = 1
	if n := len(c.table(mad.MethodGetTable, &adm.MCMemberRecord{MLID: r.MLID}, adm.CompMCMemberRecordMLID)); n != 2 {
		t.Errorf("%d members", n)
	}
	leave := func(i int, state uint8) mad.Status {
		_, status := c.ask(mad.MethodDelete, &adm.MCMemberRecord{MGID: mgid, PortGID: c.gid(h[i]), JoinState: state}, joinMask)
		return status
	}
	if status := leave(1, adm.JoinFull); status != adm.StatusRequestInvalid {
		t.Errorf("leave of what was not joined: %v", status)
	}
	if status := leave(0, adm.JoinFull); status != 0 {
		t.Errorf("leave: %v", status)
	}
	if n := len(c.table(mad.MethodGetTable, &adm.MCMemberRecord{}, 0)); n != 1 {
		t.Errorf("%d groups after the last full member left", n)
	}
}

// A service ends with its lease, or when who has its key removes it.
func TestServices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "star")
		v := adm.ServiceRecord{ID: 7, GID: c.gid(c.adapters()[0]), PKey: 0xffff, Lease: 10, Key: [16]byte{1}}
		const mask = adm.CompServiceRecordID | adm.CompServiceRecordGID | adm.CompServiceRecordPKey
		set := func(v adm.ServiceRecord, want mad.Status) {
			t.Helper()
			if _, status := c.ask(mad.MethodSet, &v, mask|adm.CompServiceRecordLease|adm.CompServiceRecordKey); status != want {
				t.Errorf("%v, want %v", status, want)
			}
		}
		count := func(want int) {
			t.Helper()
			if n := len(c.table(mad.MethodGetTable, &adm.ServiceRecord{}, 0)); n != want {
				t.Errorf("%d services, want %d", n, want)
			}
		}
		set(v, 0)
		other := v
		other.Key = [16]byte{2}
		set(other, adm.StatusRequestInvalid)
		v.Lease = 20
		set(v, 0)
		count(1)
		time.Sleep(19 * time.Second)
		count(1)
		time.Sleep(2 * time.Second)
		count(0)
		v.Lease = 0xffffffff
		set(v, 0)
		time.Sleep(time.Hour)
		if _, status := c.ask(mad.MethodDelete, &other, mask); status != adm.StatusNoRecords {
			t.Errorf("removed with another key: %v", status)
		}
		if _, status := c.ask(mad.MethodDelete, &v, mask); status != 0 {
			t.Errorf("remove: %v", status)
		}
		count(0)
	})
}

func TestSubscriptions(t *testing.T) {
	c := open(t, "star")
	v := adm.InformInfo{InformInfo: gs.InformInfo{LIDRangeBegin: 0xffff, IsGeneric: 1, Subscribe: 1, Type: 0xffff, TrapNumber: 0xffff, ProducerType: 0xffffff}}
	for range 2 {
		if _, status := c.ask(mad.MethodSet, &v, 0); status != 0 {
			t.Fatal(status)
		}
	}
	v.TrapNumber = 66
	c.ask(mad.MethodSet, &v, 0)
	records := c.table(mad.MethodGetTable, &adm.InformInfoRecord{}, 0)
	if len(records) != 2 {
		t.Fatalf("%d subscriptions", len(records))
	}
	var r adm.InformInfoRecord
	if err := r.UnmarshalBinary(records[1]); err != nil || r.SubscriberEnum != 1 || r.Inform.TrapNumber != 66 || r.Inform.QPN != 1 {
		t.Errorf("%v %+v", err, r)
	}
	v.Subscribe = 0
	if _, status := c.ask(mad.MethodSet, &v, 0); status != 0 {
		t.Error(status)
	}
	if n := len(c.table(mad.MethodGetTable, &adm.InformInfoRecord{}, 0)); n != 1 {
		t.Errorf("%d subscriptions", n)
	}
}
