package perf

import (
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
)

// What a sampling counter can count (IBA vol. 1, 16.1.3.2).
var sampled = map[uint16]quantity{1: xmitWords, 2: rcvWords, 3: xmitPkts, 4: rcvPkts, 5: xmitWait}

// The capabilities of sampling. All 15 counters may count all of the above: bit
// 0 of each mask.
const (
	sampleWidth   = 4 // 32 bits
	sampleMasks1  = 1<<24 | 1<<21 | 1<<18 | 1<<15 | 1<<12 | 1<<9 | 1<<6 | 1<<3 | 1
	sampleMasks10 = 1<<12 | 1<<9 | 1<<6 | 1<<3 | 1
)

// optionMask says which optional counters there are: by bit, 6 on the details of
// errors and discards, 16 opcodes, 18 flow control, 20 virtual lanes, 24 unicast
// and multicast, 28 extended speeds, 49 on congestion, 55 service levels.
const optionMask uint64 = 1<<29 - 1<<6 | 1<<57 - 1<<49

// optionCongestion is the bit of SwPortVLCongestion, of switches only.
const optionCongestion uint64 = 1 << 48

// samples is the sampling mechanism of an agent: a switch has one for all its
// ports. Nothing happens while it runs: what the counters were at start and end
// is computed when somebody asks. Only packets that really pass are counted from
// the Set on, until it is first asked after the end.
type samples struct {
	control    pma.PortSamplesControl
	at         sim.Place
	start, end time.Duration // since the start of all counters
	from       moment
	to         *moment // once it has ended
}

// status at a time.
func (s *samples) status(now time.Duration) uint8 {
	switch {
	case s == nil || now >= s.end:
		return pma.SampleDone
	case now < s.start:
		return pma.SampleStarted
	}
	return pma.SampleRunning
}

// sampler is the ledger that has the sampling of an agent.
func (c *Counters) sampler(at sim.Place) *ledger {
	if c.kinds[at.Node.Index()].isSwitch {
		at.Port = 0
	}
	p, _ := c.port(at)
	return c.ledger(p)
}

// samplesControl answers for PortSamplesControl. A Set while sampling runs
// changes nothing.
func (c *Counters) samplesControl(at sim.Place, data []byte, isSet bool) mad.Status {
	k := &c.kinds[at.Node.Index()]
	if !mayAsk(k, at, int(data[1])) {
		return mad.StatusInvalidValue
	}
	d := c.sampler(at)
	d.mu.Lock()
	defer d.mu.Unlock()
	now := c.now()
	if isSet && d.samples.status(now) == pma.SampleDone {
		at.Port = int(data[1])
		d.samples = c.startSampling(at, data, now)
	}
	v := pma.PortSamplesControl{PortSelect: data[1]}
	if d.samples != nil {
		v = d.samples.control
	}
	v.Tick, v.CounterWidth = tickCode(at.Node), sampleWidth
	v.CounterMask0, v.CounterMasks1to9, v.CounterMasks10to14 = 1, sampleMasks1, sampleMasks10
	v.SampleMechanisms, v.VendorMask, v.SamplesOnlyOptionMask = 0, 0, 0
	v.SampleStatus = d.samples.status(now)
	v.OptionMask = optionMask
	if k.isSwitch {
		v.OptionMask |= optionCongestion
	}
	clear(data)
	v.Encode((*[dataSize]byte)(data))
	return mad.StatusOK
}

func (c *Counters) startSampling(at sim.Place, data []byte, now time.Duration) *samples {
	s := &samples{at: at}
	s.control.Decode((*[dataSize]byte)(data))
	tick := tickOf(at.Node, at.Port)
	s.start = now + time.Duration(float64(s.control.SampleStart)*tick)
	s.end = s.start + time.Duration(float64(s.control.SampleInterval)*tick)
	p, _ := c.port(at)
	c.at(at, p, s.start, &s.from)
	return s
}

// samplesResult answers for PortSamplesResult, which names no port: it is the
// one that has been sampled.
func (c *Counters) samplesResult(at sim.Place, data []byte, isSet bool) mad.Status {
	if isSet {
		return mad.StatusUnsupportedAttr
	}
	d := c.sampler(at)
	d.mu.Lock()
	defer d.mu.Unlock()
	now := c.now()
	var v pma.PortSamplesResult
	if s := d.samples; s != nil {
		v.Tag, v.SampleStatus = s.control.Tag, s.status(now)
		if now >= s.start {
			c.sample(s, now, &v)
		}
	}
	clear(data)
	v.Encode((*[dataSize]byte)(data))
	return mad.StatusOK
}

// sample fills in what has been counted between the start and now, or the end.
func (c *Counters) sample(s *samples, now time.Duration, v *pma.PortSamplesResult) {
	end := s.to
	if end == nil {
		end = &moment{}
		p, _ := c.port(s.at)
		c.at(s.at, p, min(now, s.end), end)
		if now >= s.end {
			s.to = end
		}
	}
	for i, what := range s.control.CounterSelect {
		if q := sampled[what]; q != nothing {
			v.Counters[i] = uint32(min(end.total(q)-s.from.total(q), 1<<32-1))
		}
	}
}
