package ibnetdiscover

import (
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// flushAt is how much text is gathered before it is written.
const flushAt = 64 << 10

// printer builds lines in a buffer and remembers the first error of its writer.
type printer struct {
	w    io.Writer
	opts Options
	buf  []byte
	err  error

	// Names are cleaned and looked up once for each node, not for each of its
	// links. With two fabrics to compare there are two sets.
	names map[*fabric.Node]string
}

func newPrinter(w io.Writer, o *Options) *printer {
	return &printer{w: w, opts: o.orDefault(), buf: make([]byte, 0, flushAt+4096), names: make(map[*fabric.Node]string)}
}

func (p *printer) text(parts ...string) {
	for _, s := range parts {
		p.buf = append(p.buf, s...)
	}
}

func (p *printer) dec(n int) { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }

// decPad is dec, padded with blanks on the left.
func (p *printer) decPad(width, n int) {
	start := len(p.buf)
	p.dec(n)
	for missing := width - (len(p.buf) - start); missing > 0; missing-- {
		p.buf = append(p.buf, ' ')
		copy(p.buf[start+1:], p.buf[start:])
		p.buf[start] = ' '
	}
}

func (p *printer) hex(n uint64) { p.buf = strconv.AppendUint(p.buf, n, 16) }

// guid prints all 16 digits, without a prefix.
func (p *printer) guid(g ib.GUID) {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		p.buf = append(p.buf, digits[g>>shift&0xf])
	}
}

// end ends a line.
func (p *printer) end() {
	p.buf = append(p.buf, '\n')
	if len(p.buf) >= flushAt {
		_ = p.flush() // the error stays for the last flush
	}
}

func (p *printer) flush() error {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}

// name is the printable name of a node.
func (p *printer) name(n *fabric.Node) string {
	s, ok := p.names[n]
	if !ok {
		s = cleanDescription(n.Description())
		if p.opts.Names != nil {
			s = cleanName(p.opts.Names.Name(n.GUID(), s))
		}
		p.names[n] = s
	}
	return s
}

// cleanDescription blanks every byte that is not printable ASCII, as the C
// tools do: descriptions come from anybody on the fabric.
func cleanDescription(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return blankBytes(s)
		}
	}
	return s
}

func blankBytes(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = ' '
		}
	}
	return string(b)
}

// cleanName blanks what a terminal could act on. Names from a map may have
// letters beyond ASCII.
func cleanName(s string) string {
	if cleanDescription(s) == s {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size <= 1 || !unicode.IsPrint(r) {
			b = append(b, ' ')
		} else {
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return string(b)
}
