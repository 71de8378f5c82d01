package metrics

import "hash/crc32"

// joinChecksums is the CRC-32 of two texts behind each other, from those of both and
// the length of the second. A CRC is the remainder of a division of polynomials over
// GF(2): n zero bits behind a text multiply its remainder by xⁿ.
func joinChecksums(first, second uint32, secondLen int64) uint32 {
	return multiply(power(uint64(secondLen)*8), first) ^ second
}

// one is the polynomial 1: CRC-32 has the lowest power in the highest bit.
const one = 1 << 31

// multiply is a·b modulo the polynomial of CRC-32.
func multiply(a, b uint32) uint32 {
	var product uint32
	for bit := uint32(one); bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		if b&1 != 0 {
			b = b>>1 ^ crc32.IEEE
		} else {
			b >>= 1
		}
	}
	return product
}

// power is xⁿ modulo the polynomial of CRC-32.
func power(n uint64) uint32 {
	result, square := uint32(one), uint32(one>>1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result = multiply(square, result)
		}
		square = multiply(square, square)
	}
	return result
}
