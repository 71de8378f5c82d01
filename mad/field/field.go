package field

// A Field is one field of an attribute, or an array of equal ones.
type Field struct {
	C    string // name as the C tools print it; array elements add their index
	Go   string // name of the struct field
	JSON string // key in JSON

	Offset uint16 // of the first element, in bits from the start of the data, most significant bit first
	Width  uint16 // of one element in bits
	Count  uint16 // elements of an array, 0 for a single value
	Stride uint16 // bits from one element to the next; arrays only

	Format Format
	Kind   Kind
	Flags  Flags

	// Mask is the bits of a mask that stand for the field, 0 if there are none:
	// of CounterSelect for a performance counter, with CounterSelect2 in the
	// bits from 16 on; of the ComponentMask for a field of a record.
	Mask uint64
}

// Flags say where a field takes part.
type Flags uint8

const (
	// Extra marks a field that libibmad's dump of the attribute leaves out.
	Extra Flags = 1 << iota

	// Alias marks a second view of bits that other fields declare. It is
	// found by name, but is in no dump and in no JSON.
	Alias

	// Secret marks a key: who reads it may change what it protects.
	Secret
)

// Kind is what the value of a field is, as far as JSON needs to know.
type Kind uint8

// The kinds. All but Bytes and GID are numbers of at most 64 bits.
const (
	Number Kind = iota
	Bool
	Bytes
	GUID
	LID
	PKey
	GID
	NodeType
	PortState
	PhysState
	LinkWidth
	MTU
	VLCap
	SMState
)

// Elements is the number of values: 1 for a field that is no array.
func (f *Field) Elements() int { return max(1, int(f.Count)) }

// Bits is the number of bits from the start of the first element to the end
// of the last.
func (f *Field) Bits() int {
	return (f.Elements()-1)*int(f.Stride) + int(f.Width)
}

// Max is the largest value of the field, of an element if it is an array: where
// a counter stops. Of a field wider than 64 bits it is that of 64.
func (f *Field) Max() uint64 { return 1<<min(f.Width, 64) - 1 }

// In reports whether the whole field lies within data.
func (f *Field) In(data []byte) bool {
	return int(f.Offset)+f.Bits() <= len(data)*8
}

// Element is the field that stands for element i of an array, with the index
// added to its names. Out of range it is the zero Field, which has no bits.
func (f *Field) Element(i int) Field {
	if i < 0 || i >= f.Elements() {
		return Field{}
	}
	if f.Count == 0 {
		return *f
	}
	e := *f
	e.Offset += uint16(i) * f.Stride
	e.Count, e.Stride = 0, 0
	if f.Mask&(f.Mask-1) != 0 { // a bit for each element
		for range i {
			e.Mask &= e.Mask - 1
		}
		e.Mask &= -e.Mask
	}
	e.C, e.Go, e.JSON = indexed(f.C, i), indexed(f.Go, i), indexed(f.JSON, i)
	return e
}

// Uint is the value of the field, of its first element if it is an array. Of
// a field wider than 64 bits it is the last 64; bits beyond data are 0.
func (f *Field) Uint(data []byte) uint64 { return f.UintAt(data, 0) }

// UintAt is the value of element i of an array, 0 when i is out of range.
func (f *Field) UintAt(data []byte, i int) uint64 {
	if i < 0 || i >= f.Elements() {
		return 0
	}
	return bits(data, int(f.Offset)+i*int(f.Stride), int(f.Width))
}

// SetUint writes the value of the field, of its first element if it is an
// array. Bits of v beyond the field's width and bits beyond data are dropped.
func (f *Field) SetUint(data []byte, v uint64) {
	for i := int(f.Width) - 1; i >= 0; i-- {
		bit := int(f.Offset) + i
		if bit/8 < len(data) {
			mask := byte(0x80) >> (bit % 8)
			data[bit/8] &^= mask
			if v&1 != 0 {
				data[bit/8] |= mask
			}
		}
		v >>= 1
	}
}

// Bytes is the part of data that holds a field made of whole bytes, elements
// included; nil if it is not byte aligned or not within data.
func (f *Field) Bytes(data []byte) []byte {
	if f.Offset%8 != 0 || f.Bits()%8 != 0 || !f.In(data) {
		return nil
	}
	at := int(f.Offset) / 8
	return data[at : at+f.Bits()/8]
}

// bits reads width bits from bit offset on, most significant first.
func bits(data []byte, offset, width int) uint64 {
	if end := offset%8 + width; end <= 8 {
		return uint64(at(data, offset/8)) >> (8 - end) & (1<<width - 1)
	}
	var v uint64
	for offset%8 != 0 && width > 0 {
		n := min(8-offset%8, width)
		v = v<<n | uint64(at(data, offset/8))>>(8-offset%8-n)&(1<<n-1)
		offset, width = offset+n, width-n
	}
	for ; width >= 8; offset, width = offset+8, width-8 {
		v = v<<8 | uint64(at(data, offset/8))
	}
	if width > 0 {
		v = v<<width | uint64(at(data, offset/8))>>(8-width)
	}
	return v
}

func at(data []byte, i int) byte {
	if i < len(data) {
		return data[i]
	}
	return 0
}
