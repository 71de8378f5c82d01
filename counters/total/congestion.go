package total

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// tick is what is known of the unit of XmitWait at a node. PortSamplesControl.Tick tells
// it as a multiple, less one, of the time that a byte takes on one lane (IBA vol. 1,
// 16.1.3.2).
type tick struct {
	asked int  // how often
	told  bool // by the agent
	code  uint8
}

// askTick is how often a node is asked for its tick that does not tell it.
const askTick = 2

// Also is for counters.Options.Also: it asks each node once for the length of the tick
// in which it counts XmitWait, which Add then finds in the sample.
func (a *Accumulator) Also(s *counters.Sample) []mad.AttrID {
	if !s.Has.Has(counters.XmitWait) {
		return nil
	}
	t := a.ticks[s.Node.GUID()]
	if t == nil {
		if len(a.ticks) > 2*max(keepPorts, a.most) {
			clear(a.ticks) // of nodes that are long gone
		}
		t = &tick{}
		a.ticks[s.Node.GUID()] = t
	}
	if t.told || t.asked == askTick {
		return nil
	}
	t.asked++
	return []mad.AttrID{pma.AttrPortSamplesControl}
}

// learnTick takes the tick from a sample that has it.
func (a *Accumulator) learnTick(s *counters.Sample) {
	t := a.ticks[s.Node.GUID()]
	if t == nil || t.told {
		return
	}
	var v pma.PortSamplesControl
	if s.Read(&v) {
		t.told, t.code = true, v.Tick
	}
}

// congestion is the share of the interval in which a port waited; -1 if not known.
func (a *Accumulator) congestion(p *Port, at *fabric.Port) float64 {
	perTick := a.bytesPerTick(at)
	rate := bytesPerSecond(at)
	if !p.Rated.Has(counters.XmitWait) || perTick == 0 || rate == 0 {
		return -1
	}
	return min(p.Rates[counters.XmitWait]*perTick/rate, 1)
}

// Devices of NVIDIA that count otherwise than the specification has it, or are known to
// count like this when their agent does not tell ("Congestion Assessment on InfiniBand
// Links" in the manual of ibdiagnet).
const (
	mellanox  = 0x0002c9
	switchX   = 0xc738
	switchIB  = 0xcb20
	switchIB2 = 0xcf08
	quantum   = 0xd2f0
	quantum2  = 0xd2f2
	quantum3  = 0xd2f4

	quantumTick  = 7  // 8 bytes, on all lanes together
	switchIBTick = 31 // 32 bytes on each lane
)

// bytesPerTick is what a port could have sent in a tick; 0 if not known.
func (a *Accumulator) bytesPerTick(p *fabric.Port) float64 {
	var told tick
	if t := a.ticks[p.Node().GUID()]; t != nil {
		told = *t
	}
	lanes := float64(p.Active().Width.Lanes())
	switch info := p.Node().Info(); {
	case info.VendorID == mellanox && isQuantum(info.DeviceID):
		if !told.told {
			told.code = quantumTick
		}
		return float64(told.code) + 1
	case told.told:
	case info.VendorID == mellanox && isSwitchIB(info.DeviceID):
		told.code = switchIBTick
	default:
		return 0
	}
	return (float64(told.code) + 1) * lanes
}

func isQuantum(id uint16) bool { return id == quantum || id == quantum2 || id == quantum3 }

func isSwitchIB(id uint16) bool { return id == switchX || id == switchIB || id == switchIB2 }
