package mlnx

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDeviceFrom(t *testing.T) {
	for _, test := range []struct {
		id                 uint16
		firmware, software Version
	}{
		{0xb924, Version{1, 2, 3}, Version{7, 8, 9}},
		{0xd2f0, Version{0x107, 0x11, 0x12}, Version{4, 5, 6}},
	} {
		var data [232]byte
		v := GeneralInfo{DeviceID: test.id, FWMajor: 1, FWMinor: 2, FWSubMinor: 3, Uptime: 5, SWMajor: 7, SWMinor: 8, SWSubMinor: 9}
		copy(v.PSID[:], "MT_0000000000016")
		v.Encode(&data)
		if HasExtendedFirmware(test.id) {
			x := GeneralInfoExtended{DeviceID: test.id, Uptime: 5, PSID: v.PSID, SWMajor: 4, SWMinor: 5, SWSubMinor: 6}
			x.FWExtMajor, x.FWExtMinor, x.FWExtSubMinor = test.firmware.Major, test.firmware.Minor, test.firmware.SubMinor
			x.Encode(&data)
		}
		want := Device{DeviceID: test.id, Uptime: 5, PSID: "MT_0000000000016", Firmware: test.firmware, Software: test.software}
		if d := cmp.Diff(want, DeviceFrom(&data)); d != "" {
			t.Errorf("%#x: %s", test.id, d)
		}
	}
}

// TestXmitWaitPort: each port once.
func TestXmitWaitPort(t *testing.T) {
	seen := map[int]bool{}
	for n := range XmitWaitPorts {
		seen[XmitWaitPort(n)] = true
	}
	if len(seen) != XmitWaitPorts || seen[0] || XmitWaitPort(0) != 4 || XmitWaitPort(16) != 20 || XmitWaitPort(23) != 3 {
		t.Errorf("%v", seen)
	}
	if XmitWaitAddress(23) != 0x11813c {
		t.Errorf("%#x", XmitWaitAddress(23))
	}
}
