package metrics

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"hash/maphash"
	"io"
	"runtime"
	"slices"
)

// A piece is a stretch of a page: what one fabric has of one family, or the lines that
// introduce a family. It is immutable.
type piece struct {
	packed  []byte // whole blocks of DEFLATE that refer to nothing before them
	size    int64  // of the text
	crc     uint32 // of the text, CRC-32
	print   uint64 // of the text, to see that it is the same as before
	samples int
	dropped int
}

// A packer makes pieces. It belongs to one goroutine.
type packer struct {
	seed maphash.Seed
	out  bytes.Buffer
	w    *flate.Writer
}

func newPacker() *packer { return &packer{seed: maphash.MakeSeed()} }

// pack compresses a text, unless it is that of the piece that there was before.
func (p *packer) pack(text []byte, samples, dropped int, before *piece) *piece {
	print := maphash.Bytes(p.seed, text)
	if before != nil && before.print == print && before.size == int64(len(text)) {
		if before.samples == samples && before.dropped == dropped {
			return before
		}
		same := *before
		same.samples, same.dropped = samples, dropped
		return &same
	}
	return &piece{
		packed: p.deflate(text), size: int64(len(text)), crc: crc32.ChecksumIEEE(text), print: print,
		samples: samples, dropped: dropped,
	}
}

// chunkSize is how much is compressed before others may run, a fraction of a
// millisecond's worth: a scrape that comes meanwhile goes first. Without that it would
// wait for the scheduler's 10 ms each time it has to wait at all.
const chunkSize = 32 << 10

// deflate compresses fast rather than well: the same words stand in every line, and
// that is found at any level.
func (p *packer) deflate(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	p.out.Reset()
	if p.w == nil {
		p.w, _ = flate.NewWriter(&p.out, flate.BestSpeed) // fails for wrong levels only
	} else {
		p.w.Reset(&p.out)
	}
	for chunk := range slices.Chunk(text, chunkSize) {
		_, _ = p.w.Write(chunk) // a bytes.Buffer takes everything
		runtime.Gosched()
	}
	_ = p.w.Flush()
	return bytes.Clone(p.out.Bytes())
}

// lastBlock is an empty block of DEFLATE, the last one of its stream.
var lastBlock = []byte{0x03, 0x00}

// text gives back what was packed.
func (p *piece) text() io.Reader {
	return flate.NewReader(io.MultiReader(bytes.NewReader(p.packed), bytes.NewReader(lastBlock)))
}
