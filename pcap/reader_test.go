package pcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var sameTime = cmpopts.EquateApproxTime(0)

func TestRoundTrip(t *testing.T) {
	want := records()
	got, skipped, err := readAll(iotest.OneByteReader(bytes.NewReader(capture(t, want))))
	if err != nil || skipped != (Skipped{}) {
		t.Fatalf("error %v, skipped %+v", err, skipped)
	}
	if diff := cmp.Diff(want, got, sameTime); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSections reads two captures behind each other, as one.
func TestSections(t *testing.T) {
	want := records()
	got, _, err := readAll(bytes.NewReader(append(capture(t, want[:2]), capture(t, want[2:])...)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, sameTime); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClassic(t *testing.T) {
	want := records()
	for i := range want { // the older format has no room for it
		want[i].Kind, want[i].Comment, want[i].Interface = Unknown, "", ""
	}
	for _, test := range []struct {
		name string
		file []byte
		unit time.Duration
	}{
		{"little micro", classic(binary.LittleEndian, magicMicro, LinkInfiniBand, want, plain), time.Microsecond},
		{"big micro", classic(binary.BigEndian, magicMicro, LinkInfiniBand, want, plain), time.Microsecond},
		{"little nano", classic(binary.LittleEndian, magicNano, LinkInfiniBand, want, plain), 1},
		{"big nano", classic(binary.BigEndian, magicNano, LinkInfiniBand, want, plain), 1},
		{"ERF", classic(binary.LittleEndian, magicNano, LinkERF, want, erf), 1},
	} {
		got, skipped, err := readAll(bytes.NewReader(test.file))
		if err != nil || skipped != (Skipped{}) {
			t.Errorf("%s: error %v, skipped %+v", test.name, err, skipped)
		}
		exact := append([]Record(nil), want...)
		for i := range exact {
			exact[i].Time = exact[i].Time.Truncate(test.unit)
		}
		if diff := cmp.Diff(exact, got, sameTime); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestSkipped(t *testing.T) {
	list := records()[:1]
	half := func(frame []byte) []byte { return frame[:100] }
	data := func(frame []byte) []byte { frame[8] = 0x0a; return frame }
	for _, test := range []struct {
		name string
		file []byte
		want Skipped
	}{
		{"cut", classic(binary.LittleEndian, magicMicro, LinkInfiniBand, list, half), Skipped{Cut: 1}},
		{"data", classic(binary.LittleEndian, magicMicro, LinkInfiniBand, list, data), Skipped{Other: 1}},
		{"Ethernet", classic(binary.LittleEndian, magicMicro, 1, list, plain), Skipped{Other: 1}},
		{"ERF of Ethernet", classic(binary.LittleEndian, magicMicro, LinkERF, list, func(f []byte) []byte { f = erf(f); f[8] = 2; return f }), Skipped{Other: 1}},
		{"ERF cut", classic(binary.LittleEndian, magicMicro, LinkERF, list, func(f []byte) []byte { return erf(f)[:20] }), Skipped{Cut: 1}},
	} {
		got, skipped, err := readAll(bytes.NewReader(test.file))
		if err != nil || len(got) != 0 || skipped != test.want {
			t.Errorf("%s: %d records, skipped %+v, error %v", test.name, len(got), skipped, err)
		}
	}
}

// TestOtherBlocks reads what other programs put into their captures: unknown
// blocks, the simple and the obsolete form of packets, another byte order and unit.
func TestOtherBlocks(t *testing.T) {
	r := records()[1]
	frame := AppendFrame(nil, &r.Header, &r.Packet)
	order := binary.BigEndian
	block := func(kind uint32, body ...byte) []byte {
		size := uint32(12 + len(body))
		b := order.AppendUint32(order.AppendUint32(nil, kind), size)
		return order.AppendUint32(append(b, body...), size)
	}
	ticks := uint64(start.Unix())<<10 | 512 // half a second
	head := order.AppendUint32(order.AppendUint32(nil, uint32(ticks>>32)), uint32(ticks))
	head = order.AppendUint32(order.AppendUint32(head, uint32(len(frame))), uint32(len(frame)))
	padded := pad(append([]byte(nil), frame...))
	file := bytes.Join([][]byte{
		block(blockSection, append(order.AppendUint32(nil, byteOrderMagic), 0, 1, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255)...),
		block(0x0bad, 1, 2, 3, 4),
		block(blockInterface, 0, LinkInfiniBand, 0, 0, 0, 0, 0, 0, 0, optionResolution, 0, 1, 0x80|10, 0, 0, 0),
		block(blockEnhanced, append(append([]byte{0, 0, 0, 0}, head...), padded...)...),
		block(blockPacket, append(append([]byte{0, 0, 255, 255}, head...), padded...)...),
		block(blockSimple, append(order.AppendUint32(nil, uint32(len(frame))), padded...)...),
	}, nil)
	got, _, err := readAll(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	half := start.Truncate(time.Second).Add(time.Second / 2)
	want := []Record{{Time: half, Header: r.Header, Packet: r.Packet}, {Time: half, Header: r.Header, Packet: r.Packet}, {Header: r.Header, Packet: r.Packet}}
	if diff := cmp.Diff(want, got, sameTime); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDamaged(t *testing.T) {
	good := capture(t, records())
	for _, test := range []struct {
		name string
		file string
		want error
	}{
		{"empty", "", ErrFormat},
		{"text", "not a capture\n", ErrFormat},
		{"classic header cut", "\xd4\xc3\xb2\xa1\x02\x00", io.ErrUnexpectedEOF},
		{"byte order", string(good[:8]) + "xxxx" + string(good[12:]), ErrFormat},
		{"length", string(good[:4]) + "\x05\x00\x00\x00" + string(good[8:]), ErrFormat},
		{"cut", string(good[:len(good)-1]), io.ErrUnexpectedEOF},
		{"lengths differ", string(good[:len(good)-1]) + "\x01", ErrFormat},
	} {
		_, _, err := readAll(strings.NewReader(test.file))
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want an *Error that is %v", test.name, err, test.want)
		}
	}
	broken := errors.New("broken")
	_, _, err := readAll(io.MultiReader(bytes.NewReader(good), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the stream", err)
	}
}

func FuzzReader(f *testing.F) {
	list := records()
	f.Add(capture(f, list))
	f.Add(classic(binary.LittleEndian, magicMicro, LinkInfiniBand, list[:1], plain))
	f.Add(classic(binary.BigEndian, magicNano, LinkERF, list[:1], erf))
	f.Fuzz(func(t *testing.T, file []byte) {
		list, _, err := readAll(bytes.NewReader(file))
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("error %v of type %T", err, err)
		}
		if len(list) > len(file)/256 {
			t.Errorf("%d records in %d bytes", len(list), len(file))
		}
		var m Matcher
		for i := range list {
			if list[i].Packet.BaseVersion() != 1 || len(list[i].Comment) > maxText {
				t.Errorf("record %d: %+v", i, list[i])
			}
			m.Add(&list[i])
		}
		if n := m.Statistics().Sum(); n.Replies > n.Requests+n.Segments || n.Unanswered > n.Requests {
			t.Errorf("the sum is %+v", n)
		}
	})
}
