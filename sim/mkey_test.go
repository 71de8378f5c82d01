package sim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

const secret = 0x1122334455667788

// keyed is the line with an M_Key on switch 1.
func keyed(t *testing.T, protect uint8, lease uint16) *manager {
	t.Helper()
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	v, status := m.try("s1", 0, func(v *smp.PortInfo) {
		v.LID, v.SMLID, v.MKey, v.MKeyProtect, v.MKeyLeasePeriod = 4, 1, secret, protect, lease
	})
	if status != 0 || v.MKey != secret || v.MKeyProtect != protect || v.MKeyLeasePeriod != lease {
		t.Fatalf("%v: %+v", status, v)
	}
	return m
}

// answers sends a request for port 0 of switch 1 with a key.
func (m *manager) answers(method mad.Method, key uint64) (smp.PortInfo, bool) {
	m.t.Helper()
	q := get(portInfo, 0, 1)
	q.SetMethod(method)
	q.SetMKey(key)
	if method == mad.MethodSet { // writes what is there, if the key lets it read
		g := get(portInfo, 0, 1)
		g.SetMKey(secret)
		r := askOne(m.t, m.p, g, directed)
		var v smp.PortInfo
		v.Decode(r.SMPData())
		v.State, v.PhysState = 0, 0
		v.Encode(q.SMPData())
	}
	r := ask(m.t, m.p, q, directed)
	var v smp.PortInfo
	if len(r) == 1 {
		v.Decode(r[0].SMPData())
	}
	return v, len(r) == 1
}

func TestMKeyProtection(t *testing.T) {
	for protect, c := range []struct{ reads, sees bool }{{true, true}, {true, false}, {false, false}, {false, false}} {
		m := keyed(t, uint8(protect), 0)
		v, ok := m.answers(mad.MethodGet, 99)
		if ok != c.reads || (v.MKey == secret) != c.sees {
			t.Errorf("protection %d: a stranger reads %v, M_Key %x", protect, ok, v.MKey)
		}
		if _, ok := m.answers(mad.MethodSet, 99); ok {
			t.Errorf("protection %d: a stranger writes", protect)
		}
		if v, ok := m.answers(mad.MethodSet, secret); !ok || v.MKey != secret {
			t.Errorf("protection %d: the key does not open", protect)
		}
		v, ok = m.answers(mad.MethodGet, secret)
		want := uint16(1) // the Set
		if !c.reads {
			want++
		}
		if !ok || v.MKey != secret || v.MKeyViolations != want {
			t.Errorf("protection %d: M_Key %x, %d violations, want %d", protect, v.MKey, v.MKeyViolations, want)
		}
	}
}

// A lease that runs out opens the port to readers; the right key keeps it.
func TestMKeyLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := keyed(t, 2, 10)
		reads := func() bool { _, ok := m.answers(mad.MethodGet, 99); return ok }
		time.Sleep(time.Hour)
		if reads() { // starts the countdown
			t.Error("the lease ran out although nobody came")
		}
		time.Sleep(9 * time.Second)
		if reads() {
			t.Error("the lease ran out before its time")
		}
		if _, ok := m.answers(mad.MethodGet, secret); !ok { // stops it
			t.Error("the key does not open")
		}
		time.Sleep(time.Minute)
		if reads() { // starts it again
			t.Error("the lease was not renewed")
		}
		time.Sleep(10 * time.Second)
		v, ok := m.answers(mad.MethodGet, 99)
		if !ok || v.MKeyProtect != 0 || v.MKey != secret {
			t.Errorf("after the lease: %v, protection %d, M_Key %x", ok, v.MKeyProtect, v.MKey)
		}
		if _, ok := m.answers(mad.MethodSet, 99); ok {
			t.Error("after the lease a stranger writes")
		}
	})
}

// Without a lease period the protection stays for ever.
func TestMKeyForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := keyed(t, 3, 0)
		for range 3 {
			if _, ok := m.answers(mad.MethodGet, 99); ok {
				t.Error("a stranger reads")
			}
			time.Sleep(100 * time.Hour)
		}
	})
}

// The key of a host's port guards the port, not its neighbours.
func TestMKeyOfHost(t *testing.T) {
	f := line(t)
	_, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	if _, status := m.try("h3", 1, func(v *smp.PortInfo) { v.LID, v.MKey, v.MKeyProtect = 9, secret, 2 }); status != 0 {
		t.Fatal(status)
	}
	if r := ask(t, p, get(nodeInfo, 0, 1, 3, 3, 1), directed); len(r) != 0 {
		t.Error("the host answers a stranger")
	}
	if r := ask(t, p, get(nodeInfo, 0, 1, 3, 3), directed); len(r) != 1 {
		t.Error("the switch before it does not answer")
	}
	q := get(nodeInfo, 0, 1, 3, 3, 1)
	q.SetMKey(secret)
	askOne(t, p, q, directed)
}
