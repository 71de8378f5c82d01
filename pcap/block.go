package pcap

import "encoding/binary"

// The pcapng blocks and options that matter here (draft-ietf-opsawg-pcapng).
const (
	blockSection   = 0x0a0d0d0a
	blockInterface = 1
	blockPacket    = 2 // obsolete form of blockEnhanced
	blockSimple    = 3
	blockEnhanced  = 6

	byteOrderMagic = 0x1a2b3c4d

	optionEnd        = 0
	optionComment    = 1
	optionUserAppl   = 4  // of a section
	optionName       = 2  // of an interface
	optionResolution = 9  // of an interface
	optionOffset     = 14 // of an interface, seconds to add to all times
	optionFlags      = 2  // of a packet

	flagInbound   = 1
	flagOutbound  = 2
	flagDirection = 3

	nanoseconds = 9 // as a power of ten of optionResolution
)

// Link types (https://www.tcpdump.org/linktypes.html).
const (
	LinkERF        = 197
	LinkInfiniBand = 247
)

// maxText bounds names and comments.
const maxText = 512

// beginBlock appends the start of a block. The length is written by endBlock.
func beginBlock(dst []byte, kind uint32) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, kind)
	return binary.LittleEndian.AppendUint32(dst, 0)
}

// endBlock ends the options and the block that begins at start.
func endBlock(dst []byte, start int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, optionEnd)
	size := uint32(len(dst) - start + 4)
	binary.LittleEndian.PutUint32(dst[start+4:], size)
	return binary.LittleEndian.AppendUint32(dst, size)
}

func appendOption[T string | []byte](dst []byte, code uint16, value T) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, code)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(value)))
	return pad(append(dst, value...))
}

// pad appends zeros up to the next multiple of 4. What it is given begins at one.
func pad(dst []byte) []byte {
	for len(dst)%4 != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// cut is at most maxText bytes of a text, whole characters if it is UTF-8.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > maxText-4 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
