package nats

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Message is what is sent to a subject, or an answer.
type Message struct {
	Subject string
	Header  Header // nil for none
	Data    []byte

	// Status of an answer is that of its first line, 0 for none: 503 for nobody there.
	Status int

	reply string
}

// maxSubject bounds the length of a subject.
const maxSubject = 1024

// checkSubject refuses what would be something else in the protocol, or in the server.
func checkSubject(s string) error {
	bad := s == "" || len(s) > maxSubject || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, "..")
	if bad || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '*' || r == '>' }) {
		return fmt.Errorf("%w: the subject %.100q is none to send to", os.ErrInvalid, s)
	}
	return nil
}

// encode makes PUB or HPUB of a message. It may be at most of a length, header included.
func (m *Message) encode(most int64) ([]byte, error) {
	if err := checkSubject(m.Subject); err != nil {
		return nil, err
	}
	header, err := m.Header.encode()
	if err != nil {
		return nil, err
	}
	total := len(header) + len(m.Data)
	if most > 0 && int64(total) > most {
		return nil, fmt.Errorf("%w: %d of %d bytes", ErrTooLarge, total, most)
	}
	text := make([]byte, 0, total+len(m.Subject)+len(m.reply)+64)
	if len(header) > 0 {
		text = append(text, 'H')
	}
	text = append(text, "PUB "...)
	text = append(text, m.Subject...)
	text = append(text, ' ')
	if m.reply != "" {
		text = append(text, m.reply...)
		text = append(text, ' ')
	}
	if len(header) > 0 {
		text = strconv.AppendInt(text, int64(len(header)), 10)
		text = append(text, ' ')
	}
	text = strconv.AppendInt(text, int64(total), 10)
	text = append(text, "\r\n"...)
	text = append(text, header...)
	text = append(text, m.Data...)
	return append(text, "\r\n"...), nil
}
