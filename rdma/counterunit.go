package rdma

import "strings"

// Unit is what a counter counts.
type Unit uint8

// The units.
const (
	Events  Unit = iota // errors and other occurrences
	Packets             // of data
	Bytes
	Words // 4 bytes each, as the specification counts data
	Ticks // of a clock of the hardware's own
)

var unitNames = [...]string{"events", "packets", "bytes", "words", "ticks"}

// String is "events", "packets", "bytes", "words" or "ticks".
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return unknownCode(int(u))
}

// MarshalText implements encoding.TextMarshaler.
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// maxLifespan is more milliseconds than any driver asks for; more would not fit
// a time.Duration.
const maxLifespan = 1 << 40

// classic are the counters of the directory counters: unit, and width in
// PortCounters. Those of 32 bits have 64 where PortCountersExtended exists, and
// the kernel takes them from there. Drivers use some of the names for their own.
var classic = [...]struct {
	name string
	unit Unit
	bits uint8
}{
	{"symbol_error", Events, 16},
	{"link_error_recovery", Events, 8},
	{"link_downed", Events, 8},
	{"port_rcv_errors", Events, 16},
	{"port_rcv_remote_physical_errors", Events, 16},
	{"port_rcv_switch_relay_errors", Events, 16},
	{"port_xmit_discards", Events, 16},
	{"port_xmit_constraint_errors", Events, 8},
	{"port_rcv_constraint_errors", Events, 8},
	{"local_link_integrity_errors", Events, 4},
	{"excessive_buffer_overrun_errors", Events, 4},
	{"VL15_dropped", Events, 16},
	{"port_xmit_data", Words, 32},
	{"port_rcv_data", Words, 32},
	{"port_xmit_packets", Packets, 32},
	{"port_rcv_packets", Packets, 32},
	{"port_xmit_wait", Ticks, 32},
	{"port_xmit_data_64", Words, 0},
	{"port_rcv_data_64", Words, 0},
	{"port_xmit_packets_64", Packets, 0},
	{"port_rcv_packets_64", Packets, 0},
}

// classicCounter makes a counter of the specification.
func classicCounter(name string, value uint64) Counter {
	for _, c := range classic {
		if c.name == name {
			return Counter{Name: name, Value: value, Unit: c.unit, Bits: c.bits}
		}
	}
	return driverCounter(name, value)
}

// driverCounter makes a counter of a driver. Drivers choose names as they like;
// the ends of names tell bytes and packets apart from events.
func driverCounter(name string, value uint64) Counter {
	c := Counter{Name: name, Value: value}
	lower := strings.ToLower(strings.TrimSuffix(name, "_64"))
	switch {
	case hasAnySuffix(lower, "bytes", "octets"):
		c.Unit = Bytes
	case hasAnySuffix(lower, "packets", "pkts"):
		c.Unit = Packets
	}
	return c
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}
