package pcap

import "hash/crc32"

// Offsets within the headers of bytes that the invariant CRC leaves out.
const (
	grhHopLimit  = 7
	bthReserved8 = 4
)

// invariantCRC is the ICRC of a packet, given from its LRH up to the end of its
// payload (IBA vol. 1, 7.8.1): the CRC-32 of Ethernet over all fields that
// neither switches nor routers change; those that they may change count as ones,
// and are so while it computes. The packet has at least an LRH, a GRH if hasGRH,
// and a BTH.
func invariantCRC(packet []byte, hasGRH bool) uint32 {
	n := lrhSize + bthSize
	if hasGRH {
		n += grhSize
	}
	var kept [lrhSize + grhSize + bthSize]byte
	head := packet[:n]
	copy(kept[:], head)
	defer copy(head, kept[:])
	if hasGRH {
		for i := range lrhSize {
			head[i] = 0xff
		}
		grh := head[lrhSize:]
		grh[0] |= 0x0f // traffic class and flow label, behind the version
		grh[1], grh[2], grh[3], grh[grhHopLimit] = 0xff, 0xff, 0xff, 0xff
	} else {
		head[0] |= 0xf0 // virtual lane
	}
	head[n-bthSize+bthReserved8] = 0xff
	return crc32.ChecksumIEEE(packet)
}

// variantPolynomial is x¹⁶+x¹²+x³+x+1 with the lowest power first.
const variantPolynomial = 0xd008

// variantCRC is the VCRC of a packet, given from its LRH up to its ICRC (IBA
// vol. 1, 7.8.2).
func variantCRC(packet []byte) uint16 {
	crc := uint16(0xffff)
	for _, b := range packet {
		crc = crc>>8 ^ variantTable[uint8(crc)^b]
	}
	return ^crc
}

// variantTable has what a byte does to the CRC.
var variantTable = func() (t [256]uint16) {
	for i := range t {
		v := uint16(i)
		for range 8 {
			carry := v & 1
			v >>= 1
			if carry != 0 {
				v ^= variantPolynomial
			}
		}
		t[i] = v
	}
	return t
}()
