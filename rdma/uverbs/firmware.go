package uverbs

import (
	"bytes"
	"fmt"
)

// dotted is the form of most drivers: three numbers of 16 bits.
func dotted(format string) func(uint64, []byte) string {
	return func(v uint64, _ []byte) string {
		return fmt.Sprintf(format, v>>32&0xffff, v>>16&0xffff, v&0xffff)
	}
}

// fourBytes is four numbers of 8 bits, the highest first.
func fourBytes(v uint64, _ []byte) string {
	return fmt.Sprintf("%d.%d.%d.%d", v>>24&0xff, v>>16&0xff, v>>8&0xff, v&0xff)
}

// nativeBytes is the first four bytes of the number as it lies in memory.
func nativeBytes(v uint64, _ []byte) string {
	b := bytesOf(&v)
	return fmt.Sprintf("%d.%d.%d.%d", b[0], b[1], b[2], b[3])
}

func irdmaFirmware(v uint64, _ []byte) string {
	return fmt.Sprintf("%d.%d", v>>32&0xffff, v&0xffff)
}

// ocrdmaFirmware is text in the answer to GetContext.
func ocrdmaFirmware(_ uint64, context []byte) string {
	r := view[ocrdmaResponse](context)
	text, _, _ := bytes.Cut(r.Firmware[:], []byte{0})
	return string(text)
}
