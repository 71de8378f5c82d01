package ibqueryerrors

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
)

// world is a simulated fabric whose counters stand still.
type world struct {
	model    *fabric.Fabric
	sim      *sim.Fabric
	counters *perf.Counters
	silent   map[ib.LID]bool // agents of general services that do not answer
	before   func()          // called before the first request of general services
	gmps     atomic.Int64    // requests of general services
}

func simulate(t *testing.T, name string, o *sim.Options) *world {
	t.Helper()
	model, err := gen.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{model: model, silent: map[ib.LID]bool{}}
	if w.sim, err = sim.New(model, o); err != nil {
		t.Fatal(err)
	}
	w.counters = perf.New(model)
	if err := w.counters.Use(w.sim); err != nil {
		t.Fatal(err)
	}
	w.sim.Watch(nil)
	return w
}

func (w *world) set(t *testing.T, p *fabric.Port, name string, v uint64) {
	t.Helper()
	if err := w.counters.Set(sim.Place{Node: p.Node(), Port: p.Num()}, name, v); err != nil {
		t.Fatal(err)
	}
}

// link is the transport, which loses requests to silent agents.
type link struct {
	madrpc.Transport
	*world
}

func (l *link) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if !p.Class().IsSMP() {
		if l.gmps.Add(1) == 1 && l.before != nil {
			l.before()
		}
		if l.silent[to.LID] {
			return nil
		}
	}
	return l.Transport.Send(p, to, timeout)
}

// run runs a command line.
func (w *world) run(t *testing.T, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Args: append([]string{"ibqueryerrors", "--skip-sl", "--threshold-file", "/nonexistent"}, strings.Fields(line)...), Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &told,
		Now: time.Now, DiagConfig: "/nonexistent", IsTerminal: func(any) bool { return false }, Getenv: func(string) string { return "" },
	}
	settings, err := parse(e)
	if err == nil {
		port, attachErr := w.sim.Attach(w.model.Start())
		if attachErr != nil {
			t.Fatal(attachErr)
		}
		s := &session{settings: settings, levels: map[ib.LID]uint8{}}
		s.client = madrpc.New(&link{port, w}, &madrpc.Options{Timeout: s.Timeout})
		defer s.client.Close()
		ctx, cancel := s.around.Context(t.Context())
		defer cancel()
		err = s.run(ctx)
		err = s.Finish(err, s.document())
	}
	code = diags.Code(e, err)
	return out.String(), told.String(), code
}
