package pcap_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/pcap"
)

// conversation writes a capture, packet by packet.
type conversation struct {
	t      *testing.T
	w      *pcap.Writer
	number int
	now    time.Time
}

func (c *conversation) add(kind pcap.Kind, h pcap.Header, p *mad.Packet, after time.Duration, comment string) {
	c.t.Helper()
	c.now = c.now.Add(after)
	if err := c.w.Write(c.number, &pcap.Record{Time: c.now, Kind: kind, Comment: comment, Header: h, Packet: *p}); err != nil {
		c.t.Fatal(err)
	}
}

// reply turns a request into its reply.
func reply(p mad.Packet, status mad.Status) *mad.Packet {
	p.SetStatus(status)
	p[3] |= byte(mad.ResponseBit)
	if p.Class() == mad.ClassSubnDirected {
		p.SetReturning(true)
	}
	return &p
}

func encode(t *testing.T, dst []byte, v interface{ AppendBinary([]byte) ([]byte, error) }) {
	t.Helper()
	b, err := v.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(dst, b)
}

// sample is a capture that has one of all there is.
func sample(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	c := &conversation{t: t, w: pcap.NewWriter(&b, "test"), now: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)}
	c.number, _ = c.w.AddInterface("umad:mlx5_0/1")
	c.routed(t)
	c.table(t)
	other, _ := c.w.AddInterface("evil\x1b[31m")
	c.number = other
	c.strange()
	if err := c.w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// routed asks by directed route: an answer, one after a retry, none, a refusal.
func (c *conversation) routed(t *testing.T) {
	h := pcap.Header{VL: 15, SLID: 0xffff, DLID: 0xffff, PKey: 0xffff}
	path, err := ib.ParseDRPath("0,1,22")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(tid uint64, attr mad.AttrID, modifier uint32) mad.Packet {
		var p mad.Packet
		p.Init(mad.ClassSubnDirected, mad.MethodGet, attr, modifier)
		p.SetTID(tid)
		p.SetRoute(path, 0, 0)
		return p
	}
	p := ask(0x101, smp.AttrNodeInfo, 0)
	c.add(pcap.Sent, h, &p, 0, "")
	r := reply(p, 0)
	encode(t, r.SMPData()[:], &smp.NodeInfo{NodeGUID: 0xabcdef, NumPorts: 36, NodeType: ib.NodeSwitch})
	r.SetTID(0x7<<32 | 0x101) // the kernel's half
	c.add(pcap.Received, h, r, 12345*time.Nanosecond, "")
	p = ask(0x102, smp.AttrPortInfo, 1)
	c.add(pcap.Sent, h, &p, 0, "")
	c.add(pcap.Unanswered, h, &p, time.Second, syscall.ETIMEDOUT.Error())
	c.add(pcap.Sent, h, &p, 0, "")
	r = reply(p, 0)
	encode(t, r.SMPData()[:], &smp.PortInfo{MKey: 0x5ec7e7, LID: 17})
	c.add(pcap.Received, h, r, time.Millisecond, "")
	c.add(pcap.Received, h, r, time.Millisecond, "")
	p = ask(0x103, 0xff99, 1<<20)
	c.add(pcap.Sent, h, &p, 0, "")
	c.add(pcap.Received, h, reply(p, mad.StatusUnsupportedAttr), time.Microsecond, "")
	p = ask(0x104, smp.AttrNodeInfo, 0)
	c.add(pcap.Sent, h, &p, 0, "")
	c.add(pcap.SendFailed, h, &p, 0, syscall.ENOBUFS.Error())
}

// table asks subnet administration for one, which comes in two segments.
func (c *conversation) table(t *testing.T) {
	to := pcap.Header{SLID: 4, DLID: 9, PKey: 0xffff, DestQP: 1, SrcQP: 1, QKey: mad.WellKnownQK}
	from := to
	from.SLID, from.DLID = to.DLID, to.SLID
	var p mad.Packet
	query := sa.NodeRecord{LID: 9}
	p.Init(mad.ClassSubnAdm, mad.MethodGetTable, query.AttrID(), 0)
	p.SetTID(0x200)
	p.SetCompMask(1)
	encode(t, p.Data(), &query)
	c.add(pcap.Sent, to, &p, 0, "")
	r := reply(p, 0)
	r.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive | mad.RMPPFirst, Data1: 1, Data2: 256})
	c.add(pcap.Received, from, r, 100*time.Microsecond, "")
	p.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAck, Flags: mad.RMPPActive, Data1: 1, Data2: 65})
	c.add(pcap.Sent, to, &p, time.Microsecond, "")
	r.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive | mad.RMPPLast, Data1: 2, Data2: 56})
	c.add(pcap.Received, from, r, time.Microsecond, "")
	p.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAbort, Flags: mad.RMPPActive, Status: mad.RMPPTooManyRetries})
	c.add(pcap.Sent, to, &p, time.Microsecond, "")
}

// strange has what others might send, at a port whose name is hostile.
func (c *conversation) strange() {
	var p mad.Packet
	h := pcap.Header{SLID: 5, DLID: 6, PKey: 0xffff, DestQP: 1, SrcQP: 1, HasGRH: true}
	h.GRH = pcap.GRH{SGID: ib.GID{0xfe, 0x80, 15: 1}, DGID: ib.GID{0xfe, 0x80, 15: 2}, HopLimit: 1}
	p.Init(mad.ClassSubnDirected, mad.MethodGet, 0x11, 0)
	p[7] = 200 // hops
	c.add(pcap.Received, pcap.Header{SLID: 5, DLID: 6}, &p, time.Microsecond, "evil\x1b[31m\u202e")
	p.Init(mad.ClassSubnLID, mad.MethodTrap, 2, 0)
	c.add(pcap.Received, pcap.Header{SLID: 5, DLID: 6}, &p, time.Microsecond, "")
	p.Init(0x44, 0x7a, 0x1234, 0)
	c.add(pcap.Unknown, h, &p, time.Microsecond, "")
	p.Init(mad.ClassComm, mad.MethodSend, 0x10, 0)
	c.add(pcap.Unknown, h, &p, time.Microsecond, "")
	p.Init(mad.ClassPerf, mad.MethodGetResp, 0x12, 1)
	c.add(pcap.Unknown, h, &p, time.Microsecond, "")
}

// run runs "ibscope pcap" with the capture on standard input.
func run(t *testing.T, file []byte, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, complaints bytes.Buffer
	code = cli.Run(t.Context(), &cli.Env{
		Args: append([]string{"ibscope", "pcap"}, args...), Stdin: bytes.NewReader(file), Stdout: &out, Stderr: &complaints,
		Getenv: func(string) string { return "" }, Now: time.Now, IsTerminal: func(any) bool { return false },
	})
	return out.String(), complaints.String(), code
}

func TestOutputs(t *testing.T) {
	file := sample(t)
	for name, args := range map[string][]string{
		"text":    {},
		"verbose": {"-v", "--show-keys"},
		"json":    {"-o", "json"},
		"ndjson":  {"-o", "ndjson", "-v"},
		"summary": {"--summary"},
	} {
		stdout, stderr, code := run(t, file, append(args, "-")...)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
		if strings.ContainsAny(stdout, "\x1b\u202e") {
			t.Errorf("%s: the output has control characters", name)
		}
		testenv.Golden(t, name+".golden", []byte(stdout))
	}
}

func TestKeysAreHidden(t *testing.T) {
	for _, form := range []string{"text", "json"} {
		with, _, _ := run(t, sample(t), "-o", form, "-v", "--show-keys", "-")
		without, _, _ := run(t, sample(t), "-o", form, "-v", "-")
		if !strings.Contains(with, "5ec7e7") || strings.Contains(without, "5ec7e7") {
			t.Errorf("%s: the M_Key is shown %t with and %t without --show-keys", form, strings.Contains(with, "5ec7e7"), strings.Contains(without, "5ec7e7"))
		}
	}
}

func TestFilters(t *testing.T) {
	file := sample(t)
	for _, test := range []struct {
		args string
		want string // the first line of the summary
	}{
		{"", "21 MADs"},
		{"--class subn", "13 MADs"},
		{"--class SubnDirected", "12 MADs"},
		{"--class 0x44", "1 MADs"},
		{"--class CommMgt", "1 MADs"},
		{"--attr nodeinfo", "5 MADs"},
		{"--attr 0xff99", "2 MADs"},
		{"--lid 9", "5 MADs"},
		{"--tid 0x101", "2 MADs"},
		{"--tid 0x700000101", "1 MADs"},
		{"--tid 0x102 --attr PortInfo", "5 MADs"},
		{"--tid 0x102 --attr NodeInfo", "0 MADs"},
	} {
		stdout, stderr, code := run(t, file, append(strings.Fields(test.args), "--summary", "-")...)
		if code != 0 || !strings.HasPrefix(stdout, test.want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", test.args, code, test.want, stdout, stderr)
		}
	}
}

func TestMistakes(t *testing.T) {
	file := sample(t)
	cut := filepath.Join(t.TempDir(), "cut.pcapng")
	if err := os.WriteFile(cut, file[:len(file)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, `expected "ibscope pcap FILE", found no arguments`},
		{"-o xml -", 2, "there are text, json, ndjson"},
		{"--class nothing -", 2, "one of Subn"},
		{"--attr nothing -", 2, "no attribute has that name"},
		{"--lid x -", 2, "--lid"},
		{"--tid x -", 2, "--tid"},
		{"/nonexistent", 1, "no such file"},
		{os.DevNull, 1, "not a valid capture"},
		{cut, 3, "unexpected EOF"},
		{"-o json " + cut, 3, "unexpected EOF"},
	} {
		stdout, stderr, code := run(t, file, strings.Fields(test.args)...)
		if code != test.code || !strings.Contains(stderr, test.want) || strings.Count(stderr, "\n") > 2 {
			t.Errorf("%q: exit code %d, want %d; stderr %q, want %q", test.args, code, test.code, stderr, test.want)
		}
		if code == 3 && !strings.Contains(stdout, "NodeInfo") {
			t.Errorf("%q: what stands before the damage is missing", test.args)
		}
	}
}

// TestOthersCaptures reads a capture that hardware has made.
func TestOthersCaptures(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(testenv.Corpus(t), "mad", "infiniband.pcap"))
	if err != nil {
		t.Skipf("the corpus has no capture: %v", err)
	}
	stdout, stderr, code := run(t, file, "-")
	if code != 0 || !strings.Contains(stdout, "SubnGetResp(SMInfo)") || !strings.Contains(stdout, "other packets") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// broken is a stream that does not take anything.
type broken struct{ io.Writer }

func (broken) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	code := cli.Run(t.Context(), &cli.Env{
		Args: []string{"ibscope", "pcap", "-"}, Stdin: bytes.NewReader(sample(t)), Stdout: broken{}, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, IsTerminal: func(any) bool { return false },
	})
	if code != 1 || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}
