package rdma

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mdlayher/netlink"
	"github.com/mdlayher/netlink/nltest"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma/nldev"
)

// Requests of RDMA_NL_NLDEV and attributes, from rdma_netlink.h.
const (
	getDevice  = 5<<10 | 1
	getPort    = 5<<10 | 5
	getCharDev = 5<<10 | 15
	getStat    = 5<<10 | 17
)

// kernel answers as the kernel would for two devices: mlx5_0, which the tree of
// the tests has too, and rxe0.
type kernel struct {
	t     *testing.T
	fail  map[netlink.HeaderType]unix.Errno
	asked []string // device files
}

func (k *kernel) dial(Host) (*nldev.Client, error) {
	return nldev.New(standIn{nltest.Dial(k.answer)}), nil
}

// standIn is a connection of mdlayher/netlink, whose package nltest plays the kernel.
type standIn struct{ *netlink.Conn }

func (s standIn) Exchange(request nldev.Message) ([]nldev.Message, error) {
	replies, err := s.Execute(netlink.Message{
		Header: netlink.Header{Type: netlink.HeaderType(request.Type), Flags: netlink.HeaderFlags(request.Flags)}, Data: request.Body,
	})
	if e, ok := errors.AsType[*netlink.OpError](err); ok {
		err = e.Err
	}
	var messages []nldev.Message
	for _, m := range replies {
		messages = append(messages, nldev.Message{Type: uint16(m.Header.Type), Body: m.Data})
	}
	return messages, err
}

func (k *kernel) answer(requests []netlink.Message) ([]netlink.Message, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	request := requests[0]
	requests[0].Header.Flags = 0 // the kernel's errors do not repeat the flags
	if errno := k.fail[request.Header.Type]; errno != 0 {
		return nltest.Error(int(errno), requests)
	}
	var index uint32
	var kind string
	ad, err := netlink.NewAttributeDecoder(request.Data)
	if err != nil {
		k.t.Error(err)
	}
	for ad.Next() {
		switch ad.Type() {
		case 1:
			index = ad.Uint32()
		case 69:
			kind = ad.String()
		}
	}
	switch request.Header.Type {
	case getDevice:
		return k.multi(request, k.device(0, "mlx5_0", 0xa1, "ib", "20.1"), k.device(3, "rxe0", 0xfffe000001, "roce", ""))
	case getPort:
		return k.multi(request, k.port(index))
	case getCharDev:
		k.asked = append(k.asked, kind)
		if index == 3 && kind == "issm" {
			return nltest.Error(int(unix.EOPNOTSUPP), requests)
		}
		return k.single(request, func(ae *netlink.AttributeEncoder) {
			ae.String(70, kind+"9")
			ae.Uint32(73, map[uint32]uint32{0: 1, 3: 14}[index])
		})
	case getStat:
		return k.single(request, func(ae *netlink.AttributeEncoder) {
			ae.Nested(80, func(ae *netlink.AttributeEncoder) error {
				ae.Nested(81, func(ae *netlink.AttributeEncoder) error {
					ae.String(82, "sent_pkts")
					ae.Uint64(83, 5)
					return nil
				})
				return nil
			})
		})
	}
	k.t.Errorf("unexpected request %v", request.Header.Type)
	return nil, nil
}

func (k *kernel) device(index uint32, name string, guid uint64, protocol, firmware string) func(*netlink.AttributeEncoder) {
	return func(ae *netlink.AttributeEncoder) {
		ae.Uint32(1, index)
		ae.String(2, name)
		ae.Uint32(3, 1)
		ae.Uint64(6, guid)
		ae.Uint64(7, guid+1)
		ae.Uint8(14, 1)
		ae.String(67, protocol)
		if firmware != "" {
			ae.String(5, firmware)
		}
	}
}

func (k *kernel) port(index uint32) func(*netlink.AttributeEncoder) {
	return func(ae *netlink.AttributeEncoder) {
		ae.Uint32(1, index)
		ae.Uint32(3, 1)
		ae.Uint8(12, 4)
		ae.Uint8(13, 5)
		if index == 0 {
			ae.Uint64(4, 0x0032_0251486a)
			ae.Uint64(8, 0xfec0000000000001)
			ae.Uint32(9, 77)
			ae.Uint32(10, 2)
			ae.Uint8(11, 0)
		} else {
			ae.Uint32(50, 3)
			ae.String(51, "veth0")
		}
	}
}

func (k *kernel) single(request netlink.Message, attributes func(*netlink.AttributeEncoder)) ([]netlink.Message, error) {
	ae := netlink.NewAttributeEncoder()
	attributes(ae)
	data, err := ae.Encode()
	request.Header.Flags = 0
	request.Data = data
	return []netlink.Message{request}, err
}

func (k *kernel) multi(request netlink.Message, bodies ...func(*netlink.AttributeEncoder)) ([]netlink.Message, error) {
	var all []netlink.Message
	for _, b := range bodies {
		m, err := k.single(request, b)
		if err != nil {
			return nil, err
		}
		all = append(all, m...)
	}
	return nltest.Multipart(append(all, netlink.Message{Header: netlink.Header{
		Type: netlink.Done, Sequence: request.Header.Sequence, PID: request.Header.PID,
	}, Data: binary.NativeEndian.AppendUint32(nil, 0)}))
}

// netlinkHost is a host whose sysfs is the tree, and which uses netlink.
func netlinkHost(f *fixture) Host { return Host{Sys: f.top, NetNS: "blue"} }

// TestUnion checks what comes from which source.
func TestUnion(t *testing.T) {
	f := newFixture(t, "").hca(0).hca(1)
	f.remove("class/infiniband/mlx5_0/fw_ver")
	f.remove("class/infiniband/mlx5_0/node_guid")
	f.write(port1+"lid", "broken")
	f.write(port1+"rate", "broken")
	k := &kernel{t: t}
	devices, err := netlinkHost(f).list(context.Background(), k.dial)
	if err != nil {
		t.Errorf("%v; netlink has told all of it", err)
	}
	if names(devices) != "mlx5_0 rxe0" {
		t.Fatalf("devices %s; mlx5_1 is of another namespace", names(devices))
	}
	d, p := devices[0], devices[0].Ports[0]
	if d.NodeGUID != 0xa1 || d.SystemImageGUID != 0x0002c90300000100 || d.Firmware != "20.1" || d.Index != 0 ||
		d.Protocol != "ib" || d.RDMADriver != "mlx5" || d.Sources != FromNetlink|FromSysfs || d.UverbsName != "uverbs0" {
		t.Errorf("%+v", d)
	}
	if p.LID != 77 || p.SMLID != 1 || p.CapMask2 != 0x32 || p.CapMask != 0xa651e848 || p.SubnetPrefix != 0xfec0000000000001 || p.UmadName != "umad0" {
		t.Errorf("%+v", p)
	}
	want := &Device{
		Name: "rxe0", Index: 3, NodeType: NodeCA, Protocol: "roce", NodeGUID: 0xfffe000001, SystemImageGUID: 0xfffe000002,
		RDMADriver: "rxe", NUMANode: -1, UverbsName: "uverbs9", NetDevs: []string{"veth0"}, Sources: FromNetlink,
		Ports: []*Port{{
			Device: "rxe0", Num: 1, State: ib.PortActive, PhysState: ib.PhysLinkUp, LinkLayer: LinkEthernet,
			UmadName: "umad9", NetDev: "veth0",
		}},
	}
	if diff := cmp.Diff(want, devices[1], exported); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := strings.Join(k.asked, " "); got != "uverbs uverbs umad issm" {
		t.Errorf("asked for the files %s; a device that sysfs shows needs no question about umad", got)
	}
	if _, err := devices[1].Ports[0].GIDs(context.Background()); !errors.Is(err, unix.ENODEV) {
		t.Errorf("GIDs without sysfs: %v", err)
	}
	c, err := devices[1].Ports[0].netlinkCounters(context.Background(), k.dial)
	if v, ok := c.Get("sent_pkts"); v != 5 || !ok || err != nil {
		t.Errorf("counters %v, %v", c, err)
	}
}

// TestNoModuleLoading checks that a list does not make the kernel load ib_uverbs.
func TestNoModuleLoading(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.remove("class/infiniband_verbs")
	f.add("class/infiniband/rxe0/ports/")
	k := &kernel{t: t}
	if _, err := netlinkHost(f).list(context.Background(), k.dial); len(k.asked) != 0 {
		t.Errorf("asked for %v; %v", k.asked, err)
	}
}

func TestNetlinkFaults(t *testing.T) {
	tests := []struct {
		request netlink.HeaderType
		errno   unix.Errno
		devices string
		want    string
	}{
		{getDevice, unix.EPERM, "", " devices"},
		{getPort, unix.ENOMEM, "mlx5_0 rxe0", "mlx5_0 ports, rxe0 ports"},
		{getCharDev, unix.EIO, "mlx5_0 rxe0", "mlx5_0 uverbs, rxe0 uverbs, rxe0 umad, rxe0 issm"},
		{getCharDev, unix.ENODEV, "mlx5_0 rxe0", ""},
	}
	for _, tt := range tests {
		f := newFixture(t, "").hca(0)
		k := &kernel{t: t, fail: map[netlink.HeaderType]unix.Errno{tt.request: tt.errno}}
		devices, err := netlinkHost(f).list(context.Background(), k.dial)
		var got []string
		for _, p := range Problems(err) {
			got = append(got, p.Device+" "+p.Attribute)
		}
		if names(devices) != tt.devices || strings.Join(got, ", ") != tt.want || tt.want != "" && !errors.Is(err, tt.errno) {
			t.Errorf("%v: devices %s, %v; want %s, %s", tt.errno, names(devices), err, tt.devices, tt.want)
		}
	}
}

// TestNoNetNS checks the message for a network namespace that does not exist.
func TestNoNetNS(t *testing.T) {
	f := newFixture(t, "").hca(0)
	devices, err := Host{Sys: f.top, NetNS: f.path("run/netns/red")}.Devices(context.Background())
	if len(devices) != 0 || !errors.Is(err, unix.ENOENT) || !strings.Contains(err.Error(), "run/netns/red") {
		t.Errorf("%d devices, %v", len(devices), err)
	}
}
