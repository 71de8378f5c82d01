package pcap

import (
	"encoding/binary"
	"io"
	"sync"
	"time"
)

// bufferSize is how much a Writer collects before it writes.
const bufferSize = 64 << 10

// maxBlock is the size of the largest block that a Writer makes.
const maxBlock = 256 + erfHeader + MaxFrame + 2*maxText

// flushAfter is how old what was collected may become before the next packet
// takes it along, so that whoever follows a capture sees it grow.
const flushAfter = time.Second

// Writer writes a capture, one write for many packets, but whole blocks only: a
// program that dies leaves a file that can be read to its end. It may be used by
// several goroutines at once.
//
// The first error of the stream below ends the capture: what follows is dropped,
// and Flush, as each later call, gives that error.
type Writer struct {
	mu         sync.Mutex
	w          io.Writer
	buf        []byte
	flushed    time.Time
	interfaces uint32
	err        error
}

// NewWriter begins a capture on w. The program is what the capture says that it
// was made by. Nothing is written before the first Flush or 64 KiB.
func NewWriter(w io.Writer, program string) *Writer {
	b := beginBlock(make([]byte, 0, bufferSize), blockSection)
	b = binary.LittleEndian.AppendUint32(b, byteOrderMagic)
	b = binary.LittleEndian.AppendUint32(b, 1)       // version 1.0
	b = binary.LittleEndian.AppendUint64(b, 1<<64-1) // length not known
	b = appendOption(b, optionUserAppl, cut(program))
	return &Writer{w: w, buf: endBlock(b, 0)}
}

// AddInterface declares an interface, as "umad:mlx5_0/1", and gives its number
// for Write.
func (w *Writer) AddInterface(name string) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room()
	start := len(w.buf)
	b := beginBlock(w.buf, blockInterface)
	b = binary.LittleEndian.AppendUint16(b, LinkERF)
	b = append(b, 0, 0, 0, 0, 0, 0) // packets of any length
	b = appendOption(b, optionName, cut(name))
	b = appendOption(b, optionResolution, []byte{nanoseconds})
	w.buf = endBlock(b, start)
	w.interfaces++
	return int(w.interfaces - 1), w.err
}

// Write appends a packet of an interface. It takes time, kind, comment, header and
// packet of the record; the time must lie between 1970 and 2554. It allocates
// nothing.
func (w *Writer) Write(number int, r *Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.room()
	if w.flushed.IsZero() {
		w.flushed = r.Time
	} else if r.Time.Sub(w.flushed) > flushAfter {
		w.flush()
		w.flushed = r.Time
	}
	w.buf = appendPacket(w.buf, uint32(number), r)
	return w.err
}

func appendPacket(b []byte, number uint32, r *Record) []byte {
	start := len(b)
	b = beginBlock(b, blockEnhanced)
	b = binary.LittleEndian.AppendUint32(b, number)
	at := uint64(r.Time.UnixNano())
	b = binary.LittleEndian.AppendUint32(b, uint32(at>>32))
	b = binary.LittleEndian.AppendUint32(b, uint32(at))
	lengths := len(b)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	b = appendERF(b, r.Time, r.Header.frameSize())
	b = AppendFrame(b, &r.Header, &r.Packet)
	length := uint32(len(b) - lengths - 8)
	binary.LittleEndian.PutUint32(b[lengths:], length)
	binary.LittleEndian.PutUint32(b[lengths+4:], length)
	b = pad(b)
	if flags := r.Kind.flags(); flags != 0 {
		b = append(b, optionFlags, 0, 4, 0, flags, 0, 0, 0)
	}
	if comment := r.Kind.prefix(); comment != "" || r.Comment != "" {
		b = appendComment(b, comment, cut(r.Comment))
	}
	return endBlock(b, start)
}

func appendComment(b []byte, prefix, text string) []byte {
	b = binary.LittleEndian.AppendUint16(b, optionComment)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(prefix)+len(text)))
	return pad(append(append(b, prefix...), text...))
}

// room makes sure that a block fits. The mutex is held.
func (w *Writer) room() {
	if len(w.buf)+maxBlock > bufferSize {
		w.flush()
	}
}

// Flush writes what was collected.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.w.Write(w.buf)
	}
	w.buf = w.buf[:0]
}
