package smpquery

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// agent is a transport to one device that answers with what it is given.
type agent struct {
	data    map[mad.AttrID][]byte
	seen    []uint32 // modifiers
	replies chan mad.Packet
	closed  chan struct{}
}

func (a *agent) Send(p *mad.Packet, _ mad.Addr, _ time.Duration) error {
	reply := *p
	reply.SetMethod(mad.MethodGetResp)
	data := reply.SMPData()
	clear(data[:])
	copy(data[:], a.data[p.AttrID()])
	a.seen = append(a.seen, p.Modifier())
	a.replies <- reply
	return nil
}

func (a *agent) Recv(p *mad.Packet) (mad.Addr, error) {
	select {
	case *p = <-a.replies:
		return mad.Addr{}, nil
	case <-a.closed:
		return mad.Addr{}, os.ErrClosed
	}
}

func (a *agent) Close() error { close(a.closed); return nil }

// ask runs an operation on a device.
func ask(t *testing.T, data map[mad.AttrID][]byte, args ...string) (stdout string, seen []uint32) {
	t.Helper()
	var out, errOut bytes.Buffer
	e := &env.Env{
		Args: append([]string{"smpquery"}, args...), Stdout: &out, Stderr: &errOut, Stdin: bytes.NewReader(nil),
		Getenv: func(string) string { return "" }, DiagConfig: "/nonexistent",
		ReadPassword: func(string) (string, error) { return "", io.EOF },
	}
	s, err := parse(e)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{data: data, replies: make(chan mad.Packet, 8), closed: make(chan struct{})}
	client := madrpc.New(a, nil)
	defer client.Close()
	q := &query{ctx: context.Background(), env: e, client: client, to: mad.ByLID(ib.LID(7)), settings: s, out: bufio.NewWriter(&out)}
	if err := s.op.run(q); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	_ = q.out.Flush()
	return out.String(), a.seen
}

// TestFECFields: C takes the modes of HDR and NDR from the bytes of other fields.
func TestFECFields(t *testing.T) {
	port := smp.PortInfo{CapMask: smp.CapCapMask2, CapMask2: smp.Cap2PortInfoExtended}
	info, _ := port.AppendBinary(nil)
	extended, _ := (&smp.PortInfoExtended{
		CapMask: 1, FECModeActive: 4, FDRFECModeSupported: 0x11, FDRFECModeEnabled: 0x12, EDRFECModeSupported: 0x13, EDRFECModeEnabled: 0x14,
		HDRFECModeSupported: 0x15, HDRFECModeEnabled: 0x16, NDRFECModeSupported: 0x17, NDRFECModeEnabled: 0x18,
	}).AppendBinary(nil)
	got, seen := ask(t, map[mad.AttrID][]byte{smp.AttrPortInfo: info, smp.AttrPortInfoExtended: extended}, "PIE", "7", "200")
	for _, want := range []string{
		"# Port info Extended: Lid 7 port 200\n", "\nHDRFECModeSupported:.............0x0015\n", "\nHDRFECModeEnabled:...............0x0016\n",
		"\nNDRFECModeSupported:.............0x0017\n", "\nNDRFECModeEnabled:...............0x0018\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if len(seen) != 3 || seen[2] != 200 {
		t.Errorf("modifiers %v", seen)
	}
}

// TestFullDescription: a description of 64 bytes has no NUL at its end, which C
// looks for.
func TestFullDescription(t *testing.T) {
	name := strings.Repeat("0123456789abcdef", 4)
	got, _ := ask(t, map[mad.AttrID][]byte{smp.AttrNodeDescription: []byte(name)}, "ND", "7")
	if got != "Node Description:."+name+"\n" {
		t.Errorf("%q", got)
	}
	got, _ = ask(t, map[mad.AttrID][]byte{smp.AttrNodeDescription: []byte("a\x1b[31m\nb")}, "ND", "7")
	if strings.ContainsAny(strings.TrimSuffix(got, "\n"), "\x1b\n") {
		t.Errorf("%q", got)
	}
}

// TestHighPorts: all port numbers of a switch are asked for as they are.
func TestHighPorts(t *testing.T) {
	for line, want := range map[string]uint32{"PI 7 128": 128, "PI 7 254": 254, "-x PI 7 200": 0x800000c8, "MEPI 7 255": 255} {
		got, seen := ask(t, nil, strings.Fields(line)...)
		if len(seen) != 1 || seen[0] != want || !strings.Contains(got, " port "+line[strings.LastIndex(line, " ")+1:]+"\n") {
			t.Errorf("%s: modifiers %x\n%.60s", line, seen, got)
		}
	}
}
