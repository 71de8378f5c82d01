package nldev

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mdlayher/netlink"
	"github.com/mdlayher/netlink/nltest"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
)

// standIn is a Conn of mdlayher/netlink, whose package nltest plays the kernel.
type standIn struct{ *netlink.Conn }

func (s standIn) Exchange(request Message) ([]Message, error) {
	replies, err := s.Execute(netlink.Message{
		Header: netlink.Header{Type: netlink.HeaderType(request.Type), Flags: netlink.HeaderFlags(request.Flags)}, Data: request.Body,
	})
	if e, ok := errors.AsType[*netlink.OpError](err); ok {
		err = e.Err
	}
	var messages []Message
	for _, m := range replies {
		messages = append(messages, Message{uint16(m.Header.Type), uint16(m.Header.Flags), m.Data})
	}
	return messages, err
}

// body encodes attributes as the kernel does.
func body(t testing.TB, attributes func(*netlink.AttributeEncoder)) []byte {
	t.Helper()
	ae := netlink.NewAttributeEncoder()
	attributes(ae)
	b, err := ae.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// client whose kernel checks type, flags and attributes of the only request and
// answers with the bodies.
func answering(t testing.TB, typ netlink.HeaderType, flags netlink.HeaderFlags, attributes []byte, bodies ...[]byte) *Client {
	t.Helper()
	answer := func(requests []netlink.Message) ([]netlink.Message, error) {
		r := requests[0]
		if r.Header.Type != typ || r.Header.Flags != flags || !bytes.Equal(r.Data, attributes) {
			t.Errorf("request %+v, want type %d, flags %v, attributes % x", r, typ, flags, attributes)
		}
		var replies []netlink.Message
		for _, b := range bodies {
			replies = append(replies, netlink.Message{Header: netlink.Header{
				Type:     5<<10 | 1, // also in the answer to "port get"
				Sequence: r.Header.Sequence, PID: r.Header.PID,
			}, Data: b})
		}
		if r.Header.Flags&netlink.Dump != netlink.Dump {
			if len(replies) == 0 {
				r.Header.Type, r.Data = netlink.Noop, nil
				replies = []netlink.Message{r}
			}
			return replies, nil
		}
		done := netlink.Message{Header: netlink.Header{Type: netlink.Done, Sequence: r.Header.Sequence, PID: r.Header.PID}, Data: make([]byte, 4)}
		return nltest.Multipart(append(replies, done))
	}
	c := New(standIn{nltest.Dial(answer)})
	t.Cleanup(func() { c.Close() })
	return c
}

// refusing is a client whose kernel answers with an errno.
func refusing(errno unix.Errno) *Client {
	return New(standIn{nltest.Dial(func(requests []netlink.Message) ([]netlink.Message, error) {
		requests[0].Header.Flags = 0
		return nltest.Error(int(errno), requests)
	})})
}

const (
	get  = netlink.Request
	dump = netlink.Request | netlink.Dump
)

// hfi is a device with all attributes of Linux 6.12, and two of a time to come.
func hfi(ae *netlink.AttributeEncoder) {
	ae.Uint32(1, 7)
	ae.String(2, "hfi1_0")
	ae.Uint32(3, 2)
	ae.Uint64(4, 0x1221_7c76)
	ae.String(5, "1.27.0")
	ae.Uint64(6, 0x0011750101671234) // host order: a plain integer
	ae.Uint64(7, 0x0011750101671235)
	ae.Uint8(14, 1)
	ae.Uint8(84, 1)
	ae.String(67, "opa")
	ae.Uint8(99, 1)
	ae.String(100, "hfi1_1")
	ae.Bytes(200, []byte{1, 2, 3})
	ae.Nested(201, func(ae *netlink.AttributeEncoder) error { ae.Uint8(1, 1); return nil })
}

var wantHFI = Device{
	Index: 7, Name: "hfi1_0", Ports: 2, NodeType: 1, CapFlags: 0x12217c76, Firmware: "1.27.0",
	NodeGUID: 0x0011750101671234, SystemImageGUID: 0x0011750101671235, Protocol: "opa",
	AdaptiveModeration: true, SMI: true, Parent: "hfi1_1",
}

func TestDevices(t *testing.T) {
	old := func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 8); ae.String(2, "old") }
	c := answering(t, 5<<10|1, dump, nil, body(t, hfi), body(t, old))
	got, err := c.Devices(context.Background())
	if diff := cmp.Diff([]Device{wantHFI, {Index: 8, Name: "old"}}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

func TestNoDevices(t *testing.T) {
	got, err := answering(t, 5<<10|1, dump, nil).Devices(context.Background())
	if len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestDevice(t *testing.T) {
	request := body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 7) })
	got, err := answering(t, 5<<10|1, get, request, body(t, hfi)).Device(context.Background(), 7)
	if diff := cmp.Diff(wantHFI, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	if _, err := answering(t, 5<<10|1, get, request).Device(context.Background(), 7); !errors.Is(err, errNoAnswer) {
		t.Errorf("without an answer: %v", err)
	}
}

func TestPorts(t *testing.T) {
	opa := func(ae *netlink.AttributeEncoder) {
		ae.Uint32(1, 7)
		ae.Uint32(3, 1)
		ae.Uint64(4, 0x0032_0251486a)
		ae.Uint64(8, 0xfe80000000000000)
		ae.Uint32(9, 0x10001) // more than 16 bits, on Omni-Path
		ae.Uint32(10, 2)
		ae.Uint8(11, 3)
		ae.Uint8(12, 4)
		ae.Uint8(13, 5)
	}
	roce := func(ae *netlink.AttributeEncoder) {
		ae.Uint32(1, 7)
		ae.Uint32(3, 2)
		ae.Uint8(12, 1)
		ae.Uint8(13, 3)
		ae.Uint32(50, 9)
		ae.String(51, "veth0")
	}
	want := []Port{
		{
			Device: 7, Num: 1, State: ib.PortActive, PhysState: ib.PhysLinkUp, HasFabric: true, CapMask: 0x0251486a,
			CapMask2: 0x32, SubnetPrefix: ib.DefaultSubnetPrefix, LID: 0x10001, SMLID: 2, LMC: 3,
		},
		{Device: 7, Num: 2, State: ib.PortDown, PhysState: ib.PhysDisabled, NetDevIndex: 9, NetDev: "veth0"},
	}
	request := body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 7) })
	got, err := answering(t, 5<<10|5, dump, request, body(t, opa), body(t, roce)).Ports(context.Background(), 7)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	request = body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 7); ae.Uint32(3, 2) })
	one, err := answering(t, 5<<10|5, get, request, body(t, roce)).Port(context.Background(), 7, 2)
	if diff := cmp.Diff(want[1], one); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

func TestCharDev(t *testing.T) {
	answer := func(ae *netlink.AttributeEncoder) {
		ae.String(70, "uverbs300")
		ae.Uint64(72, 0x10e72c) // as makedev(231, 300)
		ae.Uint64(71, 2)
		ae.Uint32(73, 14)
	}
	want := CharDev{Name: "uverbs300", ABI: 2, Major: 231, Minor: 300, Driver: 14}
	request := body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 0); ae.String(69, "uverbs") })
	got, err := answering(t, 5<<10|15, get, request, body(t, answer)).CharDev(context.Background(), 0, CharDevVerbs, 0)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	request = body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 0); ae.String(69, "umad"); ae.Uint32(3, 1) })
	if _, err := answering(t, 5<<10|15, get, request, body(t, answer)).CharDev(context.Background(), 0, CharDevMAD, 1); err != nil {
		t.Error(err)
	}
}

func TestSplitDevice(t *testing.T) {
	for _, tt := range []struct{ dev, major, minor uint64 }{
		{0xe7c0, 231, 192}, {0x100e700, 231, 0x1000}, {0xfff000ff | 0xfff00, 0xfff, 0xfffff},
	} {
		if major, minor := splitDevice(tt.dev); uint64(major) != tt.major || uint64(minor) != tt.minor {
			t.Errorf("%#x = %d:%d, want %d:%d", tt.dev, major, minor, tt.major, tt.minor)
		}
	}
}

func TestCounters(t *testing.T) {
	counter := func(name string, v uint64) func(*netlink.AttributeEncoder) error {
		return func(ae *netlink.AttributeEncoder) error {
			ae.String(82, name)
			ae.Uint64(83, v)
			return nil
		}
	}
	answer := func(ae *netlink.AttributeEncoder) {
		ae.Uint32(1, 0)
		ae.String(2, "rxe0")
		ae.Uint32(3, 1)
		ae.Nested(80, func(ae *netlink.AttributeEncoder) error {
			ae.Nested(81, counter("sent_pkts", 12))
			ae.Uint8(250, 1)
			ae.Nested(81, counter("rcvd_pkts", 1<<63))
			return nil
		})
	}
	request := body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(1, 0); ae.Uint32(3, 1) })
	got, err := answering(t, 5<<10|17, get, request, body(t, answer)).Counters(context.Background(), 0, 1)
	if diff := cmp.Diff([]Counter{{"sent_pkts", 12}, {"rcvd_pkts", 1 << 63}}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

func TestSystem(t *testing.T) {
	answer := func(ae *netlink.AttributeEncoder) {
		ae.Uint8(66, 1)
		ae.Uint8(93, 1)
		ae.Uint8(96, 0)
		ae.Uint8(103, 1)
	}
	got, err := answering(t, 5<<10|6, get, nil, body(t, answer)).System(context.Background())
	if want := (System{SharedNetNS: true, CopyOnFork: true, Monitor: true}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestErrors(t *testing.T) {
	c := refusing(unix.ENODEV)
	_, err := c.Port(context.Background(), 3, 1)
	if e, ok := errors.AsType[*Error](err); !ok || !errors.Is(err, unix.ENODEV) || e.Error() != "nldev: get port 1 of device 3: no such device" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Devices(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	bad := body(t, func(ae *netlink.AttributeEncoder) { ae.Bytes(6, []byte{1, 2, 3}) })
	if _, err := answering(t, 5<<10|1, dump, nil, bad).Devices(context.Background()); err == nil {
		t.Error("a GUID of 3 bytes was accepted")
	}
	bad = body(t, func(ae *netlink.AttributeEncoder) { ae.Uint32(14, 256) })
	if _, err := answering(t, 5<<10|1, dump, nil, bad).Devices(context.Background()); err == nil {
		t.Error("node type 256 was accepted")
	}
}

func TestDriverNames(t *testing.T) {
	for id, want := range map[DriverID]string{0: "unknown", 1: "mlx5", 14: "rxe", 18: "siw", 99: "unknown (99)"} {
		if id.String() != want {
			t.Errorf("driver %d is %s, want %s", uint32(id), id, want)
		}
	}
}
