package gmp

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

func TestKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k Key
		if !k.MaySet(5) || k.Shown(5) != 0 || k.Violations != 0 {
			t.Errorf("no key: %+v", k)
		}
		k = Key{Value: 7, Protect: true, Lease: 10 * time.Second, Violations: 0xfffe}
		for range 3 {
			if k.MaySet(5) {
				t.Error("a wrong key may set")
			}
		}
		if k.Violations != 0xffff {
			t.Errorf("violations stop at %#x", k.Violations)
		}
		if k.Shown(5) != 0 || k.Shown(7) != 7 {
			t.Errorf("shown %d to strangers, %d to friends", k.Shown(5), k.Shown(7))
		}
		time.Sleep(9 * time.Second)
		if k.Shown(5) != 0 || !k.MaySet(7) {
			t.Error("the lease ended early")
		}
		time.Sleep(time.Minute) // the right key has ended the lease
		if k.Shown(5) != 0 || k.MaySet(5) {
			t.Error("the lease was not renewed")
		}
		time.Sleep(10 * time.Second)
		if k.Shown(5) != 7 || k.MaySet(5) {
			t.Error("after the lease the key is to be seen, and still wanted")
		}
	})
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		method  mad.Method
		version uint8
		status  mad.Status
		outcome sim.Outcome
	}{
		{mad.MethodGet, 1, mad.StatusOK, sim.Answered},
		{mad.MethodSet, 1, mad.StatusOK, sim.Answered},
		{mad.MethodGet, 2, mad.StatusBadVersion, sim.Answered},
		{mad.MethodGetTable, 1, mad.StatusUnsupportedMethod, sim.Answered},
		{mad.MethodTrap, 1, 0, sim.Declined},
		{mad.MethodSend, 1, 0, sim.Declined},
	} {
		var m mad.Packet
		m.Init(mad.ClassPerf, tt.method, 1, 0)
		m.SetClassVersion(tt.version)
		if status, outcome := Check(&m); status != tt.status || outcome != tt.outcome {
			t.Errorf("%v version %d: %v, %d", tt.method, tt.version, status, outcome)
		}
	}
}
