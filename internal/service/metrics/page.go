package metrics

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strings"
)

// Format is a text form of metrics.
type Format uint8

// The formats.
const (
	Text        Format = iota // that of Prometheus, version 0.0.4
	OpenMetrics               // version 1.0.0
)

// contentTypes are what the formats are called in HTTP.
var contentTypes = [...]string{
	Text:        "text/plain; version=0.0.4; charset=utf-8",
	OpenMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
}

// A page is a row of pieces.
type page []*piece

// size is the length of the text.
func (p page) size() int64 {
	var n int64
	for _, piece := range p {
		n += piece.size
	}
	return n
}

// gzipHeader is the begin of a gzip file that says nothing about itself, gzipTail the
// length of what stands at its end.
const (
	gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
	gzipTail   = 2 + 8
)

// gzipSize is the length of what writeGzip writes.
func (p page) gzipSize() int64 {
	n := int64(len(gzipHeader) + gzipTail)
	for _, piece := range p {
		n += int64(len(piece.packed))
	}
	return n
}

// writeSize is how much is written at once. Each write may wake up who reads, and on a
// busy machine that takes longer than to copy the bytes.
const writeSize = 256 << 10

// writeGzip writes the page as one gzip file (RFC 1952). Programs that do not look for
// a second file behind the first one read all of it.
func (p page) writeGzip(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeSize)
	out.WriteString(gzipHeader) // errors stay until Flush
	var crc uint32
	for _, piece := range p {
		if _, err := out.Write(piece.packed); err != nil {
			return err
		}
		crc = joinChecksums(crc, piece.crc, piece.size)
	}
	end := append([]byte(nil), lastBlock...)
	end = binary.LittleEndian.AppendUint32(end, crc)
	end = binary.LittleEndian.AppendUint32(end, uint32(p.size()&math.MaxUint32))
	out.Write(end)
	return out.Flush()
}

// writeText writes the page as it is.
func (p page) writeText(w io.Writer) error {
	for _, piece := range p {
		if _, err := io.Copy(w, piece.text()); err != nil {
			return err
		}
	}
	return nil
}

// appendHead writes the lines that introduce a family.
func appendHead(b []byte, f *family, format Format) []byte {
	name, help := f.name, helpEscapes.Replace(f.help)
	if format == OpenMetrics {
		help = strings.ReplaceAll(help, `"`, `\"`)
		if f.kind == counter {
			name = strings.TrimSuffix(name, "_total")
		}
	}
	b = append(b, "# HELP "+name+" "+help+"\n"...)
	return append(b, "# TYPE "+name+" "+string(f.kind)+"\n"...)
}

var helpEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
