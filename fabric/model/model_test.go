package model

import "testing"

func TestName(t *testing.T) {
	for _, test := range []struct {
		vendor uint32
		device uint16
		want   string
	}{
		{0x2c9, 0xd2f2, "Quantum-2 switch"},
		{0x2c9, 0x101b, "ConnectX-6"},
		{0x8f1, 0x673c, "ConnectX-2"}, // Voltaire, with Mellanox' chip
		{0x1405, 0x101b, "ConnectX-6"},
		{0x66a, 0x101b, ""}, // SilverStorm numbers its own devices
		{0x2c9, 0xffff, ""},
		{0, 0, ""},
	} {
		if got := Name(test.vendor, test.device); got != test.want {
			t.Errorf("Name(%#x, %#x) = %q, want %q", test.vendor, test.device, got, test.want)
		}
	}
}
