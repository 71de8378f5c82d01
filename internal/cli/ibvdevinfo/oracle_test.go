package ibvdevinfo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

// A sample is a device that both tools print: ours from its attributes, the C
// tool from what a kernel would answer.
type sample struct {
	device   uverbs.DeviceAttributes
	port     uverbs.PortAttributes
	gids     []uverbs.GID
	board    string
	nodeType rdma.NodeType
}

// TestTextLikeC prints random attributes, and such as bring up each text, with
// the C tool and with ours. The driver is mlx5's, for it tells the most.
func TestTextLikeC(t *testing.T) {
	testenv.Need(t, "gcc", "ibv_devinfo")
	fake := testenv.NewFakeVerbs(t)
	fake.Name, fake.ABI, fake.Modalias = "mlx5_0", 1, "pci:v000015B3d00001017sv00000000sd00000000bc02sc07i00"
	fake.Context = make([]byte, 72)
	binary.NativeEndian.PutUint32(fake.Context[8:], 16) // BlueFlame registers
	fake.Context[45] = 1                                // QueryDevice takes driver data
	for i := range 90 {
		s := newSample(rand.New(rand.NewPCG(uint64(i), 1)), i)
		fake.Device, fake.Port, fake.GIDs = s.encodeDevice(), s.encodePort(), s.encodeGIDs()
		fake.BoardID, fake.NodeType = s.board, int(s.nodeType)
		args := []string{"-v"}
		if i%8 == 0 {
			args = nil
		}
		want, stderr, code := fake.Run(t, "ibv_devinfo", args...)
		if code != 0 {
			t.Fatalf("C: exit code %d: %s", code, stderr)
		}
		if diff := cmp.Diff(want, s.print(len(args) > 0)); diff != "" {
			t.Fatalf("sample %d (-C +ours):\n%s", i, diff)
		}
	}
}

// print is the text of our tool.
func (s *sample) print(verbose bool) string {
	r := &report{env: &env.Env{}, verbose: verbose}
	d := &rdma.Device{Name: "mlx5_0", NodeType: s.nodeType, BoardID: s.board}
	r.summary(d, &s.device)
	if verbose {
		r.details(&s.device)
	}
	r.portSummary(1, &s.port)
	if verbose {
		r.portDetails(&s.port, d.Transport())
		for _, g := range s.gids {
			r.gid(g, s.port.LinkLayer)
		}
	}
	r.printf("\n")
	return r.out.String()
}

// newSample draws attributes. Every second number is 0, for many texts depend on
// that; flags are all, one, or any bits.
func newSample(r *rand.Rand, i int) *sample {
	number := func() uint32 {
		if r.IntN(2) == 0 {
			return 0
		}
		return r.Uint32() >> r.IntN(32)
	}
	bits := func() uint64 { return [...]uint64{0, 1 << r.IntN(64), r.Uint64(), 1<<64 - 1}[r.IntN(4)] }
	s := &sample{nodeType: rdma.NodeType(1 + i%8), board: [...]string{"", "MT_0000000223"}[i%2]}
	d := &s.device
	*d = uverbs.DeviceAttributes{
		Firmware: "20.31.0014", NodeGUID: ib.GUID(r.Uint64()), SystemImageGUID: ib.GUID(r.Uint64() >> 40),
		VendorID: number(), VendorPartID: number(), HardwareVersion: number(), PhysicalPorts: 1,
		MaxMRSize: r.Uint64(), PageSizes: uint64(number()), Caps: uverbs.DeviceCaps(uint32(bits())), CapsEx: uverbs.DeviceCaps(bits()),
		MaxPKeys: uint16(number()), LocalAckDelay: uint8(number()),
		TimestampMask: uint64(number()), CoreClock: uint64(number()), MaxWQTypeRQ: number(),
		RawPacket: uverbs.RawPacketCaps(bits() & 0xff), MaxDeviceMemory: uint64(number()), CompVectors: 7,
		ODP: uverbs.ODPCaps{
			General: bits(), RC: uverbs.ODPTransportCaps(bits()), UC: uverbs.ODPTransportCaps(bits()),
			UD: uverbs.ODPTransportCaps(bits()), XRC: uverbs.ODPTransportCaps(bits()),
		},
		TSO: uverbs.TSOCaps{MaxSize: number(), QPTypes: uverbs.QPTypes(bits())},
		RSS: uverbs.RSSCaps{
			MaxTables: number(), MaxTableSize: number(), HashFunctions: uint8(number()),
			HashFields: bits(), QPTypes: uverbs.QPTypes(bits()),
		},
		PacketPacing: uverbs.PacketPacingCaps{Min: number(), Max: number(), QPTypes: uverbs.QPTypes(bits())},
		TagMatching: uverbs.TagMatchingCaps{
			MaxRndvHeader: number(), MaxTags: number(), MaxOps: number(),
			MaxSGE: number(), Flags: number(),
		},
		CQModeration: uverbs.CQModerationCaps{MaxCount: uint16(number()), MaxPeriod: uint16(number())},
	}
	for _, limit := range s.limits() {
		*limit = number()
	}
	d.AtomicCap = uverbs.AtomicCap(r.IntN(4))
	s.port = uverbs.PortAttributes{
		State: ib.PortState(r.IntN(7)), MaxMTU: ib.MTU(r.IntN(7)), ActiveMTU: ib.MTU(r.IntN(7)),
		LID: ib.LID(r.Uint32()), SMLID: ib.LID(r.Uint32()), LMC: uint8(r.IntN(8)), LinkLayer: uverbs.LinkLayer(r.IntN(4)),
		MaxMessage: r.Uint32(), CapMask: rdma.CapMask(r.Uint32()), CapMask2: rdma.CapMask2(r.Uint32()),
		MaxVL: ib.VLCap(r.IntN(7)), BadPKeys: number(), BadQKeys: number(), SMSL: uint8(r.IntN(16)),
		PKeyTableLen: uint16(r.Uint32()), GIDTableLen: 4 + r.Uint32N(8), SubnetTimeout: uint8(r.IntN(32)),
		InitTypeReply: uint8(r.IntN(16)), ActiveWidth: ib.LinkWidth([...]uint8{0, 1, 2, 4, 8, 16, 32, 3}[r.IntN(8)]),
		ActiveSpeed: uverbs.Speed([...]uint8{0, 1, 2, 3, 4, 8, 16, 32, 64, 128}[r.IntN(10)]), PhysState: ib.PhysState(r.IntN(9)),
	}
	for index := range 4 {
		g := uverbs.GID{Index: index, Type: uverbs.GIDType(r.IntN(4)), GID: ib.GIDFrom([...]uint64{0, ib.DefaultSubnetPrefix, r.Uint64()}[r.IntN(3)],
			ib.GUID([...]uint64{0, r.Uint64(), uint64(r.Uint32()), 0xffff<<32 | uint64(r.Uint32()), 1}[r.IntN(5)]))}
		s.gids = append(s.gids, g)
	}
	return s
}

// limits are the numbers of struct ib_uverbs_query_device_resp from max_sge on
// that are 32 bits wide, in its order.
func (s *sample) limits() []*uint32 {
	d := &s.device
	return []*uint32{
		&d.MaxSGE, &d.MaxSGERead, &d.MaxCQ, &d.MaxCQE, &d.MaxMR, &d.MaxPD, &d.MaxQPReadAtomic, &d.MaxEEReadAtomic,
		&d.MaxResReadAtomic, &d.MaxQPInitReadAtomic, &d.MaxEEInitReadAtomic, (*uint32)(&d.AtomicCap), &d.MaxEE, &d.MaxRDD,
		&d.MaxMW, &d.MaxRawIPv6QP, &d.MaxRawEthernetQP, &d.MaxMulticastGroups, &d.MaxMulticastAttach,
		&d.MaxMulticastQPAttach, &d.MaxAH, &d.MaxFMR, &d.MaxMapPerFMR, &d.MaxSRQ, &d.MaxSRQWR, &d.MaxSRQSGE,
	}
}

func appendAll(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.NativeEndian, v); err != nil {
			panic(fmt.Sprintf("%T: %v", v, err))
		}
	}
	return b.Bytes()
}

// encodeDevice is struct ib_uverbs_ex_query_device_resp with struct
// mlx5_ib_query_device_resp behind it.
func (s *sample) encodeDevice() []byte {
	d := &s.device
	b := appendAll(uint64(20)<<32 | 31<<16 | 14)
	b = binary.BigEndian.AppendUint64(b, uint64(d.NodeGUID))
	b = binary.BigEndian.AppendUint64(b, uint64(d.SystemImageGUID))
	b = append(b, appendAll(d.MaxMRSize, d.PageSizes, d.VendorID, d.VendorPartID, d.HardwareVersion, d.MaxQP, d.MaxQPWR, uint32(d.Caps))...)
	for _, limit := range s.limits() {
		b = append(b, appendAll(*limit)...)
	}
	b = append(b, appendAll(d.MaxPKeys, d.LocalAckDelay, uint8(d.PhysicalPorts), uint32(0),
		uint32(0), uint32(304),
		d.ODP.General, d.ODP.RC, d.ODP.UC, d.ODP.UD, uint32(0),
		d.TimestampMask, d.CoreClock, uint64(d.CapsEx),
		uint32(d.RSS.QPTypes), d.RSS.MaxTables, d.RSS.MaxTableSize, uint32(0),
		d.MaxWQTypeRQ, uint32(d.RawPacket),
		d.TagMatching.MaxRndvHeader, d.TagMatching.MaxTags, d.TagMatching.Flags, d.TagMatching.MaxOps, d.TagMatching.MaxSGE, uint32(0),
		d.CQModeration.MaxCount, d.CQModeration.MaxPeriod, uint32(0),
		d.MaxDeviceMemory, uint32(d.ODP.XRC), uint32(0))...)
	extra := appendAll(uint32(0), uint32(112), d.TSO.MaxSize, uint32(d.TSO.QPTypes),
		d.RSS.HashFields, d.RSS.HashFunctions, [7]byte{}, uint64(0),
		d.PacketPacing.Min, d.PacketPacing.Max, uint32(d.PacketPacing.QPTypes), uint32(0))
	return append(b, append(extra, make([]byte, 64)...)...)
}

// encodePort is struct ib_uverbs_query_port_resp_ex.
func (s *sample) encodePort() []byte {
	p := &s.port
	return appendAll(uint32(p.CapMask), p.MaxMessage, p.BadPKeys, p.BadQKeys, p.GIDTableLen, p.PKeyTableLen, uint16(p.LID), uint16(p.SMLID),
		uint8(p.State), uint8(p.MaxMTU), uint8(p.ActiveMTU), p.LMC, uint8(p.MaxVL), p.SMSL, p.SubnetTimeout, p.InitTypeReply,
		uint8(p.ActiveWidth), uint8(p.ActiveSpeed), uint8(p.PhysState), uint8(p.LinkLayer), uint8(0), uint8(0), uint16(p.CapMask2), uint16(0), uint32(0))
}

func (s *sample) encodeGIDs() []byte {
	var b []byte
	for _, g := range s.gids {
		b = append(b, g.GID[:]...)
		b = append(b, appendAll(uint32(g.Index), uint32(1), uint32(g.Type), uint32(0))...)
	}
	return b
}

// TestEveryText makes sure that the samples bring up what they are for.
func TestEveryText(t *testing.T) {
	var all strings.Builder
	for i := range 90 {
		all.WriteString(newSample(rand.New(rand.NewPCG(uint64(i), 1)), i).print(true))
	}
	for _, words := range [][]word{transportWords, atomicWords, stateWords, physWords, mtuWords, vlWords, widthWords} {
		for _, word := range words {
			if !strings.Contains(all.String(), "\t"+word.text+" (") {
				t.Errorf("no sample has %q", word.text)
			}
		}
	}
	for _, word := range []string{
		"invalid transport (-1)", "invalid atomic", "invalid state", "invalid MTU", "invalid value", "invalid widthX", "invalid speed",
		"invalid physical", "Unknown\n", "Unspecified\n", ", RoCE v1", ", RoCE v2", "ODP_SUPPORT_IMPLICIT", "NO SUPPORT", "SUPPORT_SRQ",
		"Unknown flags: 0x", "max_map_per_fmr", "max_srq_sge", "kHZ", "Delay drop", "RAW_SCATTER_FCS", "PCI_WRITE_END_PADDING",
		"SUPPORT_RAW_PACKET", "IBV_TM_CAP_RC", "cq moderation caps", "maximum available device memory", "100.0 Gbps (128)",
	} {
		if !strings.Contains(all.String(), word) {
			t.Errorf("no sample has %q", word)
		}
	}
}
