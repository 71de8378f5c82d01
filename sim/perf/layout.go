package perf

import (
	"encoding/binary"
	"math/bits"

	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// dataSize is that of the data of all attributes with counters.
const dataSize = 192

// layout is how an attribute with counters looks.
type layout struct {
	attribute field.Attribute
	index     int // among all layouts
	counters  []counter
	mask      selectMask
	opcode    bool // has a field OpCode, which says what is counted
}

// counter is a field, or an element of one, that shows a quantity.
type counter struct {
	name   string // as the C tools print it
	offset uint16 // in bits
	width  uint8
	max    uint64
	bit    uint64 // of the mask that selects it
	of     quantity
}

// selectMask tells where the bits of a mask are that select counters.
type selectMask uint8

const (
	shortMask    selectMask = iota // bytes 2 and 3 only
	countersMask                   // also byte 18
	extendedMask                   // also bytes 4 to 7
	lanesMask                      // bytes 8 to 15
)

// maxCounters is how many counters an attribute can have.
const maxCounters = 64

// layouts are all attributes with counters, made from their field tables.
func layouts() []*layout {
	var all []*layout
	for _, a := range pma.Attributes() {
		if kinds()[a.Name] == nil {
			continue
		}
		l := &layout{attribute: a, index: len(all)}
		switch a.Name {
		case "PortCounters":
			l.mask = countersMask
		case "PortCountersExtended":
			l.mask = extendedMask
		case "PortExtendedSpeedsCounters", "RSFECSpeedsCounters":
			l.mask = lanesMask
		}
		for i := range a.Fields {
			l.add(&a.Fields[i])
		}
		all = append(all, l)
	}
	return all
}

// add takes in a field of the table if it is a counter.
func (l *layout) add(f *field.Field) {
	if f.Go == "OpCode" {
		l.opcode = true
	}
	if f.Mask == 0 {
		return
	}
	kind := kindOf(l.attribute.Name, f.Go)
	for i := range f.Elements() {
		e := f.Element(i)
		l.counters = append(l.counters, counter{
			name: e.C, offset: e.Offset, width: uint8(e.Width), max: e.Max(),
			bit: e.Mask & -e.Mask, of: kind + quantity(i),
		})
	}
}

// selected is the mask in the data of a Set.
func (s selectMask) selected(data []byte) uint64 {
	low := uint64(binary.BigEndian.Uint16(data[2:]))
	switch s {
	case countersMask:
		return low | uint64(data[18])<<16
	case extendedMask:
		return low | uint64(binary.BigEndian.Uint32(data[4:]))<<16
	case lanesMask:
		return binary.BigEndian.Uint64(data[8:])
	}
	return low
}

// clear leaves of the data what names port and counters.
func (s selectMask) clear(data []byte) {
	second := [...][2]int{shortMask: {}, countersMask: {18, 19}, extendedMask: {4, 8}, lanesMask: {8, 16}}[s]
	first := 4
	if second[0] < first { // none
		second[0], second[1] = first, first
	}
	clear(data[first:second[0]])
	clear(data[second[1]:])
}

// put writes a value of the counter, which is at most its largest.
func (c *counter) put(data []byte, v uint64) {
	b := data[c.offset/8:]
	switch c.width {
	case 64:
		binary.BigEndian.PutUint64(b, v)
	case 32:
		binary.BigEndian.PutUint32(b, uint32(v))
	case 16:
		binary.BigEndian.PutUint16(b, uint16(v))
	case 8:
		b[0] = byte(v)
	default: // two to four bits, which do not cross a byte
		b[0] |= byte(v) << (8 - c.offset%8 - uint16(c.width))
	}
}

// cut is the value of a counter that has seen n.
func (c *counter) cut(n uint64) uint64 { return min(n, c.max) }

// sum adds two values of a counter.
func (c *counter) sum(a, b uint64) uint64 {
	if c.width == 64 {
		return a + b
	}
	total, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return c.max
	}
	return c.cut(total)
}
