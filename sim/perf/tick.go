package perf

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// The unit of XmitWait and of sampling is a tick: a multiple of the time that a byte
// takes on one lane (IBA vol. 1, 16.1.3.2). PortSamplesControl.Tick has the multiple,
// less one. Quantum switches are known to count 8 bytes on all lanes together, their
// forerunners 32 on each; others are taken to be like these.
const (
	quantumTick = 7
	laneTick    = 31
)

// slowest stands for the link of a port that has none: 2 Gb/s.
const slowest = 2

func isQuantum(n *fabric.Node) bool {
	switch info := n.Info(); info.DeviceID {
	case 0xd2f0, 0xd2f2, 0xd2f4:
		return info.VendorID == 0x0002c9
	}
	return false
}

// tickCode is PortSamplesControl.Tick of a node.
func tickCode(n *fabric.Node) uint8 {
	if isQuantum(n) {
		return quantumTick
	}
	return laneTick
}

// tickOf is the length of a tick at a port, in nanoseconds, at the rate that its link
// has when nothing is wrong with it.
func tickOf(n *fabric.Node, num int) float64 {
	lanes, rate := 1, float64(slowest)
	if p := n.Port(num); p != nil {
		active := p.Active()
		if r := ib.RateGbps(active.Width, active.Speed); r > 0 {
			lanes, rate = max(active.Width.Lanes(), 1), r
		}
	}
	if isQuantum(n) {
		lanes = 1
	}
	const bitsPerByte = 8
	return float64(tickCode(n)+1) * float64(lanes) * bitsPerByte / rate
}

// ticks are as many as pass in a time.
func (m *moment) ticks(d time.Duration) uint64 {
	if d == 0 {
		return 0 // also without traffic, where the tick is not known
	}
	return uint64(float64(d) / m.tick)
}
