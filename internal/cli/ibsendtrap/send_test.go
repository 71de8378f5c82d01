package ibsendtrap

import (
	"bytes"
	"encoding/hex"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/portcontrol"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// recorder keeps the traps that leave by a port.
type recorder struct {
	*sim.Port
	mu    sync.Mutex
	traps []mad.Packet
}

func (r *recorder) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if p.Method() == mad.MethodTrap {
		r.mu.Lock()
		r.traps = append(r.traps, *p)
		r.mu.Unlock()
	}
	return r.Port.Send(p, to, timeout)
}

// record attaches to a star in which the own port has LID 3 and the manager LID 2.
func record(t *testing.T) (*recorder, *madrpc.Client) {
	t.Helper()
	model, err := gen.Parse("star?hosts=3")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, &sim.Options{NoTraps: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sm.Start(f, nil); err != nil {
		t.Fatal(err)
	}
	own := model.Start().Remote().Node().Port(2).Remote()
	port, err := f.Attach(own)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{Port: port}
	client := madrpc.New(r, nil)
	t.Cleanup(func() { client.Close() })
	return r, client
}

// open is a session with a command line's options.
func open(t *testing.T, args ...string) (*session, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	e := &env.Env{
		Args: append([]string{"ibsendtrap"}, args...), Stdout: &out, Stderr: &out, DiagConfig: "/nonexistent",
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
	}
	s := &session{env: e}
	common, _, err := Tool.Parse(e, func(o *getopt.Option, _ string) error {
		s.Take(o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Common = common
	return s, &out
}

// TestTraps compares each trap with the bytes of C's: generic bit and type, producer,
// trap number, issuer, count, details.
func TestTraps(t *testing.T) {
	r, client := record(t)
	const (
		capMask = "0651c848"
		keys    = "0000 0001 0002 12345678 00010101 00020202 f8c0000000000001 1111222233334444 f8c0000000000001 5678567812341234"
		mkey    = "0000 0003 ffff 01 00 0015 00000012 1234567812345678 00"
	)
	want := map[string]string{
		"node_desc_change":          "84 000001 0090 0003 0000 0000 0003 00 01 " + capMask + " 0001",
		"link_speed_enabled_change": "84 000001 0090 0003 0000 0000 0003 00 01 " + capMask + " 0004",
		"local_link_integrity":      "81 000001 0081 0003 0000 0000 0003 09",
		"sys_image_guid_change":     "84 000001 0091 0003 0000 0000 0000 0000 1234567812345678",
		"mkey_lid":                  "82 000001 0100 0003 0000 " + mkey,
		"mkey_dr":                   "82 000001 0100 0003 0000 " + mkey + " 84 05060708",
		"pkey":                      "82 000001 0101 0003 0000 " + keys,
		"qkey":                      "82 000001 0102 0003 0000 " + keys,
	}
	if len(want) != len(traps) {
		t.Errorf("%d traps, %d are compared", len(traps), len(want))
	}
	for i := range traps {
		s, _ := open(t)
		if err := s.send(t.Context(), client, &traps[i], 9); err != nil {
			t.Fatalf("%s: %v", traps[i].name, err)
		}
		sent := r.traps[i]
		b, err := hex.DecodeString(strings.ReplaceAll(want[traps[i].name], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := sent.SMPData()[:]; !bytes.Equal(got[:len(b)], b) || len(bytes.Trim(got[len(b):], "\x00")) > 0 {
			t.Errorf("%s:\n% x, want\n% x", traps[i].name, got, b)
		}
		if sent.Class() != mad.ClassSubnLID || sent.Modifier() != 0 {
			t.Errorf("%s: class %v, modifier %d", traps[i].name, sent.Class(), sent.Modifier())
		}
	}
}

// TestEffect: the manager, which agents tell nothing, looks at the fabric when the
// trap comes, and brings up a port that was reset.
func TestEffect(t *testing.T) {
	_, client := record(t)
	ctx := t.Context()
	read := func() *portcontrol.Port {
		p, err := portcontrol.Read(ctx, client, mad.ByLID(1), 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := read()
	if err := p.Set(ctx, client, &portcontrol.Change{Phys: ib.PhysPolling}); err != nil {
		t.Fatal(err)
	}
	if p = read(); p.Info.State != ib.PortInitialize {
		t.Fatalf("the port is %v", p.Info.State)
	}
	s, _ := open(t)
	if err := s.send(ctx, client, &traps[0], 1); err != nil {
		t.Fatal(err)
	}
	for read().Info.State != ib.PortActive {
		time.Sleep(time.Millisecond)
	}
}

// TestDryRun shows the trap and sends none.
func TestDryRun(t *testing.T) {
	r, client := record(t)
	s, out := open(t, "--dry-run")
	if err := s.send(t.Context(), client, findTrap("local_link_integrity"), 3); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.HasPrefix(text, "Dry run: Trap(Notice) modifier 0x0 to Lid 2, not sent") || !strings.Contains(text, "NoticeTrapNumber: 0 -> 129\n") {
		t.Errorf("%s", text)
	}
	if len(r.traps) != 0 {
		t.Errorf("%d traps were sent", len(r.traps))
	}
}

// TestNoManager: without a subnet manager there is nobody to tell.
func TestNoManager(t *testing.T) {
	model, err := gen.Parse("star?hosts=3")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, &sim.Options{Fresh: true})
	if err != nil {
		t.Fatal(err)
	}
	port, err := f.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, nil)
	defer client.Close()
	s, out := open(t)
	err = s.send(t.Context(), client, &traps[0], 1)
	if code := diags.Code(s.env, err); code != 255 || !strings.Contains(out.String(), "iberror: failed: can't resolve SM destination port") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
