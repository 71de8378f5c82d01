package ibswportwatch

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/pma"
)

// excessive is the rate, in a second, above which a counter is told of as such.
const excessive = 10

// counter is a counter that is watched.
type counter struct {
	name  string
	value func(*pma.PortCounters) uint64
	rated bool // it is told of when it counts
	data  bool
}

// rate is how fast it counts, in a second; below 0 after a reset.
func (c *counter) rate(old, new reading) float64 {
	seconds := new.at.Sub(old.at).Seconds()
	if seconds <= 0 {
		return 0
	}
	return (float64(c.value(&new.counters)) - float64(c.value(&old.counters))) / seconds
}

var watched = []counter{
	{"SymbolErrorCounter", func(c *pma.PortCounters) uint64 { return uint64(c.SymbolErrors) }, true, false},
	{"LinkErrorRecoveryCounter", func(c *pma.PortCounters) uint64 { return uint64(c.LinkErrorRecovery) }, true, false},
	{"LinkDownedCounter", func(c *pma.PortCounters) uint64 { return uint64(c.LinkDowned) }, false, false},
	{"PortRcvErrors", func(c *pma.PortCounters) uint64 { return uint64(c.RcvErrors) }, true, false},
	{"PortRcvRemotePhysicalErrors", func(c *pma.PortCounters) uint64 { return uint64(c.RcvRemotePhysErrors) }, false, false},
	{"PortRcvSwitchRelayErrors", func(c *pma.PortCounters) uint64 { return uint64(c.RcvSwitchRelayErrors) }, false, false},
	{"PortXmitDiscards", func(c *pma.PortCounters) uint64 { return uint64(c.XmitDiscards) }, true, false},
	{"PortXmitConstraintErrors", func(c *pma.PortCounters) uint64 { return uint64(c.XmitConstraintErrors) }, false, false},
	{"PortRcvConstraintErrors", func(c *pma.PortCounters) uint64 { return uint64(c.RcvConstraintErrors) }, false, false},
	{"LocalLinkIntegrityErrors", func(c *pma.PortCounters) uint64 { return uint64(c.LocalLinkIntegrity) }, true, false},
	{"ExcessiveBufferOverrunErrors", func(c *pma.PortCounters) uint64 { return uint64(c.ExcessiveBufferOverrun) }, false, false},
	{"VL15Dropped", func(c *pma.PortCounters) uint64 { return uint64(c.VL15Dropped) }, false, false},
	{"PortXmitData", func(c *pma.PortCounters) uint64 { return uint64(c.XmitData) }, false, true},
	{"PortRcvData", func(c *pma.PortCounters) uint64 { return uint64(c.RcvData) }, false, true},
	{"PortXmitPkts", func(c *pma.PortCounters) uint64 { return uint64(c.XmitPkts) }, false, true},
	{"PortRcvPkts", func(c *pma.PortCounters) uint64 { return uint64(c.RcvPkts) }, false, true},
}

// document is what was seen.
type document struct {
	LID    ib.LID  `json:"lid"`
	Port   uint8   `json:"port"`
	Cycles []cycle `json:"cycles"` // the last maxDocument of them
}

// cycle is the time between two readings.
type cycle struct {
	Seconds  float64   `json:"seconds"`
	Counters []counted `json:"counters"`
}

type counted struct {
	Counter   string  `json:"counter"`
	Old       uint64  `json:"old"`
	New       uint64  `json:"new"`
	PerSecond float64 `json:"per_second"`
	Excessive bool    `json:"excessive,omitempty"`
}

func (d *document) add(old, new reading) {
	c := cycle{Seconds: new.at.Sub(old.at).Seconds()}
	for i := range watched {
		w := &watched[i]
		rate := w.rate(old, new)
		c.Counters = append(c.Counters, counted{
			w.name, w.value(&old.counters), w.value(&new.counters), rate, w.rated && rate > excessive,
		})
	}
	if d.Cycles = append(d.Cycles, c); len(d.Cycles) > maxDocument {
		d.Cycles = d.Cycles[1:]
	}
}
