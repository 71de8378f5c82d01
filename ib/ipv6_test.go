package ib

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"
)

// TestIPv6Text compares the text of addresses with zeros in all places with that of
// package net/netip.
func TestIPv6Text(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(a [16]byte) {
		t.Helper()
		want := netip.AddrFrom16(a).String()
		if got := string(appendIPv6(nil, &a)); got != want {
			t.Errorf("% x: %q, want %q", a, got, want)
		}
		if back, ok := parseIPv6(want); !ok || back != a {
			t.Errorf("%q: % x, %v", want, back, ok)
		}
	}
	for mask := range 1 << 8 { // one bit for each group that is not zero
		var a [16]byte
		for i := range 8 {
			if mask>>i&1 != 0 {
				binary.BigEndian.PutUint16(a[2*i:], uint16(1+r.Uint32N(1<<(1+r.Uint32N(16))-1)))
			}
		}
		check(a)
	}
	check([16]byte{10: 0xff, 11: 0xff, 12: 192, 13: 0, 14: 2, 15: 255})
	check([16]byte{10: 0xff, 11: 0xff})
}

// FuzzParseIPv6 has net/netip as its oracle.
func FuzzParseIPv6(f *testing.F) {
	for _, seed := range []string{
		"fe80::1", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", ":1", "1:", ":", ":::",
		"1::2::3", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "::g", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4",
		"::1.2.3", "::1.2.3.4.5", "::01.2.3.4", "::256.1.1.1", "1.2.3.4", "1.2.3", "", "fe80::1%eth0", "::ffff:1.2.3.4", "::1.2.3.4:5", "+1::", "::0x1", "::1_0",
		"00001::", "1:::2", "::.", "1.2.3.4::", "::1.2.3.+4",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := netip.ParseAddr(text)
		got, ok := parseIPv6(text)
		if ok != (err == nil && want.Zone() == "") {
			t.Fatalf("%q: %v, but netip says %v", text, ok, err)
		}
		if ok && got != want.As16() {
			t.Fatalf("%q: % x, want % x", text, got, want.As16())
		}
	})
}
