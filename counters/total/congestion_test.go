package total_test

import (
	"math"
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
)

// TestCongestionOfDevices: devices that do not tell their tick count as is known of
// them, or not at all. The links carry 25e9 bytes in a second, on four lanes.
func TestCongestionOfDevices(t *testing.T) {
	for name, tt := range map[string]struct {
		device uint16
		vendor uint32
		want   float64
	}{
		"Quantum":              {0xd2f0, 0x2c9, 8e9 / 25e9},
		"Quantum-2":            {0xd2f2, 0x2c9, 8e9 / 25e9},
		"Switch-IB 2":          {0xcf08, 0x2c9, 1}, // 128e9 bytes, which is more than all
		"an adapter":           {0x101b, 0x2c9, -1},
		"somebody else's chip": {0xd2f0, 0x1175, -1},
	} {
		b := fabric.NewBuilder()
		from := model(t).Start()
		info := from.Node().Info()
		info.DeviceID, info.VendorID = tt.device, tt.vendor
		bytes := *from.Node().InfoBytes()
		info.Encode(&bytes)
		p := b.Port(b.AddNode(&bytes), from.Num())
		b.SetPortInfo(p, from.InfoBytes())
		b.Build()
		a := total.New()
		for i := range 2 {
			a.Add(reading{at: float64(i), value: uint64(i) * 1e9, wide: true}.sample(p, counters.XmitWait))
		}
		if got := a.Table(epoch).Port(info.NodeGUID, p.Num()); math.Abs(got.Congestion-tt.want) > 1e-9 {
			t.Errorf("%s: congestion %v, want %v", name, got.Congestion, tt.want)
		}
	}
}
