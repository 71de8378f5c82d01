package nats

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// Bounds of what a server sends.
const (
	maxLine    = 64 << 10 // of the protocol: INFO is the longest
	maxMessage = 8 << 20  // headers and data
)

// verb is what a line of the protocol begins with.
type verb string

const (
	verbInfo    verb = "INFO"
	verbMessage verb = "MSG"
	verbHeaders verb = "HMSG"
	verbPing    verb = "PING"
	verbPong    verb = "PONG"
	verbOK      verb = "+OK"
	verbError   verb = "-ERR"
)

var verbs = []verb{verbInfo, verbMessage, verbHeaders, verbPing, verbPong, verbOK, verbError}

// frame is one thing that a server says.
type frame struct {
	verb    verb
	text    []byte   // what follows INFO and -ERR, until the next frame is read
	message *Message // of MSG and HMSG
}

// parser reads what a server says.
type parser struct{ from *bufio.Reader }

func newParser(r io.Reader) *parser { return &parser{bufio.NewReaderSize(r, maxLine)} }

// next reads one frame. What is no frame is ErrProtocol, and the end comes as io.EOF or
// io.ErrUnexpectedEOF.
func (p *parser) next() (frame, error) {
	line, err := p.from.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return frame{}, protocol("a line of more than %d bytes", maxLine)
	case errors.Is(err, io.EOF) && len(line) > 0:
		return frame{}, io.ErrUnexpectedEOF
	case err != nil:
		return frame{}, err
	}
	line = bytes.TrimRight(line, "\r\n")
	word, text := line, []byte(nil)
	if i := bytes.IndexAny(line, " \t"); i >= 0 {
		word, text = line[:i], bytes.TrimSpace(line[i:])
	}
	for _, v := range verbs {
		if len(word) != len(v) || !bytes.EqualFold(word, []byte(v)) {
			continue
		}
		f := frame{verb: v, text: text}
		if v == verbMessage || v == verbHeaders {
			f.message, err = p.message(text, v == verbHeaders)
		}
		return f, err
	}
	return frame{}, protocol("a line that begins with %.40q", word)
}

// message reads the rest of MSG and HMSG: the subject, a number that is not used here,
// where to answer if that is wanted, the length of headers, that of all, and these bytes.
func (p *parser) message(text []byte, headers bool) (*Message, error) {
	words := bytes.Fields(text)
	least := 3
	if headers {
		least = 4
	}
	if len(words) < least || len(words) > least+1 {
		return nil, protocol("a message with %d words", len(words))
	}
	total, err := length(words[len(words)-1], maxMessage)
	if err != nil {
		return nil, err
	}
	split := 0
	if headers {
		if split, err = length(words[len(words)-2], min(total, maxHeader)); err != nil {
			return nil, err
		}
	}
	m := &Message{Subject: string(words[0])}
	if len(words) > least {
		m.reply = string(words[2])
	}
	body, err := p.body(total)
	if err != nil {
		return nil, err
	}
	m.Data = body[split:]
	if headers {
		m.Header, m.Status, err = decodeHeader(body[:split])
	}
	return m, err
}

// length reads a length, which has a bound.
func length(word []byte, most int) (int, error) {
	n, err := strconv.ParseUint(string(word), 10, 32)
	if err != nil || n > uint64(most) {
		return 0, protocol("the length %.40q, with at most %d", word, most)
	}
	return int(n), nil
}

// body reads so many bytes, and the end of the line. Room is made as bytes come: a length
// alone costs nothing.
func (p *parser) body(n int) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, p.from, int64(n)); err != nil {
		return nil, unexpected(err)
	}
	var end [2]byte
	if _, err := io.ReadFull(p.from, end[:]); err != nil {
		return nil, unexpected(err)
	}
	if string(end[:]) != "\r\n" {
		return nil, protocol("a message that is longer than it says")
	}
	return b.Bytes(), nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
