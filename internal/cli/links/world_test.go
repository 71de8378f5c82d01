package links

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/survey"
)

// damaged is a snapshot, with counters, of a fat tree with a narrow and a slow link,
// one that is down, and one with errors; it gives the URI. The adapters behind the narrow and the slow link,
// which no subnet manager has brought up again, did not tell their counters.
func damaged(t *testing.T) string {
	t.Helper()
	model, err := gen.Parse("fattree?levels=2&radix=4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	count := perf.New(model)
	if err := count.Use(s); err != nil {
		t.Fatal(err)
	}
	at := leafPorts(model)
	for _, err := range []error{
		s.LimitLink(at[0], fabric.LinkRate{Width: ib.Width1x}),
		s.LimitLink(at[1], fabric.LinkRate{Speed: ib.SpeedEDR}),
		s.LinkDown(at[2]),
		count.Count(at[3], "PortCounters.SymbolErrorCounter", 17),
		count.Count(at[3], "PortCounters.PortXmitWait", 1000),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	port, err := s.Attach(model.Start())
	if err != nil {
		t.Fatal(err)
	}
	client := madrpc.New(port, &madrpc.Options{Timeout: 50 * time.Millisecond, Retries: -1}) // some do not answer
	defer client.Close()
	f, err := discover.Walk(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	shot, err := survey.Take(t.Context(), client, f, &survey.Options{Counters: true})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "damaged.json.gz")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := snapshot.Write(file, shot); err != nil {
		t.Fatal(err)
	}
	return "file:" + name
}

// leafPorts are the ports of switches with hosts that the sweep does not start at.
func leafPorts(f *fabric.Fabric) []sim.Place {
	var list []sim.Place
	for sw := range f.Switches() {
		for p := range sw.Ports() {
			if far := p.Remote(); far != nil && far.Node().Type() == ib.NodeCA && far != f.Start() {
				list = append(list, sim.Place{Node: sw, Port: p.Num()})
			}
		}
	}
	return list
}
