package gmp

import "time"

// Key protects an agent from strangers, as CC_Key and B_Key do (IBA vol. 1,
// 16.2.4.1 and annex A10): with a key other than 0, a Set must carry it. Get is
// never refused, but with Protect it hides the key from who does not know it.
// The zero Key protects nothing. It is not safe for concurrent use.
type Key struct {
	Value      uint64
	Protect    bool
	Lease      time.Duration // from a violation on; Protect ends with it. 0 is for ever
	Violations uint16

	expires time.Time // of the lease that runs; zero for none
}

// MaySet checks the key of a Set. A wrong one counts as a violation and starts
// the lease; the right one ends it.
func (k *Key) MaySet(key uint64) bool {
	k.expire()
	if k.Value == 0 || k.Value == key {
		k.expires = time.Time{}
		return true
	}
	if k.Violations != 0xffff {
		k.Violations++
	}
	if k.Lease > 0 && k.expires.IsZero() {
		k.expires = time.Now().Add(k.Lease)
	}
	return false
}

// Shown is what a Get with a key is told of the key.
func (k *Key) Shown(key uint64) uint64 {
	k.expire()
	if k.Protect && key != k.Value {
		return 0
	}
	return k.Value
}

// expire drops the protection of a key whose owner has not been heard of.
func (k *Key) expire() {
	if !k.expires.IsZero() && !time.Now().Before(k.expires) {
		k.Protect, k.expires = false, time.Time{}
	}
}
