package uverbs

import (
	"context"
	"testing"
)

// FuzzAnswers lets the kernel answer anything.
func FuzzAnswers(f *testing.F) {
	f.Add(byte(driverRXE), unhex(f, rxeDevice), unhex(f, rxePort), unhex(f, rxeGID0), []byte{}, uint64(0))
	f.Add(byte(driverMLX5), unhex(f, siwDevice), unhex(f, siwPort), []byte{}, wire(mlx5Response{CommandsUHW: 1}), uint64(1<<63))
	f.Add(byte(driverOCRDMA), unhex(f, rxeDevice), unhex(f, siwPort), []byte{}, wire(ocrdmaResponse{Firmware: [32]byte{31: 1}}), uint64(2047))
	f.Fuzz(func(t *testing.T, driver byte, device, port, gids, data []byte, count uint64) {
		k := &fakeKernel{device: device, port: port, context: data, extra: data, gidCount: count}
		k.driver = drivers[int(driver)%len(drivers)].id
		for ; len(gids) >= sizeOf[gidEntry]() && len(k.gids) < 100; gids = gids[sizeOf[gidEntry]():] {
			k.gids = append(k.gids, view[gidEntry](gids))
		}
		a, err := k.open(t).Query(context.Background())
		if err != nil {
			return
		}
		if a.Device == nil || len(a.Ports) != a.Device.PhysicalPorts {
			t.Errorf("%d ports, %+v", len(a.Ports), a.Device)
		}
		for _, p := range a.Ports {
			if len(p.GIDs) > maxGIDs {
				t.Errorf("%d GIDs", len(p.GIDs))
			}
		}
	})
}
