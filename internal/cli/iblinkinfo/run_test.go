package iblinkinfo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// counted is a transport that counts requests of subnet management.
type counted struct {
	madrpc.Transport
	smps atomic.Int64
}

func (c *counted) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if p.Class().IsSMP() {
		c.smps.Add(1)
	}
	return c.Transport.Send(p, to, timeout)
}

// world is a simulated fabric with a subnet manager.
type world struct {
	model *fabric.Fabric
	sim   *sim.Fabric
}

func managed(t *testing.T, name string, o *sim.Options) *world {
	t.Helper()
	model, err := gen.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sm.Start(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	if _, err := sa.Start(m); err != nil {
		t.Fatal(err)
	}
	return &world{model, f}
}

// run runs a command line, and tells how many SMPs it has sent.
func (w *world) run(t *testing.T, line string) (stdout, stderr string, code int, smps int64) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Args: append([]string{"iblinkinfo"}, strings.Fields(line)...), Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &told,
		Now: time.Now, DiagConfig: "/nonexistent", IsTerminal: func(any) bool { return false }, Getenv: func(string) string { return "" },
	}
	s, err := parse(e)
	if err == nil {
		port, attachErr := w.sim.Attach(w.model.Start())
		if attachErr != nil {
			t.Fatal(attachErr)
		}
		c := &counted{Transport: port}
		client := madrpc.New(c, &madrpc.Options{Timeout: s.Timeout})
		defer client.Close()
		ctx, cancel := s.around.Context(t.Context())
		defer cancel()
		err = s.Finish(s.look(ctx, client), &s.found)
		smps = c.smps.Load()
	}
	code = diags.Code(e, err)
	return out.String(), told.String(), code, smps
}

// TestAroundGUID: a node named by its GUID is reached on the way that the switches
// have to it, and only what is around it is swept.
func TestAroundGUID(t *testing.T) {
	w := managed(t, "fattree?levels=3&radix=8", nil)
	full, _, code, all := w.run(t, "")
	if code != 0 {
		t.Fatal(code)
	}
	var far *fabric.Node
	for n := range w.model.CAs() {
		far = n
	}
	for _, guid := range []ib.GUID{far.Port(1).GUID(), far.Port(1).Remote().Node().Info().PortGUID} {
		line := fmt.Sprintf("-S %s", guid)
		stdout, stderr, code, smps := w.run(t, line)
		if code != 0 || stdout == "" || stderr != "" || !strings.Contains(full, stdout) {
			t.Errorf("%s: exit code %d\n%s%s\n%s", line, code, stdout, stderr, full)
		}
		if smps*3 > all {
			t.Errorf("%s takes %d SMPs, a sweep of everything %d", line, smps, all)
		}
		t.Logf("%s: %d SMPs, all: %d", line, smps, all)
	}
}

// TestDeadline: what is known is printed, the exit code is that of a failure.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, err := gen.Parse("fattree?levels=2&radix=8")
		if err != nil {
			t.Fatal(err)
		}
		f, err := sim.New(model, &sim.Options{Latency: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{model, f}
		for line, want := range map[string]int{"--deadline 65ms": exitFailed, "--deadline 1m": 0} {
			stdout, stderr, code, _ := w.run(t, line)
			if code != want || !strings.Contains(stdout, "==>") || (want != 0) != strings.Contains(stderr, "deadline exceeded") {
				t.Errorf("%s: exit code %d\n%s%s", line, code, stdout, stderr)
			}
		}
		if _, stderr, code, _ := w.run(t, "--deadline soon"); code != diags.ExitUsage || !strings.Contains(stderr, "as 30s") {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		stdout, _, code, _ := w.run(t, "--deadline 65ms --output json")
		var d struct {
			Complete bool
			Links    []any
		}
		if err := json.Unmarshal([]byte(stdout), &d); err != nil || d.Complete || len(d.Links) == 0 || code != exitFailed {
			t.Errorf("exit code %d, %v, %s", code, err, stdout)
		}
	})
}

func TestJSON(t *testing.T) {
	model, err := gen.Parse("star?hosts=2&speed=edr")
	if err != nil {
		t.Fatal(err)
	}
	f, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range model.CAs() {
		if n == model.Start().Node() {
			continue
		}
		slow := fabric.LinkRate{Width: ib.Width1x, Speed: ib.SpeedQDR}
		if err := f.LimitLink(sim.Place{Node: n, Port: 1}, slow); err != nil {
			t.Fatal(err)
		}
	}
	w := &world{model, f}
	for name, line := range map[string]string{
		"all.json": "--output json", "node.json": "--output json -p -D 0 --cas-only", "missing.json": "--output json -D 0,1 --cas-only", "down.json": "--output json -d",
	} {
		stdout, _, code, _ := w.run(t, line)
		if code != 0 {
			t.Errorf("%s: exit code %d", line, code)
		}
		testenv.Golden(t, name, []byte(stdout))
	}
}
