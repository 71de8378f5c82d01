package congestion

import (
	"github.com/ibscope/ibscope/mad/cc"
	"github.com/ibscope/ibscope/sim"
)

// eventLog is what a node remembers of congestion: the newest events, the last
// first, and a count that stops at its largest value.
type eventLog struct {
	events uint16
	ports  [32]byte // a bit for each port of a switch, that of port 0 the last
	levels uint16   // a bit for each service level of an adapter
	sw     []cc.SwitchLogEntry
	ca     []cc.CALogEntry
}

// maxMark is the largest port number in a port map.
const maxMark = 255

// Marked writes an event into the log of a switch: it marked a packet at a port.
// The time of the entry is now. At another node nothing happens.
func (a *Agent) Marked(at sim.Place, e cc.SwitchLogEntry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.at(at)
	if !s.isSwitch || at.Port < 0 || at.Port > maxMark {
		return
	}
	e.TimeStamp = a.now()
	s.log.ports[len(s.log.ports)-1-at.Port/8] |= 1 << (at.Port % 8)
	s.log.sw = newest(s.log.sw, e, len(cc.CongestionLogSwitch{}.Entries))
	s.log.count()
}

// Notified writes an event into the log of an adapter's port: a notification has
// slowed it down. The time of the entry is now. At a switch nothing happens.
func (a *Agent) Notified(at sim.Place, e cc.CALogEntry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.at(at)
	if s.isSwitch {
		return
	}
	e.TimeStamp = a.now()
	s.log.levels |= 1 << (e.SL & 0xf)
	s.log.ca = newest(s.log.ca, e, len(cc.CongestionLogCA{}.Entries))
	s.log.count()
}

func (l *eventLog) count() {
	if l.events != 0xffff {
		l.events++
	}
}

// newest puts an entry before the others and drops what is too old.
func newest[T any](list []T, e T, limit int) []T {
	list = append([]T{e}, list...)
	return list[:min(len(list), limit)]
}

func (l *eventLog) encode(b *[224]byte, isSwitch bool, now uint32) {
	if isSwitch {
		v := cc.CongestionLogSwitch{LogType: cc.LogSwitch, EventCounter: l.events, CurrentTimeStamp: now, PortMap: l.ports}
		copy(v.Entries[:], l.sw)
		v.Encode(b)
		return
	}
	v := cc.CongestionLogCA{LogType: cc.LogCA, ThresholdEventCounter: l.events, ThresholdEventMap: l.levels, CurrentTimeStamp: now}
	copy(v.Entries[:], l.ca)
	v.Encode(b)
}
