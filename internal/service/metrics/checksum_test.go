package metrics

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestJoinChecksums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 1<<17)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	for _, n := range []int{0, 1, 2, 255, 4096, 65537, len(text)} {
		a, b := text[:n], text[n:]
		if got, want := joinChecksums(crc32.ChecksumIEEE(a), crc32.ChecksumIEEE(b), int64(len(b))), crc32.ChecksumIEEE(text); got != want {
			t.Errorf("%d and %d bytes: %08x, want %08x", len(a), len(b), got, want)
		}
	}
}
