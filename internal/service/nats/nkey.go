package nats

import (
	"crypto/ed25519"
	"encoding/base32"
	"encoding/binary"
	"errors"
)

// Parts of a seed, before it is written in letters: what it is and of whom, in five bits
// each, the seed of ed25519, and a sum. A letter is five bits, so that the first two tell.
const (
	seedPrefix = 2
	seedLength = seedPrefix + ed25519.SeedSize + 2
	isSeed     = 'S' - 'A'
	ofUser     = 'U' - 'A'
)

// parseSeed reads the seed of a user, which begins with SU.
func parseSeed(text string) (ed25519.PrivateKey, error) {
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil || len(raw) != seedLength {
		return nil, errors.New("it is none") // and is not shown
	}
	if raw[0]>>3 != isSeed || raw[0]&7<<2|raw[1]>>6 != ofUser {
		return nil, errors.New("it is not that of a user")
	}
	body := raw[:seedLength-2]
	if crc16(body) != binary.LittleEndian.Uint16(raw[len(body):]) {
		return nil, errors.New("its sum is wrong")
	}
	return ed25519.NewKeyFromSeed(body[seedPrefix:]), nil
}

// crc16 is the sum of XMODEM.
func crc16(text []byte) (sum uint16) {
	for _, b := range text {
		sum ^= uint16(b) << 8
		for range 8 {
			top := sum >> 15
			sum = sum<<1 ^ top*0x1021
		}
	}
	return sum
}
