package nldev

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// datagram frames messages as the kernel does.
func datagram(number uint32, messages ...Message) []byte {
	var b []byte
	for _, m := range messages {
		b = append(b, m.encode(number)...)
		b = append(b, make([]byte, align(len(b))-len(b))...)
	}
	return b
}

func TestAnswers(t *testing.T) {
	one, two := Message{Type: 0x1401, Body: []byte{1, 2, 3}}, Message{Type: 0x1401, Body: []byte{4, 5, 6, 7}}
	part := func(m Message, flags uint16) Message { m.Flags = flagMulti | flags; return m }
	done := Message{typeDone, flagMulti, make([]byte, 4)}
	for name, tt := range map[string]struct {
		datagrams [][]byte
		want      []Message
		complete  bool
		err       error
	}{
		"one":             {[][]byte{datagram(7, one)}, []Message{one}, true, nil},
		"none yet":        {[][]byte{datagram(7, Message{Type: typeNoop})}, nil, false, nil},
		"parts":           {[][]byte{datagram(7, part(one, 0)), datagram(7, part(two, 0), done)}, []Message{part(one, 0), part(two, 0)}, true, nil},
		"no end":          {[][]byte{datagram(7, part(one, 0))}, []Message{part(one, 0)}, false, nil},
		"another's":       {[][]byte{datagram(6, one), datagram(7, two)}, []Message{two}, true, nil},
		"refused":         {[][]byte{datagram(7, Message{Type: typeError, Body: []byte{0xed, 0xff, 0xff, 0xff, 0}})}, nil, true, unix.ENODEV},
		"acknowledged":    {[][]byte{datagram(7, Message{Type: typeError, Body: make([]byte, 20)})}, nil, true, nil},
		"failed at end":   {[][]byte{datagram(7, part(one, 0), Message{typeDone, flagMulti, []byte{0xf4, 0xff, 0xff, 0xff}})}, []Message{part(one, 0)}, true, unix.ENOMEM},
		"interrupted":     {[][]byte{datagram(7, part(one, flagInterrupted), done)}, []Message{part(one, flagInterrupted)}, true, errInterrupted},
		"short header":    {[][]byte{datagram(7, one)[:15]}, nil, false, errFrame},
		"short message":   {[][]byte{datagram(7, two)[:19]}, nil, false, errFrame},
		"error too short": {[][]byte{datagram(7, Message{Type: typeError, Body: []byte{1}})}, nil, true, errFrame},
	} {
		a := answer{number: 7}
		var err error
		for _, d := range tt.datagrams {
			if err == nil {
				err = a.add(d)
			}
		}
		if diff := cmp.Diff(tt.want, a.messages); diff != "" || a.complete != tt.complete || !errors.Is(err, tt.err) {
			t.Errorf("%s: complete %v, %v, messages (-want +got):\n%s", name, a.complete, err, diff)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(datagram(7, Message{Type: 0x1401, Body: []byte{1, 2, 3}}))
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		a := answer{number: 7}
		if err := a.add(b); err == nil && len(a.messages)*messageHeader > len(b) {
			t.Errorf("%d messages in %d bytes", len(a.messages), len(b))
		}
	})
}
