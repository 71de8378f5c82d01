package ibqueryerrors

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// contradicting is a transport by which agents say that they have the further
// counters of PortCountersExtended, and not PortCountersExtended.
type contradicting struct{ madrpc.Transport }

func (c *contradicting) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := c.Transport.Recv(p)
	if err == nil && p.Class() == mad.ClassPerf && p.AttrID() == pma.AttrClassPortInfo {
		var info pma.ClassPortInfo
		info.Decode((*[72]byte)(p.Data()))
		info.CapMask &^= pma.CapExtendedWidth | pma.CapExtendedWidthNoIETF
		info.CapMask2 |= pma.Cap2AdditionalExtCounters
		if _, err := info.AppendBinary(p.Data()[:0]); err != nil {
			return from, err
		}
	}
	return from, err
}

// TestContradiction: C follows a nil pointer then.
func TestContradiction(t *testing.T) {
	w := simulate(t, "star?hosts=2&speed=ndr", nil)
	sw := w.switches()[0]
	w.set(t, sw.Port(1), "PortCounters.SymbolErrorCounter", 7)
	port, err := w.sim.Attach(w.model.Start())
	if err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	e := &env.Env{
		Args: []string{"ibqueryerrors", "--skip-sl", "--details", "--threshold-file", "/nonexistent"}, Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &told,
		Now: time.Now, DiagConfig: "/nonexistent", IsTerminal: func(any) bool { return false }, Getenv: func(string) string { return "" },
	}
	s := &session{levels: map[ib.LID]uint8{}}
	if s.settings, err = parse(e); err != nil {
		t.Fatal(err)
	}
	s.client = madrpc.New(&contradicting{port}, nil)
	defer s.client.Close()
	err = s.Finish(s.run(t.Context()), s.document())
	if code := diags.Code(e, err); code != 1 || !strings.Contains(out.String(), "SymbolErrorCounter == 7") {
		t.Errorf("exit code %d\n%s%s", code, &out, &told)
	}
}
