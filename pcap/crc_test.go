package pcap

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
)

// TestInvariantCRC takes the example of the specification, an RDMA write.
func TestInvariantCRC(t *testing.T) {
	packet, err := hex.DecodeString("7012375c000e17d20a2024870087b1b3000dec2a01710a1c" +
		"015d400238f27a050000000ebb884d85fd5cfba4728bc0690ed40000")
	if err != nil {
		t.Fatal(err)
	}
	got := binary.LittleEndian.AppendUint32(nil, invariantCRC(packet, false))
	if want := []byte{0x96, 0x25, 0xb7, 0x5a}; !bytes.Equal(got, want) {
		t.Errorf("ICRC % x, want % x", got, want)
	}
}

// bitwise is the VCRC as the specification defines it: bit by bit, in the order in
// which the bits are sent.
func bitwise(packet []byte) uint16 {
	crc := uint16(0xffff)
	for _, b := range packet {
		for bit := range 8 {
			top := crc>>15 ^ uint16(b>>bit&1)
			crc <<= 1
			if top != 0 {
				crc ^= 0x100b
			}
		}
	}
	var wire uint16 // the highest power goes first, into the lowest bit
	for bit := range 16 {
		wire |= crc >> (15 - bit) & 1 << bit
	}
	return ^wire
}

func TestVariantCRC(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		packet := make([]byte, n)
		for i := range packet {
			packet[i] = byte(r.Uint32())
		}
		if got, want := variantCRC(packet), bitwise(packet); got != want {
			t.Fatalf("VCRC of %d bytes is %#04x, want %#04x", n, got, want)
		}
	}
}

// TestCapturedCRC computes the CRCs of packets that hardware has made.
func TestCapturedCRC(t *testing.T) {
	file, err := os.Open(filepath.Join(testenv.Corpus(t), "mad", "infiniband.pcap"))
	if err != nil {
		t.Skipf("the corpus has no capture: %v", err)
	}
	defer file.Close()
	r, err := NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	packets := 0
	for {
		link, err := r.format.next(r, &Record{})
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		frame, err := frameOf(link, r.packet)
		if err != nil {
			t.Fatal(err)
		}
		packets++
		body := frame[:int(binary.BigEndian.Uint16(frame[4:])&0x7ff)*4]
		want := frame[len(body)-icrcSize : len(body)+vcrcSize]
		got := binary.LittleEndian.AppendUint32(nil, invariantCRC(body[:len(body)-icrcSize], body[1]&3 == nextGRH))
		got = binary.LittleEndian.AppendUint16(got, variantCRC(body))
		if !bytes.Equal(got, want) {
			t.Errorf("packet %d: CRCs % x, want % x", packets, got, want)
		}
	}
	if packets < 40 {
		t.Errorf("only %d packets", packets)
	}
}

// headers are some that MADs have.
func headers() []Header {
	gid := ib.GID{0xfe, 0x80, 15: 7}
	global := GRH{TrafficClass: 0x5a, FlowLabel: 0xfedcb, HopLimit: 64, SGID: gid, DGID: ib.GID{1, 15: 9}}
	return []Header{
		{VL: 15, SLID: 0xffff, DLID: 0xffff, PKey: 0xffff, PSN: 1},
		{SL: 3, SLID: 4, DLID: 17, PKey: 0x8001, DestQP: 1, SrcQP: 1, QKey: mad.WellKnownQK, PSN: 0xffffff},
		{SLID: 4, DLID: 17, PKey: 0xffff, DestQP: 0xabcdef, SrcQP: 1, QKey: 5, HasGRH: true, GRH: global},
	}
}

func TestFrame(t *testing.T) {
	for _, h := range headers() {
		var p mad.Packet
		p.Init(mad.ClassSubnAdm, mad.MethodGetTable, 0x11, 7)
		p[255] = 0x5a
		frame := AppendFrame([]byte("x"), &h, &p)[1:]
		var gotHeader Header
		var got mad.Packet
		if err := ParseFrame(frame, &gotHeader, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(h, gotHeader); diff != "" {
			t.Errorf("header (-want +got):\n%s", diff)
		}
		if got != p {
			t.Error("the packet is another")
		}
		if len(frame) > MaxFrame {
			t.Errorf("the frame has %d bytes", len(frame))
		}
		for n := range len(frame) - icrcSize - vcrcSize {
			if err := ParseFrame(frame[:n], &gotHeader, &got); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%d bytes of it: error %v", n, err)
			}
		}
	}
}

func TestNoMAD(t *testing.T) {
	h := headers()[1]
	var p mad.Packet
	p.Init(mad.ClassPerf, mad.MethodGet, 0x12, 1)
	for name, change := range map[string]func(frame []byte){
		"raw packet":      func(f []byte) { f[1] &^= 3 },
		"GRH that is not": func(f []byte) { f[1] |= 3 },
		"RDMA write":      func(f []byte) { f[8] = 0x0a },
		"padding":         func(f []byte) { f[9] = 0x10 },
		"length":          func(f []byte) { f[5]-- },
		"queue pairs":     func(f []byte) { f[14], f[26] = 1, 1 },
		"base version":    func(f []byte) { f[28] = 0x80 },
	} {
		frame := AppendFrame(nil, &h, &p)
		change(frame)
		if err := ParseFrame(frame, new(Header), new(mad.Packet)); !errors.Is(err, ErrNoMAD) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
