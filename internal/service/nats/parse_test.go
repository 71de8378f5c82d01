package nats

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	p := newParser(iotest.OneByteReader(strings.NewReader("INFO {}\r\nping\r\n+OK\r\n-ERR 'a b'\r\nMSG\ta  1 c 0\r\n\r\nHMSG a 1 12 13\r\nNATS/1.0\r\n\r\nb\r\nPONG\n")))
	want := []frame{
		{verb: verbInfo, text: []byte("{}")},
		{verb: verbPing},
		{verb: verbOK},
		{verb: verbError, text: []byte("'a b'")},
		{verb: verbMessage, message: &Message{Subject: "a", reply: "c"}},
		{verb: verbHeaders, message: &Message{Subject: "a", Data: []byte("b"), Header: Header{}}},
		{verb: verbPong},
	}
	for i := range want {
		f, err := p.next()
		if err != nil {
			t.Fatal(i, err)
		}
		if f.message != nil {
			f.text = nil
		}
		equalBytes := cmp.Comparer(func(a, b []byte) bool { return string(a) == string(b) })
		if diff := cmp.Diff(want[i], f, cmp.AllowUnexported(frame{}, Message{}), equalBytes); diff != "" {
			t.Error(i, diff)
		}
	}
	if _, err := p.next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	for _, text := range []string{"PIN", "MSG a 1 5\r\nabc", "MSG a 1 3\r\nabc\r"} {
		if _, err := newParser(strings.NewReader(text)).next(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestHeader: what is written is read again.
func TestHeader(t *testing.T) {
	for _, h := range []Header{{"A": "1"}, {"Nats-Msg-Id": "a:b c", "Empty": "", "a": "é"}} {
		text, err := h.encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseHeader(text)
		if diff := cmp.Diff(h, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	if h, err := ParseHeader([]byte("NATS/1.0 404 No Messages\r\nA:1\r\nA:2\r\n\r\n")); err != nil || h["A"] != "1" {
		t.Error(h, err)
	}
}

// FuzzParse: whatever a server sends, each frame is whole, or the end is an error that
// is known; what is a message can be sent again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		greeting, "MSG a 1 b 3\r\nabc\r\n", "HMSG a 1 15 16\r\nNATS/1.0\r\nA:\r\n\r\nb\r\n", "-ERR 'x'\r\nPING\r\n", "MSG a 1 8388608\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p := newParser(strings.NewReader(string(text)))
		for {
			frame, err := p.next()
			if err != nil {
				if !errors.Is(err, ErrProtocol) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatal(err)
				}
				return
			}
			if isMessage := frame.verb == verbMessage || frame.verb == verbHeaders; isMessage != (frame.message != nil) {
				t.Fatalf("%+v", frame)
			}
			if frame.verb == verbError && complaint(frame.text) == nil {
				t.Fatal("no complaint")
			}
			if m := frame.message; m != nil && len(m.Data) > len(text) {
				t.Fatalf("%d bytes of %d", len(m.Data), len(text))
			}
		}
	})
}
