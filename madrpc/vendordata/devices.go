package vendordata

import (
	"context"
	"iter"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/mlnx"
	"github.com/ibscope/ibscope/madrpc"
)

// windowDevices is how many devices are asked at the same time.
const windowDevices = 64

// Answer is what a device told of itself, or why it did not.
type Answer struct {
	Device mlnx.Device
	Err    error
}

// Devices asks many devices what they are, as Device does of one, and yields the
// answers by the index of the target. Devices that send the request elsewhere are
// followed. When the context ends, so does the loop, with the context's error.
func Devices(ctx context.Context, c *madrpc.Client, targets []mad.Target) iter.Seq2[int, Answer] {
	return func(yield func(int, Answer) bool) {
		var v mlnx.GeneralInfo
		prepare := func(i int, r *madrpc.Request) {
			r.Target = targets[i]
			r.Packet.Init(v.Class(), mad.MethodGet, v.AttrID(), 0)
		}
		for i, r := range madrpc.Ordered(ctx, c, len(targets), windowDevices, prepare) {
			a := Answer{Err: r.Err}
			if to, ok := madrpc.Redirected(r); ok {
				a.Device, a.Err = Device(ctx, c, to)
			} else if r.Err == nil {
				a.Device = mlnx.DeviceFrom((*[232]byte)(r.Packet.Data()))
			}
			if !yield(i, a) {
				return
			}
		}
	}
}
