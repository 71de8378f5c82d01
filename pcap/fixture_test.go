package pcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// start is when the captures of the tests begin.
var start = time.Date(2024, 2, 29, 23, 59, 59, 123456789, time.UTC)

// request makes a packet.
func request(class mad.Class, method mad.Method, attr mad.AttrID, tid uint64) mad.Packet {
	var p mad.Packet
	p.Init(class, method, attr, 0)
	p.SetTID(tid)
	return p
}

// records are one of each kind, one of each header.
func records() []Record {
	var list []Record
	for i, h := range headers() {
		list = append(list, Record{
			Time: start.Add(time.Duration(i) * 100 * time.Nanosecond), Interface: "sim:star", Kind: Kind(i), Header: h,
			Packet: request(mad.ClassPerf, mad.MethodGet, 0x12, uint64(i)),
		})
	}
	list[2].Comment = "more of it"
	lost := Record{
		Time: start.Add(time.Second), Interface: "sim:star", Kind: Unanswered, Comment: "connection timed out",
		Header: headers()[0], Packet: request(mad.ClassSubnDirected, mad.MethodGet, 0x11, 9),
	}
	failed := lost
	failed.Kind, failed.Comment = SendFailed, "no buffer space"
	return append(list, lost, failed)
}

// capture writes records.
func capture(t testing.TB, list []Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "ibscope test")
	number, _ := w.AddInterface("sim:star")
	for i := range list {
		if err := w.Write(number, &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readAll reads a capture to its end.
func readAll(in io.Reader) ([]Record, Skipped, error) {
	r, err := NewReader(in)
	if err != nil {
		return nil, Skipped{}, err
	}
	var list []Record
	for {
		var record Record
		if err := r.Next(&record); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return list, r.Skipped(), err
		}
		list = append(list, record)
	}
}

// classic makes a capture in the older format.
func classic(order binary.AppendByteOrder, magic, link uint32, list []Record, wrap func([]byte) []byte) []byte {
	unit := int64(1)
	if magic == magicMicro {
		unit = 1000
	}
	b := order.AppendUint32(nil, magic)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(b, 4)
	b = append(b, make([]byte, 8)...)
	b = order.AppendUint32(b, 65535)
	b = order.AppendUint32(b, link)
	for i := range list {
		frame := wrap(AppendFrame(nil, &list[i].Header, &list[i].Packet))
		b = order.AppendUint32(b, uint32(list[i].Time.Unix()))
		b = order.AppendUint32(b, uint32(int64(list[i].Time.Nanosecond())/unit))
		b = order.AppendUint32(b, uint32(len(frame)))
		b = order.AppendUint32(b, uint32(len(frame)))
		b = append(b, frame...)
	}
	return b
}

func plain(frame []byte) []byte { return frame }

// erf puts an ERF header before a frame, with two extensions, and padding behind.
func erf(frame []byte) []byte {
	head := make([]byte, erfHeader+2*erfExtension, 512)
	head[8] = erfInfiniBand | erfMore
	head[erfHeader] = erfMore
	binary.BigEndian.PutUint16(head[10:], uint16(len(head)+len(frame)+4))
	binary.BigEndian.PutUint16(head[14:], uint16(len(frame)))
	return append(append(head, frame...), 0, 0, 0, 0)
}
